import { setImmediate as turn } from 'node:timers/promises'
import { z } from 'zod'
import { type ActionId, refusedTo, ruleOf } from '../../contract/access.ts'
import { isAdmin } from '../../contract/actor.ts'
import { type Call, Id } from '../../contract/call.ts'
import { type CallId, calls } from '../../contract/calls.ts'
import type { ListColumn, ListRow } from '../../contract/column.ts'
import { EXPORT_COLUMNS, type ExportColumn, type ExportName } from '../../contract/exports.ts'
import { olderNames } from '../../contract/filterNames.ts'
import { lists } from '../../contract/listRows.ts'
import type { ExportedNoun, ListNoun } from '../../contract/lists.ts'
import { wordOf } from '../../contract/nounOf.ts'
import type { Ctx } from '../core/context.ts'
import { BOM, type Cell, csvLines } from '../core/csv.ts'
import { assertAllowed, invalid } from '../core/errors.ts'
import { namesOf as namesIn, refuseInvalid } from '../core/input.ts'
import { type ListQuery, listBuilt } from '../core/listBuilder.ts'
import { uniqueNames } from '../core/uniqueNames.ts'

/** A list opened for export: its length, its headings, and its rows page by page. */
export interface Listing {
  /** The file's name, without an extension. */
  title: string
  count: number
  columns: readonly string[]
  /** What columns hold, in their order, where the kind of value doesn't say it (xlsx.ts). */
  kinds?: readonly CellKind[]
  /** Lines before the headings, such as title and filters. */
  head?: readonly (readonly Cell[])[]
  /** Pages by row ids instead of offsets: page 4,000 is as fast as page 1, and no cursor stays open in between. */
  pages(): AsyncIterable<readonly (readonly Cell[])[]>
  /** Projects whose figures were read so far; the file opens only for users who still see all of them. */
  holds?: ReadonlySet<number>
  /** The same of services of visitation. */
  services?: ReadonlySet<number>
}

/**
 * What a column's cells are in a workbook: a `text` is never a number or a date, however it looks.
 * A `number`, `day` or `moment` that can't be read as one stays text. `plain` cells are texts or numbers as they come.
 */
export type CellKind = 'plain' | 'text' | 'number' | 'day' | 'moment'

/** A row of the exports table. */
export interface ExportSource {
  /** The names of its filter's fields. */
  filters: readonly string[]
  /** The read whose scope a token needs. */
  read: ActionId
  /** Checks the caller, the filter and the columns (ids; all if missing), and opens the list; throws an HttpError. */
  open(ctx: Ctx, filter: unknown, columns?: readonly string[]): Promise<Listing>
}

/** Builds a source from its filter's schema and its `open`; callers of `read` may export the list. */
export function source<F extends z.ZodType>(
  name: ExportName,
  read: ActionId,
  filter: F,
  open: (ctx: Ctx, filter: z.output<F>, columns: readonly string[]) => Promise<Listing>,
  /** Columns that only administrators get. */
  internal: readonly string[] = [],
): ExportSource {
  return {
    read,
    filters: [...namesIn(filter as never), ...Object.keys(olderNames(namesIn(filter as never)))],
    async open(ctx, rawFilter, columns) {
      assertAllowed(refusedTo(read, ctx.actor))
      const parsed = filter.safeParse(withOlderNames(rawFilter, namesIn(filter as never)))
      if (!parsed.success) throw refuseInvalid(parsed.error)
      const all = Object.keys(EXPORT_COLUMNS[name]).filter((id) => isAdmin(ctx.actor) || !internal.includes(id))
      const strange = columns?.find((id) => !all.includes(id))
      if (strange !== undefined) throw invalid('columns', `columns: this export has no ${strange}`)
      return open(ctx, parsed.data, columns?.length ? [...new Set(columns)] : all)
    },
  }
}

/** A filter under its list's own names; throws a 422 for one that is sent under both. */
function withOlderNames(rawFilter: unknown, names: readonly string[]): unknown {
  const older = olderNames(names)
  const sent = Object.entries((rawFilter ?? {}) as object)
  const twice = sent.find(([name]) => older[name] && sent.some(([other]) => other === older[name]))
  if (twice)
    throw invalid(`filter.${twice[0]}`, `filter.${twice[0]} and filter.${older[twice[0]]} are one field: send one of them`)
  return Object.fromEntries(sent.map(([name, value]) => [older[name] ?? name, value]))
}

/** Ids of selected rows; if missing, all matches. */
export const SelectedIds = z.array(Id).max(100_000).optional()
/** Selected rows of a list. */
export interface Selected {
  ids?: readonly number[] | undefined
}

/** The selected ids among the matching ones; all without a selection. */
export function among(ids: number[], selected: readonly number[] | undefined): number[] {
  if (!selected?.length) return ids
  const only = new Set(selected)
  return ids.filter((id) => only.has(id))
}

export const money = (cents: number | null): number | null => (cents === null ? null : cents / 100)

/** TABLE  ids of columns with days and moments, in exports that aren't a noun's list. */
const DATED: Readonly<Record<string, CellKind>> = {
  ...{ start_dt: 'day', end_dt: 'day', valid_until: 'day', due: 'day', waiting_since: 'moment' },
  ...{ created_at: 'moment', sent_at: 'moment', at: 'moment', requested: 'moment' },
}
/** The kinds of such an export's columns. */
export const kindsOf = (columns: readonly string[]): CellKind[] => columns.map((id) => DATED[id] ?? 'plain')

/** The cells of a list's column. */
const kindOf = (column: ListColumn | undefined): CellKind =>
  column?.kind === 'day' || column?.kind === 'moment' ? column.kind : 'plain'

/** Headings of columns in the file. */
export const namesOf = (name: ExportName, columns: readonly string[]): string[] =>
  columns.map((id) => (EXPORT_COLUMNS[name] as Readonly<Record<string, string>>)[id] ?? id)

/** Exports known ids: they are listed first, which fixes the order and keeps no cursor open. */
export function listing<N extends ExportName, R extends { id: number }>(
  name: N,
  title: string,
  { ids, columns, read }: { ids: readonly number[]; columns: readonly string[]; read: (some: readonly number[]) => Promise<R[]> },
  cells: Record<ExportColumn<N>, (row: R) => Cell>,
): Listing {
  const chosen = columns.map((id): Column<R> => [id, cells[id as ExportColumn<N>]])
  return {
    title,
    count: ids.length,
    columns: namesOf(name, columns),
    kinds: kindsOf(columns),
    pages: () => pagesOf(chosen, ids, read),
  }
}

/** A column's value in a file: dollars for money, a label for a code. */
function cellOf(column: ListColumn | undefined, value: unknown): Cell {
  if (column?.kind === 'money') return money(value as number | null)
  return column?.words?.[String(value)] ?? (value as Cell)
}

/** The export of a noun's list with its declared columns, open to callers of its read. */
export function listExport(noun: ExportedNoun): ExportSource {
  const { name, columns: declared, call }: ListRow = lists[noun]
  const read = call as CallId
  const { input } = calls[read] as Call
  const seenByAll = ruleOf(read).who === 'client'
  const filter = (input as z.ZodObject).extend({ ids: SelectedIds }) as unknown as z.ZodType<ListQuery<ListNoun> & Selected>
  return source(name as ExportName, read, filter, async (ctx, { ids: selected, ...filter }, columns) => {
    const list = listBuilt(noun)
    const { title, more, cells = {}, holds, services } = list.file
    if (seenByAll && !holds && !services) throw new Error(`${noun} doesn’t say which projects its rows belong to`)
    const held = new Set<number>()
    const cellsOf = columns.map(
      (id): Column<{ id: number }> => [
        id,
        cells[id] ?? ((row) => cellOf(declared[id], (row as Readonly<Record<string, unknown>>)[id])),
      ],
    )
    const ids = among(await list.ids(ctx, filter), selected)
    const rowsOf = async (some: readonly number[]) => {
      const rows = await list.rows(ctx, some, filter)
      for (const row of holds ? rows : []) {
        const project = holds!(row)
        if (project !== null) held.add(project)
      }
      if (services) for (const id of await services(ctx, rows)) held.add(id)
      return more ? more(ctx, rows, filter) : rows
    }
    return {
      title: (await title?.(ctx, filter)) ?? capital(wordOf(noun, true)),
      count: ids.length,
      columns: namesOf(name as ExportName, columns),
      kinds: columns.map((id) => kindOf(declared[id])),
      pages: () => pagesOf(cellsOf, ids, rowsOf),
      ...(seenByAll ? { [services ? 'services' : 'holds']: held } : {}),
    }
  })
}
const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

export const PAGE_ROWS = 1000

/** A column: its name, and its cell for a row. */
export type Column<R> = [name: string, cell: (row: R) => Cell]

/** Rows in the order of their ids, page by page; deleted ones are left out. */
async function* pagesOf<R extends { id: number }>(
  columns: readonly Column<R>[],
  ids: readonly number[],
  read: (some: readonly number[]) => Promise<R[]>,
) {
  for (let at = 0; at < ids.length; at += PAGE_ROWS) {
    const some = ids.slice(at, at + PAGE_ROWS)
    const rows = new Map((await read(some)).map((row) => [row.id, row]))
    yield some.flatMap((id) => {
      const row = rows.get(id)
      return row ? [columns.map(([, cell]) => cell(row))] : []
    })
  }
}

/** A listing as CSV, a chunk for each page; `each` gets a page's row count and may throw to stop. */
export async function* csvOf(listing: Listing, each: (rows: number) => void = () => {}): AsyncGenerator<string> {
  yield BOM + csvLines([...(listing.head ?? []), uniqueNames(listing.columns)])
  for await (const rows of listing.pages()) {
    each(rows.length)
    if (rows.length) yield csvLines(rows)
    // SQLite reads synchronously, so other requests get a turn between pages.
    await turn()
  }
}
