import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import {
  type ColumnKind,
  type ColumnOf,
  type ListColumn,
  type ListNoun,
  type ListRow,
  lists,
  type SortOf,
} from '../../contract/lists.ts'
import { wordOf } from '../../contract/nouns.ts'
import type { Ctx } from './context.ts'
import { notFound } from './errors.ts'
import { matches, wordsOf } from './listSearch.ts'

/** What every list is asked: search and order; an empty column is the list's own order. */
export interface Asked<N extends ListNoun> {
  search: string
  column: '' | SortOf<N>
  order: 'asc' | 'desc'
}
interface Paged {
  page: number
  per_page: number
}
type Columns<N extends ListNoun> = Partial<Record<ColumnOf<N>, RawBuilder<unknown>>>

/** What is special about a noun's list: its rows as SQL, and how one is shown. The rest says contract/lists.ts. */
export interface Plan<N extends ListNoun, Filter extends Asked<N>, Row extends { id: number }, Shown> {
  /** The table, with what is joined to it; its own columns are `table.column`. */
  table: string
  join?: string
  /** The rows that the caller sees at all. */
  scope(ctx: Ctx): Expression<SqlBool>
  /** What of them a filter leaves, beside its search. */
  where?(filter: Filter, ctx: Ctx): readonly (Expression<SqlBool> | false | undefined)[]
  /** The one text of each column that isn't one of the table's by its name; selected, sorted by and exported alike. */
  columns?(ctx: Ctx): Columns<N>
  /** What it is sorted by, where that is not what it shows. */
  sorts?: Partial<Record<SortOf<N>, RawBuilder<unknown>>>
  /** What is 1 for rows that come last, whichever way the list is sorted by a column: those that show nothing in it. */
  last?: Partial<Record<SortOf<N>, RawBuilder<unknown>>>
  /** True where a word of a search is found; else it is looked for in the columns that the list names. */
  finds?(ctx: Ctx, word: string): Expression<SqlBool>
  /** What is selected beside the columns, or in their place with `only`. */
  also?(ctx: Ctx): readonly RawBuilder<unknown>[]
  only?: string
  /** Rows as the caller reads them. */
  shown(ctx: Ctx, rows: readonly Row[]): readonly Shown[] | Promise<readonly Shown[]>
  /** What is special about its file, where it can be exported. */
  file?: FilePlan<Filter, Row>
  /** Another spelling of a noun's list: it is neither exported nor selected. */
  spelling?: true
}

/** What is special about the file of a list: what it is named after, where that is not the noun, and cells that are not what their column holds. */
export interface FilePlan<Filter, Row> {
  title?: (ctx: Ctx, filter: Filter) => string | Promise<string>
  /** What a file needs of its rows beyond what the list has. */
  more?: (ctx: Ctx, rows: readonly Row[]) => Promise<Row[]>
  cells?: Readonly<Record<string, (row: Row) => string | number | null>>
  /** The project whose figures a row tells, for lists that client users may export: their file is handed out to who still sees all of them. */
  holds?: (row: Row) => number | null
}

/** A noun's list: everything that is asked of it, from one SQL text a column. */
export interface List<N extends ListNoun, Filter extends Asked<N>, Row extends { id: number }, Shown> {
  noun: N
  /** How many match. */
  count(ctx: Ctx, filter: Omit<Filter, 'column' | 'order'>): Promise<number>
  /** The ids that match, in the order of the list: all of them, a piece, or those of some. */
  ids(ctx: Ctx, filter: Filter, piece?: { limit: number; offset: number } | { among: readonly number[] }): Promise<number[]>
  /** Some rows that the caller sees, in the order of their ids; what is gone is left out. */
  rows(ctx: Ctx, ids: readonly number[]): Promise<Row[]>
  /** A page as the caller reads it; `count` is of all that match. */
  page(ctx: Ctx, filter: Filter & Paged): Promise<{ data: Shown[]; count: number; page: number }>
  /** One row that the caller sees; throws 404. */
  row(ctx: Ctx, id: number): Promise<Row>
  /** One record as the caller reads it; throws 404. */
  get(ctx: Ctx, id: number): Promise<Shown>
  /** Every record by its name, for a choice. */
  dropdown(ctx: Ctx): Promise<{ data: { id: number; name: string }[]; count: number; page: number }>
  /** Records that the caller sees, by their names: of ids, or the newest before one. */
  named(ctx: Ctx, which: Which): Promise<{ id: number; name: string }[]>
  /** The table whose rows are its records. */
  table: string
  shown: Plan<N, Filter, Row, Shown>['shown']
  file: FilePlan<Filter, Row>
}
/** Which records to name: these, or the newest before an id. */
export type Which = { ids: readonly number[] } | { before: number; limit: number }
/** A list of whatever noun, as its export and its selection ask it. */
export type AnyList = List<ListNoun, Asked<ListNoun>, { id: number }, object>

const built = new Map<ListNoun, AnyList>()
/** The list of a noun, from the moment that its handlers are loaded; throws for one that has none. */
export function listBuilt(noun: ListNoun): AnyList {
  const list = built.get(noun)
  if (!list) throw new Error(`${noun} has no list on the server`)
  return list
}
/** Every list that is loaded. */
export const listsBuilt = (): readonly AnyList[] => [...built.values()]

/** Text sorts whatever its case; everything else as it is. */
const sorted = (kind: ColumnKind, column: RawBuilder<unknown>) => (kind === 'text' ? sql`lower(${column})` : column)
const NUMBERS: readonly ColumnKind[] = ['figure', 'money']

/** Builds a noun's list. */
export function listOf<N extends ListNoun, Filter extends Asked<N>, Row extends { id: number }, Shown>(
  noun: N,
  plan: Plan<N, Filter, Row, Shown>,
): List<N, Filter, Row, Shown> {
  const { search = [], usual, columns: declared }: ListRow = lists[noun]
  const kinds = Object.entries<ListColumn>(declared)
  const from = sql.raw(plan.join ? `${plan.table} ${plan.join}` : plan.table)
  const own = (column: string) => sql.ref(`${plan.table}.${column}`)
  const idOf = sql.ref<number>(`${plan.table}.id`)
  const columnOf = (id: string, special: Columns<N>): RawBuilder<unknown> =>
    (special as Record<string, RawBuilder<unknown> | undefined>)[id] ?? own(id)

  const matching = (ctx: Ctx, filter: Omit<Filter, 'column' | 'order'>) => {
    const columns = search.map((column) => `${plan.table}.${column}`)
    const found = plan.finds
      ? wordsOf(filter.search).map((word) => plan.finds!(ctx, word))
      : [matches(ctx.services.database, columns, filter.search)]
    const left = plan.where?.(filter as unknown as Filter, ctx).filter((one) => one !== false && one !== undefined) ?? []
    return sql.join([plan.scope(ctx), ...found, ...left], sql` and `)
  }

  const orderOf = (ctx: Ctx, { column, order }: Filter) => {
    const fromLast = !column && usual.startsWith('-')
    const by = column || usual.replace('-', '')
    const shown = columnOf(by, plan.columns?.(ctx) ?? {})
    const way = sql.raw(fromLast ? 'desc' : order)
    const special = (plan.sorts as Record<string, RawBuilder<unknown> | undefined> | undefined)?.[by]
    const blank = (plan.last as Record<string, RawBuilder<unknown> | undefined> | undefined)?.[by]
    return sql.join([...(blank ? [blank] : []), sql`${special ?? sorted(declared[by]!.kind, shown)} ${way}`, sql`${idOf} ${way}`])
  }

  const list: List<N, Filter, Row, Shown> = {
    noun,
    table: plan.table,
    shown: plan.shown,
    file: plan.file ?? {},
    async count(ctx, filter) {
      const { rows } = await sql<{ count: number }>`select count(*) as count from ${from} where ${matching(ctx, filter)}`.execute(
        ctx.db,
      )
      return Number(rows[0]!.count)
    },
    async ids(ctx, filter, piece) {
      const few = piece && 'among' in piece
      if (few && !piece.among.length) return []
      const some = few ? sql` and ${idOf} in (${sql.join(piece.among)})` : sql``
      const cut = piece && !few ? sql` limit ${piece.limit} offset ${piece.offset}` : sql``
      const { rows } = await sql<{
        id: number
      }>`select ${idOf} as id from ${from} where ${matching(ctx, filter)}${some} order by ${orderOf(ctx, filter)}${cut}`.execute(
        ctx.db,
      )
      return rows.map((row) => row.id)
    },
    async rows(ctx, ids) {
      if (!ids.length) return []
      const special = plan.columns?.(ctx) ?? {}
      const all = plan.only
        ? [sql.raw(plan.only)]
        : [...kinds.map(([id]) => sql`${columnOf(id, special)} as ${sql.ref(id)}`), ...(plan.also?.(ctx) ?? [])]
      const { rows } =
        await sql<Row>`select ${sql.join(all)} from ${from} where ${plan.scope(ctx)} and ${idOf} in (${sql.join(ids)})`.execute(
          ctx.db,
        )
      const figures = plan.only ? [] : kinds.filter(([, { kind }]) => NUMBERS.includes(kind)).map(([id]) => id)
      const found = new Map(rows.map((row) => [row.id, figures.length ? withNumbers(row, figures) : row]))
      return ids.flatMap((id) => found.get(id) ?? [])
    },
    async page(ctx, filter) {
      const { page, per_page } = filter
      const [count, ids] = await Promise.all([
        list.count(ctx, filter),
        list.ids(ctx, filter, { limit: per_page, offset: (page - 1) * per_page }),
      ])
      return { data: [...(await plan.shown(ctx, await list.rows(ctx, ids)))], count, page }
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
      const name = columnOf('name', plan.columns?.(ctx) ?? {})
      if ('ids' in which && !which.ids.length) return []
      const some = 'ids' in which ? sql`${idOf} in (${sql.join(which.ids)})` : sql`${idOf} < ${which.before}`
      const cut = 'ids' in which ? sql`` : sql` order by ${idOf} desc limit ${which.limit}`
      const { rows } = await sql<{
        id: number
        name: string
      }>`select ${idOf} as id, ${name} as name from ${from} where ${plan.scope(ctx)} and ${some}${cut}`.execute(ctx.db)
      return rows
    },
    async dropdown(ctx) {
      const name = own('name')
      const { rows } = await sql<{
        id: number
        name: string
      }>`select ${idOf} as id, ${name} as name from ${from} where ${plan.scope(ctx)} order by lower(${name}), ${idOf}`.execute(
        ctx.db,
      )
      return { data: rows, count: rows.length, page: 1 }
    },
  }
  if (!plan.spelling) built.set(noun, list as unknown as AnyList)
  return list
}

/** PostgreSQL returns a count as text. */
const withNumbers = <Row extends object>(row: Row, figures: readonly string[]): Row => ({
  ...row,
  ...Object.fromEntries(figures.map((id) => [id, Number((row as Record<string, unknown>)[id])])),
})
