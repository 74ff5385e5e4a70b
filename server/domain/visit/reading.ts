import { performance } from 'node:perf_hooks'
import { setImmediate as turn } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import { MESSAGES } from '../../../contract/messages.ts'
import type { Ctx } from '../../core/context.ts'
import { HttpError } from '../../core/errors.ts'
import { toHttpError } from '../../core/httpErrors.ts'
import { type Database, type Db, txOf } from '../../db/connect.ts'
import { settingsOf } from '../organization.ts'

/** A read of figures: one snapshot on PostgreSQL, and a time limit on both engines. */
export interface Reading {
  database: Database
  db: Db
  engine: Database['engine']
  /** True within a write transaction, whose reads may not be cached. */
  isWrite: boolean
  /** Yields to other work, and throws once the time is up. */
  turn(): Promise<void>
}

const timedOut = () => new HttpError(504, 'timed_out', MESSAGES.visitsTimedOut)

/** Runs a read within the organization's time limit: 504 past it, and 500 with the page's message if it fails. */
export async function inTime<T>(
  ctx: Pick<Ctx, 'services' | 'db' | 'call'>,
  work: (reading: Reading) => Promise<T>,
  limitSeconds?: number,
): Promise<T> {
  const { database, log } = ctx.services
  try {
    const seconds = limitSeconds ?? (await settingsOf(ctx.db)).visits_timeout_seconds
    const end = performance.now() + seconds * 1000
    const within = (db: Db, isWrite: boolean): Reading => ({
      database,
      db,
      isWrite,
      engine: database.engine,
      async turn() {
        await turn()
        if (performance.now() > end) throw timedOut()
      },
    })
    // A write (such as starting an export) already has a transaction.
    if (database.engine === 'sqlite' || ctx.db.isTransaction) return await work(within(ctx.db, ctx.db.isTransaction))
    return await ctx.db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute(async (tx) => {
        const limit = String(Math.max(1, Math.round(seconds * 1000)))
        await sql`select set_config('statement_timeout', ${limit}, true), set_config('jit', 'off', true)`.execute(tx)
        return work(within(txOf(tx), false))
      })
  } catch (error) {
    if (error instanceof HttpError) throw error
    if (database.isSlow(error)) throw timedOut()
    const trouble = toHttpError(database, error)
    if (trouble) throw trouble
    log.error({ err: error, call: ctx.call }, 'a read of visits failed')
    throw new HttpError(500, 'internal', MESSAGES.visitsFailed)
  }
}

/** Rows of one service or scope in one market, over a range of days. */
export type Key = readonly [id: number, market: number, from: number, to: number]

/** The table of keyed rows: cells, leaves, or roll-ups of a scope and period. */
export type Source = 'visit_cells' | 'visit_leaves' | { scope: 'all' | 'brand' | 'service'; period: 'd' | 'm' }

/**
 * Reads rows by ranges of their key in one statement, so that each range is a short scan of the primary key.
 * On PostgreSQL `offset 0` enforces that; otherwise it might read the whole table.
 */
export async function rowsBy<R>(
  { db, engine }: Pick<Reading, 'db' | 'engine'>,
  source: Source,
  keys: readonly Key[],
  columns: RawBuilder<unknown>,
  tail: RawBuilder<unknown> = sql``,
): Promise<R[]> {
  if (!keys.length) return []
  const table = sql.table(typeof source === 'string' ? source : 'visit_rollups')
  const where = (id: RawBuilder<unknown>, market: RawBuilder<unknown>, from: RawBuilder<unknown>, to: RawBuilder<unknown>) =>
    typeof source === 'string'
      ? sql`t.service_id = ${id} and t.dma = ${market} and t.day between ${from} and ${to}`
      : sql`t.scope = ${source.scope} and t.scope_id = ${id} and t.market = ${market} and t.period = ${source.period} and t.start_day between ${from} and ${to}`
  if (engine === 'sqlite') {
    const at = (place: number) => sql.raw(`(k.value ->> ${place})`)
    const { rows } = await sql<R>`
      select ${columns} from json_each(${JSON.stringify(keys)}) k cross join ${table} t
      where ${where(at(0), at(1), at(2), at(3))} ${tail}`.execute(db)
    return rows
  }
  const list = (place: number) => sql`${keys.map((key) => key[place])}::bigint[]`
  const { rows } = await sql<R>`
    select ${columns} from unnest(${list(0)}, ${list(1)}, ${list(2)}, ${list(3)}) as k(id, market, first, last)
    cross join lateral (
      select * from ${table} t where ${where(sql.raw('k.id'), sql.raw('k.market'), sql.raw('k.first'), sql.raw('k.last'))} offset 0
    ) t ${tail}`.execute(db)
  return rows
}

/** The most rows with sets in memory at a time. */
const ROWS = 3000

/** Splits keys into parts of at most as many rows as one read takes; a key of more days is split. */
export function* chunks(keys: readonly Key[], most = ROWS): Generator<Key[]> {
  let part: Key[] = []
  let rows = 0
  for (const key of shorter(keys, most)) {
    const more = key[3] - key[2] + 1
    if (part.length && rows + more > most) {
      yield part
      part = []
      rows = 0
    }
    part.push(key)
    rows += more
  }
  if (part.length) yield part
}

function* shorter(keys: readonly Key[], most: number): Generator<Key> {
  for (const [id, market, from, to] of keys)
    for (let day = from; day <= to; day += most) yield [id, market, day, Math.min(to, day + most - 1)]
}
