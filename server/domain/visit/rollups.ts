import { performance } from 'node:perf_hooks'
import { sql } from 'kysely'
import { civilToday } from '../../../contract/pacing.ts'
import type { JobKind, Services } from '../../core/context.ts'
import { type Db, transact } from '../../db/connect.ts'
import { ADVISORY_LOCKS } from '../../db/locked.ts'
import { getOrInsert } from '../runtime/getOrInsert.ts'
import { insertBulk } from '../runtime/insertBulk.ts'
import { daysWithVisits, HELD, heldServices, monthsWithVisits } from './cover.ts'
import { noteLeft, noteRemade } from './leftServices.ts'
import { monthAfter, monthOf } from './range.ts'
import { Rebuilt, sameSince, timesRebuilt } from './rebuilt.ts'
import { rollDay, type World, worldOf } from './rollDay.ts'
import { rollAllMonth, rollServiceMonth } from './rollMonth.ts'
import { dayNumberOf } from './sums.ts'
import { packVenueMonth, rollVenueMonth, VENUES } from './venuePacks.ts'
import { warmPeriods } from './warm.ts'

/** How long a run works (ms) before other jobs get their turn. */
const AT_MOST = 20_000

/** Runs work in one process at a time; returns false without running it if another process is at it. */
async function alone({ database }: Pick<Services, 'database'>, work: () => Promise<void>): Promise<boolean> {
  if (database.engine === 'sqlite') {
    await work()
    return true
  }
  return database.onOneSession(async (held) => {
    const { rows } = await sql<{ mine: boolean }>`select pg_try_advisory_lock(${ADVISORY_LOCKS.rollups}::int, 0) as mine`.execute(
      held,
    )
    if (!rows[0]?.mine) return false
    try {
      await work()
    } finally {
      await sql`select pg_advisory_unlock(${ADVISORY_LOCKS.rollups}::int, 0)`.execute(held)
    }
    return true
  })
}

const busy = new WeakMap<Services, Promise<boolean>>()

/**
 * Rolls up marked days, newest first, then months that are over.
 * Ends once nothing is left, the time is up or the server stops.
 * What is left stays marked, and reads are correct without it.
 */
export async function rollUp(services: Services, today: string, signal?: AbortSignal): Promise<void> {
  while (busy.has(services)) await busy.get(services)
  const until = performance.now() + AT_MOST
  const stopped = () => signal?.aborted === true
  const over = () => stopped() || performance.now() > until
  const run = alone(services, () => everything(services, dayNumberOf(today), over, stopped).catch(unlessRebuilt))
  busy.set(services, run)
  try {
    await run
  } finally {
    busy.delete(services)
  }
}

/** Ignores a rebuild in between: what it rebuilt is marked, so the next run rolls it up. */
function unlessRebuilt(error: unknown): void {
  if (!(error instanceof Rebuilt)) throw error
}

async function everything(services: Services, today: number, over: () => boolean, stopped: () => boolean): Promise<void> {
  const { db } = services.database
  const world = await worldOf(db)
  await noteChangedServices(services, world)
  // A month that includes a removed service, or lacks a new one, is rolled up again.
  for (const [month, brands] of await changedMonths(db)) {
    if (over()) return
    // A month that was begun is finished, however long it takes: the next run would begin it again.
    await remakeMonth(services, world, month, brands, stopped)
    if (!stopped() && month < monthOf(today)) await rollAllMonth(services, month)
  }
  for (;;) {
    const newest = await db.selectFrom('visit_stale').select('day').orderBy('day', 'desc').limit(1).executeTakeFirst()
    if (!newest || over()) break
    await rollDay(services, world, Number(newest.day))
  }
  const unpacked = await db
    .selectFrom('visit_stale_months')
    .select('month')
    .where('scope', '=', VENUES.scope)
    .where('removed', '=', 1)
    .orderBy('month', 'desc')
    .execute()
  for (const { month } of unpacked) {
    if (over()) return
    await packVenueMonth(services, Number(month))
  }
  await rollMonths(services, today, over)
}

/** Marks the months of services removed since the last run, and the days of new ones. */
async function noteChangedServices({ database }: Services, { brands }: World): Promise<void> {
  const held = await heldServices(database.db)
  const came = [...brands.keys()].filter((service) => !held.has(service))
  const gone = [...held].filter(([service]) => !brands.has(service))
  if (!came.length && !gone.length) return
  const rows: (string | number)[][] = []
  for (const [service, brand] of gone)
    for (const month of await monthsWithVisits(database.db, [service]))
      rows.push(['all', 0, month, 1], ['brand', brand, month, 1])
  const once = [...new Map(rows.map((row) => [row.join(' '), row])).values()]
  await transact(database, async (tx) => {
    await insertBulk(database, tx, {
      table: 'visit_stale',
      columns: { service_id: 'int', day: 'int' },
      rows: (await daysWithVisits(tx, came)).map(({ service_id, day }) => [service_id, day]),
      onConflict: '(service_id, day) do nothing',
    })
    await insertBulk(database, tx, {
      table: 'visit_stale_months',
      columns: { scope: 'text', scope_id: 'int', month: 'int', removed: 'int' },
      rows: once,
      onConflict: '(scope, scope_id, month) do update set removed = 1',
    })
    const leaving = gone.map(([service]) => service)
    await noteLeft(tx, await daysWithVisits(tx, leaving), came)
    const value = JSON.stringify([...brands])
    await tx
      .insertInto('meta')
      .values({ key: HELD, value })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
      .execute()
  })
}

/** Months to roll up again, newest first, each with the brands whose services changed. */
async function changedMonths(db: Db): Promise<[month: number, brands: ReadonlySet<number>][]> {
  const rows = await db
    .selectFrom('visit_stale_months')
    .selectAll()
    .where('removed', '=', 1)
    .where('scope', '<>', VENUES.scope)
    .execute()
  const months = new Map<number, Set<number>>()
  for (const { scope, scope_id, month } of rows) {
    const brands = getOrInsert(months, Number(month), () => new Set<number>())
    if (scope === 'brand') brands.add(scope_id)
  }
  return [...months].sort(([a], [b]) => b - a)
}

async function remakeMonth(
  services: Services,
  world: World,
  month: number,
  brands: ReadonlySet<number>,
  stopped: () => boolean,
): Promise<void> {
  const { database } = services
  const times = await timesRebuilt(database.db)
  const days = await database.db
    .selectFrom('visit_days')
    .select('day')
    .distinct()
    .where('day', '>=', month)
    .where('day', '<', monthAfter(month))
    .orderBy('day')
    .execute()
  for (const { day } of days) {
    if (stopped()) return
    await rollDay(services, world, Number(day), brands)
  }
  await transact(database, async (tx) => {
    await tx.deleteFrom('visit_stale_months').where('scope', '=', 'brand').where('month', '=', month).execute()
    await tx
      .updateTable('visit_stale_months')
      .set({ removed: 0 })
      .where('month', '=', month)
      .where('removed', '=', 1)
      .where('scope', '<>', VENUES.scope)
      .execute()
    await noteRemade(tx, { month })
    await sameSince(tx, times)
  })
}

/** Rolls up months that are over: services first, then all brands, then venues. */
async function rollMonths(services: Services, today: number, over: () => boolean): Promise<void> {
  const { db } = services.database
  const marked = await db
    .selectFrom('visit_stale_months')
    .selectAll()
    .where('month', '<', monthOf(today))
    .where('removed', '=', 0)
    .orderBy('month', 'desc')
    .execute()
  for (const scope of ['service', 'all', 'venues'] as const)
    for (const { scope: of, scope_id, month } of marked) {
      if (of !== scope) continue
      if (over()) return
      if (scope === 'service') await rollServiceMonth(services, scope_id, Number(month))
      else if (scope === 'all') await rollAllMonth(services, Number(month))
      else await rollVenueMonth(services, Number(month))
    }
}

/** True if there is anything to roll up. */
export async function isBehind({ database: { db } }: Pick<Services, 'database'>, today: string): Promise<boolean> {
  if (await db.selectFrom('visit_stale').select('day').limit(1).executeTakeFirst()) return true
  const month = await db
    .selectFrom('visit_stale_months')
    .select('month')
    .where((eb) => eb.or([eb('month', '<', monthOf(dayNumberOf(today))), eb('removed', '=', 1)]))
    .limit(1)
    .executeTakeFirst()
  if (month) return true
  const held = await heldServices(db)
  const { brands } = await worldOf(db)
  return held.size !== brands.size || [...brands.keys()].some((id) => !held.has(id))
}

/** Has no jobs of its own: every ten seconds it rolls up what is marked, and merges long periods in advance. */
export const rollupKind: JobKind = {
  run: async () => ({}),
  async tick(services, signal) {
    const today = civilToday(services.settings.timeZone, services.now())
    if (await isBehind(services, today)) await rollUp(services, today, signal)
    if (!signal.aborted) await warmPeriods(services, today, signal)
  },
}
