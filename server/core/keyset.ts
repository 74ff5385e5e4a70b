import { type Expression, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { Engine } from '../db/connect.ts'
import type { Ctx, CursorValue } from './context.ts'
import { invalid } from './errors.ts'

/** One of the values that a list is sorted by; the last one is unique. */
export interface SortKey {
  by: Expression<unknown>
  way: 'asc' | 'desc'
  /** Rows without a value are last in either direction; otherwise they are where the engine puts them. */
  nullsLast?: boolean
  /** Every row has a value, such as an id. */
  full?: true
}
/** The page that a caller asks for. */
export interface Paged {
  page: number
  per_page: number
}
type Walking = Pick<Ctx, 'cursor' | 'endsAt' | 'services'>

/** SQL for the order by these keys. */
export const orderBy = (keys: readonly SortKey[]): RawBuilder<unknown>[] =>
  keys.map(({ by, way, nullsLast }) => sql`${by} ${sql.raw(way)}${nullsLast ? sql` nulls last` : sql``}`)

/** SQL that is true for the rows behind these values, in the order of the keys. */
export function behind(
  engine: Engine,
  [key, ...rest]: readonly SortKey[],
  [value, ...others]: readonly CursorValue[],
): RawBuilder<SqlBool> {
  const { by, way, nullsLast, full } = key!
  const areNullsLast = nullsLast || (engine === 'postgres' ? way === 'asc' : way === 'desc')
  const sign = sql.raw(way === 'asc' ? '>' : '<')
  const isEmpty = value === null || value === undefined
  const later = isEmpty
    ? sql<SqlBool>`${by} is ${sql.raw(areNullsLast ? 'null and 1 = 0' : 'not null')}`
    : areNullsLast && !full
      ? sql<SqlBool>`${by} ${sign} ${value} or ${by} is null`
      : sql<SqlBool>`${by} ${sign} ${value}`
  if (!rest.length) return sql<SqlBool>`(${later})`
  const same = isEmpty ? sql`${by} is null` : sql`${by} = ${value}`
  return sql<SqlBool>`(${later} or (${same} and ${behind(engine, rest, others)}))`
}

/** The values of the cursor that the caller sent, of which a list needs this many; throws a 422 for any other. */
export function cursorOf({ cursor }: Pick<Ctx, 'cursor'>, many: number): readonly CursorValue[] | null {
  if (cursor && cursor.length !== many) throw invalid('cursor', 'cursor is not one of this list')
  return cursor
}

/** SQL that selects the keys of a row, for `keptPage`. */
export const keysSelected = (keys: readonly SortKey[]): RawBuilder<unknown>[] =>
  keys.map(({ by }, at) => sql`${by} as ${sql.ref(`key_${at}`)}`)

/** Of one row more than a page, the page; notes where the next one begins. */
export function keptPage<R extends object>(ctx: Walking, rows: readonly R[], keys: readonly SortKey[], per_page: number): R[] {
  const shown = rows.slice(0, per_page)
  const last = rows.length > per_page ? (shown.at(-1) as Record<string, CursorValue>) : undefined
  ctx.endsAt(last ? keys.map((_, at) => last[`key_${at}`] ?? null) : null)
  return shown.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => !/^key_\d$/.test(name))) as R)
}

/** The page of a query that the caller asks for, by number or by cursor, sorted by these keys. */
export async function pageOf<DB, TB extends keyof DB, O extends object>(
  ctx: Walking,
  query: SelectQueryBuilder<DB, TB, O>,
  keys: readonly SortKey[],
  { page, per_page }: Paged,
): Promise<O[]> {
  const { engine } = ctx.services.database
  const values = cursorOf(ctx, keys.length)
  let selected = query.select(keys.map(({ by }, at) => sql`${by}`.as(`key_${at}`))) as typeof query
  if (values) selected = selected.where(behind(engine, keys, values))
  for (const one of orderBy(keys)) selected = selected.orderBy(one)
  const rows = await selected
    .limit(per_page + 1)
    .offset(values ? 0 : (page - 1) * per_page)
    .execute()
  return keptPage(ctx, rows as O[], keys, per_page)
}

/** The same of rows that are already sorted in memory. */
export function pageIn<R>(
  ctx: Walking,
  rows: readonly R[],
  { page, per_page }: Paged,
  valuesOf: (row: R) => readonly CursorValue[],
  isBehind: (row: R, values: readonly CursorValue[]) => boolean,
): R[] {
  const { cursor } = ctx
  const found = cursor ? rows.findIndex((row) => isBehind(row, cursor)) : (page - 1) * per_page
  const from = found < 0 ? rows.length : found
  const shown = rows.slice(from, from + per_page)
  ctx.endsAt(rows.length > from + per_page ? valuesOf(shown.at(-1)!) : null)
  return shown
}
