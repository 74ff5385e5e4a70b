import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { ColumnKind, ListColumn, ListRow } from '../../contract/column.ts'
import { foldedWords } from '../../contract/foldText.ts'
import { lists } from '../../contract/listRows.ts'
import type { ColumnOf, ListNoun, SortOf } from '../../contract/lists.ts'
import { wordOf } from '../../contract/nounOf.ts'
import type { Database } from '../db/connect.ts'
import { byText, folded } from '../db/foldedText.ts'
import type { Ctx } from './context.ts'
import { notFound } from './errors.ts'
import { keptRows, type Listed } from './idCache.ts'
import { behind, cursorOf, keptPage, keysSelected, orderBy, type Paged, pageIn, type SortKey } from './keyset.ts'
import { type ChangeSource, changedRecords, matches } from './listSearch.ts'

/** The input of every list; an empty column is the list's own order. */
export interface ListQuery<N extends ListNoun> {
  search: string
  column: '' | SortOf<N>
  order: 'asc' | 'desc'
  /** Only records that changed at this moment or later. */
  updated_since?: string | undefined
}
type Columns<N extends ListNoun> = Partial<Record<ColumnOf<N>, RawBuilder<unknown>>>

/** What is special about a noun's list: its rows as SQL, and their shape. The nouns table has the rest. */
export interface Plan<N extends ListNoun, Filter extends ListQuery<N>, Row extends { id: number }, Shown> {
  /** The table, with its joins; refer to its own columns as `table.column`. */
  table: string
  join?: string
  /** Derives the rows, all or those of some ids, in place of a stored table of that name. */
  derives?(ctx: Ctx, ids?: readonly number[]): RawBuilder<unknown>
  /** The rows the caller may see. */
  scope(ctx: Ctx): Expression<SqlBool>
  /** Conditions of a filter, besides its search. */
  where?(filter: Filter, ctx: Ctx): readonly (Expression<SqlBool> | false | undefined)[]
  /** SQL for columns that aren't the table's own by name; used to select, sort and export. */
  columns?(ctx: Ctx, filter: Partial<Filter>): Columns<N>
  /** SQL to sort by where it differs from what a column shows. */
  sorts?: Partial<Record<SortOf<N>, RawBuilder<unknown>>>
  /** SQL for texts whose fold is stored, and indexed as it is spelled here. */
  folds?(database: Pick<Database, 'engine'>): Partial<Record<SortOf<N>, RawBuilder<unknown>>>
  /** SQL that sorts before everything else. */
  leads?(filter: Partial<Filter>): RawBuilder<unknown> | undefined
  /** SQL that is 1 for rows that sort last in either direction, because a column of theirs is empty. */
  last?: Partial<Record<SortOf<N>, RawBuilder<unknown>>>
  /** Columns that may be empty: such rows sort last in either direction. */
  empty?: readonly SortOf<N>[]
  /** What changes a record: by default its own row. A short list without an index compares its rows. */
  changed?(ctx: Ctx, since: string, filter: Partial<Filter>): readonly ChangeSource[] | RawBuilder<SqlBool>
  /** Matches a search word; by default, the list's search columns are used. */
  finds?(ctx: Ctx, word: string): Expression<SqlBool>
  /** Selected in addition to the columns, or instead of them with `only`. */
  also?(ctx: Ctx): readonly RawBuilder<unknown>[]
  only?: string
  /** The sources of cached rows, and what else they depend on; null for a caller whose rows are never cached. */
  keeps?(ctx: Ctx): { of: readonly Listed[]; key: string } | null
  /** The rows as the caller reads them. */
  shown(ctx: Ctx, rows: readonly Row[], filter?: Filter): readonly Shown[] | Promise<readonly Shown[]>
  /** What is special about its file, if it can be exported. */
  file?: FilePlan<Filter, Row>
}

/** What is special about a list's file: its title, and cells that differ from their columns. */
interface FilePlan<Filter, Row> {
  title?: (ctx: Ctx, filter: Filter) => string | Promise<string>
  /** Adds what the file needs beyond the list's rows. */
  more?: (ctx: Ctx, rows: readonly Row[], filter: Filter) => Promise<Row[]>
  cells?: Readonly<Record<string, (row: Row) => string | number | null>>
  /** The project whose figures a row shows: the file opens only for users who still see all of them. */
  holds?: (row: Row) => number | null
  /** The same for services of visitation, for all rows of a page. */
  services?: (ctx: Ctx, rows: readonly Row[]) => readonly number[] | Promise<readonly number[]>
}

/** A noun's list; each column's SQL is written once for all of these. */
export interface List<N extends ListNoun, Filter extends ListQuery<N>, Row extends { id: number }, Shown> {
  noun: N
  /** The rows that the caller sees and the filter finds, as one condition on the table. */
  matching(ctx: Ctx, filter: Omit<Filter, 'column' | 'order'>): Promise<RawBuilder<unknown>>
  /** How many rows match. */
  count(ctx: Ctx, filter: Omit<Filter, 'column' | 'order'>): Promise<number>
  /** Matching ids in the list's order: all, a slice, or those among some ids. */
  ids(ctx: Ctx, filter: Filter, piece?: { limit: number; offset: number } | { among: readonly number[] }): Promise<number[]>
  /** Rows of these ids that the caller sees, in the order of the ids; `filter` is for columns that depend on it. */
  rows(ctx: Ctx, ids: readonly number[], filter?: Filter): Promise<Row[]>
  /** A page as the caller reads it; `count` is all matches. */
  page(ctx: Ctx, filter: Filter & Paged): Promise<{ data: Shown[]; count: number; page: number }>
  /** One row that the caller sees; throws 404. */
  row(ctx: Ctx, id: number): Promise<Row>
  /** One record as the caller reads it; throws 404. */
  get(ctx: Ctx, id: number): Promise<Shown>
  /** Every record's id and name, for a dropdown. */
  dropdown(ctx: Ctx): Promise<{ data: { id: number; name: string }[]; count: number; page: number }>
  /** Names of records the caller sees: of these ids, or the newest before an id. */
  named(ctx: Ctx, which: Which): Promise<{ id: number; name: string }[]>
  /** The table of its records. */
  table: string
  shown: Plan<N, Filter, Row, Shown>['shown']
  file: FilePlan<Filter, Row>
}
/** Which records to name: these ids, or the newest before an id. */
type Which = { ids: readonly number[] } | { before: number; limit: number }
/** Any noun's list, for exports and selections. */
export type AnyList = List<ListNoun, ListQuery<ListNoun>, { id: number }, object>

const built = new Map<ListNoun, AnyList>()
/** A noun's list, once its handlers are loaded; throws if it has none. */
export function listBuilt(noun: ListNoun): AnyList {
  const list = built.get(noun)
  if (!list) throw new Error(`${noun} has no list on the server`)
  return list
}
/** All lists loaded so far. */
export const listsBuilt = (): readonly AnyList[] => [...built.values()]

/** Returns the id that a search may be, to be cast to bigint as some tables' are narrower; null for any other text. */
export const idIn = (search: string): number | null => (/^\s*[1-9]\d{0,14}\s*$/.test(search) ? Number(search) : null)
const NUMBERS: readonly ColumnKind[] = ['figure', 'money']

/** Builds a noun's list. */
export function listOf<N extends ListNoun, Filter extends ListQuery<N>, Row extends { id: number }, Shown>(
  noun: N,
  plan: Plan<N, Filter, Row, Shown>,
): List<N, Filter, Row, Shown> {
  const { search = [], usual, columns: declared }: ListRow = lists[noun]
  const kinds = Object.entries<ListColumn>(declared)
  const stored = sql.raw(plan.join ? `${plan.table} ${plan.join}` : plan.table)
  const from = (ctx: Ctx, ids?: readonly number[]): RawBuilder<unknown> =>
    plan.derives ? sql`(${plan.derives(ctx, ids)}) as ${sql.ref(plan.table)} ${sql.raw(plan.join ?? '')}` : stored
  const own = (column: string) => sql.ref(`${plan.table}.${column}`)
  const idOf = sql.ref<number>(`${plan.table}.id`)
  const columnOf = (id: string, special: Columns<N>): RawBuilder<unknown> =>
    (special as Record<string, RawBuilder<unknown> | undefined>)[id] ?? own(id)

  const matching = async (ctx: Ctx, filter: Omit<Filter, 'column' | 'order'>): Promise<RawBuilder<unknown>> => {
    const columns = search.map((column) => `${plan.table}.${column}`)
    const found = plan.finds
      ? foldedWords(filter.search).map((word) => plan.finds!(ctx, word))
      : [matches(ctx.services.database, columns, filter.search)]
    // The palette opens a record without a screen as a list search for its number.
    const id = idIn(filter.search)
    const sought = id === null ? found : [sql`(${sql.join(found, sql` and `)} or ${idOf} = cast(${id} as bigint))`]
    const left = plan.where?.(filter as unknown as Filter, ctx).filter((one) => one !== false && one !== undefined) ?? []
    const all = sql.join([plan.scope(ctx), ...sought, ...left], sql` and `)
    const since = filter.updated_since
    if (!since) return all
    const changed = plan.changed?.(ctx, since, filter as unknown as Filter)
    if (changed && 'compile' in changed) return sql`${all} and ${changed}`
    const { is, few } = await changedRecords(ctx, since, plan.table, changed)
    // The plus keeps SQLite from beginning with an index of the filter, such as all items of an activity.
    return few && ctx.services.database.engine === 'sqlite' ? sql`${is} and +(${all})` : sql`${all} and ${is}`
  }

  const orderOf = (ctx: Ctx, filter: Filter): SortKey[] => {
    const { column, order } = filter
    const fromLast = !column && usual.startsWith('-')
    const by = column || usual.replace('-', '')
    const columns = plan.columns?.(ctx, filter) as Record<string, RawBuilder<unknown> | undefined> | undefined
    const way = fromLast ? 'desc' : order
    const special = (plan.sorts as Record<string, RawBuilder<unknown> | undefined> | undefined)?.[by]
    const blank = (plan.last as Record<string, RawBuilder<unknown> | undefined> | undefined)?.[by]
    const nullsLast = (plan.empty as readonly string[] | undefined)?.includes(by) === true
    const computed = special ?? columns?.[by]
    // Databases order addresses in their own ways, too.
    const isText = declared[by]!.kind === 'text' || declared[by]!.kind === 'address'
    const text = computed ? { computed } : `"${plan.table}"."${by}"`
    const { database } = ctx.services
    const stored = (plan.folds?.(database) as Record<string, RawBuilder<unknown> | undefined> | undefined)?.[by]
    const key = isText ? (stored ?? folded(database.engine, text)) : (computed ?? own(by))
    const lead = plan.leads?.(filter)
    return [
      ...(lead ? [{ by: lead, way: 'asc', full: true } as const] : []),
      ...(blank ? [{ by: blank, way: 'asc', full: true } as const] : []),
      ...(by === 'id' && !special ? [] : [{ by: key, way, nullsLast }]),
      { by: idOf, way, full: true },
    ]
  }

  const keyOf = ({ key }: { key: string }) => `${noun} ${key}`

  async function countOf(ctx: Ctx, where: RawBuilder<unknown>): Promise<number> {
    const { rows } = await sql<{ count: number }>`select count(*) as count from ${from(ctx)} where ${where}`.execute(ctx.db)
    return Number(rows[0]!.count)
  }

  /** Matches sorted by a figure of the cached rows, in SQL's order, with the figure; null if SQL must sort. */
  async function sortedByKept(ctx: Ctx, filter: Filter, where: RawBuilder<unknown>): Promise<Figured[] | null> {
    const { column, order } = filter
    const special = plan.columns?.(ctx, filter) as Record<string, unknown> | undefined
    if (!column || !special?.[column] || plan.sorts || plan.last || plan.leads || declared[column]!.kind === 'text') return null
    if (!plan.keeps?.(ctx)) return null
    const { rows } = await sql<{ id: number }>`select ${idOf} as id from ${from(ctx)} where ${where}`.execute(ctx.db)
    const records = await list.rows(
      ctx,
      rows.map(({ id }) => id),
    )
    return records
      .map((row) => ({ id: row.id, value: valueIn(row, column) }))
      .sort((a, b) => compared(a, b, order === 'asc' ? 1 : -1))
  }

  /** The ids of the page that the caller asks for, by number or by cursor, and with `counts` all matches. */
  async function pageIds(
    ctx: Ctx,
    filter: Filter & Paged,
    where: RawBuilder<unknown>,
    counts = false,
  ): Promise<{ ids: number[]; count?: number }> {
    const { page, per_page, order } = filter
    const byKept = await sortedByKept(ctx, filter, where)
    if (byKept) {
      cursorOf(ctx, 2)
      const valuesOf = ({ value, id }: Figured) => [value, id]
      const isBehind = (row: Figured, [value, id]: readonly Figured['value'][]) =>
        compared(row, { value: value ?? null, id: Number(id) }, order === 'asc' ? 1 : -1) > 0
      return { ids: pageIn(ctx, byKept, filter, valuesOf, isBehind).map(({ id }) => id) }
    }
    const keys = orderOf(ctx, filter)
    const values = cursorOf(ctx, keys.length)
    const rest = values ? sql` and ${behind(ctx.services.database.engine, keys, values)}` : sql``
    const cut = sql`limit ${per_page + 1} offset ${values ? 0 : (page - 1) * per_page}`
    const total = counts && !values ? [sql`count(*) over () as total`] : []
    const selected = sql.join([sql`${idOf} as id`, ...keysSelected(keys), ...total])
    const { rows } = await sql<{ id: number; total?: number }>`select ${selected} from ${from(ctx)}
      where ${where}${rest} order by ${sql.join(orderBy(keys))} ${cut}`.execute(ctx.db)
    const count = rows[0]?.total
    return {
      ids: keptPage(ctx, rows, keys, per_page).map(({ id }) => id),
      ...(count === undefined ? {} : { count: Number(count) }),
    }
  }

  /** A page's ids with the number of all matches. Derived rows are counted with them, unless the page has none. */
  async function counted(
    ctx: Ctx,
    filter: Filter & Paged,
    where: RawBuilder<unknown>,
  ): Promise<{ ids: number[]; count: number }> {
    if (plan.derives) {
      const { ids, count } = await pageIds(ctx, filter, where, true)
      return { ids, count: count ?? (await countOf(ctx, where)) }
    }
    const [count, { ids }] = await Promise.all([countOf(ctx, where), pageIds(ctx, filter, where)])
    return { ids, count }
  }

  const list: List<N, Filter, Row, Shown> = {
    noun,
    table: plan.table,
    shown: plan.shown,
    file: plan.file ?? {},
    matching,
    count: async (ctx, filter) => countOf(ctx, await matching(ctx, filter)),
    async ids(ctx, filter, piece) {
      const few = piece && 'among' in piece
      if (few && !piece.among.length) return []
      const all = await matching(ctx, filter)
      const where = few ? sql`${all} and ${idOf} in (${sql.join(piece.among)})` : all
      const byKept = await sortedByKept(ctx, filter, where)
      if (byKept) {
        const ids = byKept.map(({ id }) => id)
        return piece && !few ? ids.slice(piece.offset, piece.offset + piece.limit) : ids
      }
      const cut = piece && !few ? sql` limit ${piece.limit} offset ${piece.offset}` : sql``
      const { rows } = await sql<{
        id: number
      }>`select ${idOf} as id from ${from(ctx)} where ${where} order by ${sql.join(orderBy(orderOf(ctx, filter)))}${cut}`.execute(
        ctx.db,
      )
      return rows.map((row) => row.id)
    },
    async rows(ctx, ids, filter) {
      if (!ids.length) return []
      const caching = plan.keeps?.(ctx)
      const found = caching
        ? await keptRows(ctx, caching.of, keyOf(caching), ids, read)
        : new Map((await read(ids)).map((row) => [row.id, row]))
      return ids.flatMap((id) => found.get(id) ?? [])

      async function read(some: readonly number[]): Promise<Row[]> {
        const special = plan.columns?.(ctx, filter ?? {}) ?? {}
        const all = plan.only
          ? [sql.raw(plan.only)]
          : [...kinds.map(([id]) => sql`${columnOf(id, special)} as ${sql.ref(id)}`), ...(plan.also?.(ctx) ?? [])]
        const { rows } =
          await sql<Row>`select ${sql.join(all)} from ${from(ctx, some)} where ${plan.scope(ctx)} and ${idOf} in (${sql.join(some)})`.execute(
            ctx.db,
          )
        const figures = plan.only ? [] : kinds.filter(([, { kind }]) => NUMBERS.includes(kind)).map(([id]) => id)
        return figures.length ? rows.map((row) => withNumbers(row, figures)) : rows
      }
    },
    async page(ctx, filter) {
      const where = await matching(ctx, filter)
      const { count, ids } = await counted(ctx, filter, where)
      return { data: [...(await plan.shown(ctx, await list.rows(ctx, ids, filter), filter))], count, page: filter.page }
    },
    async row(ctx, id) {
      const [row] = await list.rows(ctx, [id])
      if (!row) throw notFound(`This ${wordOf(noun)}`)
      return row
    },
    async get(ctx, id) {
      const [record] = await plan.shown(ctx, [await list.row(ctx, id)])
      return record!
    },
    async named(ctx, which) {
      const name = columnOf('name', plan.columns?.(ctx, {}) ?? {})
      if ('ids' in which && !which.ids.length) return []
      const some = 'ids' in which ? sql`${idOf} in (${sql.join(which.ids)})` : sql`${idOf} < ${which.before}`
      const cut = 'ids' in which ? sql`` : sql` order by ${idOf} desc limit ${which.limit}`
      const { rows } = await sql<{
        id: number
        name: string
      }>`select ${idOf} as id, ${name} as name from ${from(ctx)} where ${plan.scope(ctx)} and ${some}${cut}`.execute(ctx.db)
      return rows
    },
    async dropdown(ctx) {
      const name = own('name')
      const { rows } = await sql<{
        id: number
        name: string
      }>`select ${idOf} as id, ${name} as name from ${from(ctx)} where ${plan.scope(ctx)} order by ${byText(ctx.db, `"${plan.table}"."name"`)}, ${idOf}`.execute(
        ctx.db,
      )
      return { data: rows, count: rows.length, page: 1 }
    },
  }
  built.set(noun, list as unknown as AnyList)
  return list
}

/** PostgreSQL returns counts as text; an empty figure stays empty. */
const withNumbers = <Row extends object>(row: Row, figures: readonly string[]): Row => ({
  ...row,
  ...Object.fromEntries(figures.map((id) => [id, numberOf((row as Record<string, unknown>)[id])])),
})
const valueIn = (row: object, column: string) => (row as Record<string, string | number | null>)[column] ?? null
/** A record's id, and the figure or moment that it is sorted by. */
interface Figured {
  id: number
  value: string | number | null
}
/** Compares by figure or moment, then by id; an empty one is last in either direction. */
function compared({ value: a, id }: Figured, { value: b, id: other }: Figured, way: 1 | -1): number {
  if (a === b) return (id - other) * way
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  return a < b ? -way : way
}
const numberOf = (value: unknown) => (value === null ? null : Number(value))
