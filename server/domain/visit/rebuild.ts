import { sql } from 'kysely'
import type { JobKind, Services } from '../../core/context.ts'
import { type Database, type Db, type Tx, transact } from '../../db/connect.ts'
import { advisoryLock } from '../../db/locked.ts'
import { clockOf, dateOf } from './clock.ts'
import { noteRebuilt } from './rebuilt.ts'
import { closedBefore, keepVisits } from './retention.ts'
import { dayNumberOf } from './serviceList.ts'
import { recountDays } from './store.ts'

/** A civil month of a service, from its first to its last day. */
interface Part {
  service_id: number
  brand_id: number
  first: number
  last: number
}

/** The months to recount: every month of every service with raw visits. */
async function partsToRebuild(db: Db, only?: number): Promise<Part[]> {
  const closed = await closedBefore(db)
  const { rows } = await sql<{ service_id: number; brand_id: number; first: number; last: number }>`
    select services.id as service_id, brand_id, min(day) as first, max(day) as last
      from services join visit_days on service_id = services.id group by services.id, brand_id order by services.id`.execute(db)
  const parts: Part[] = []
  for (const { service_id, brand_id, first, last } of rows) {
    if (only !== undefined && service_id !== only) continue
    // In another time zone, a visit may have been on the day before or after.
    let day = Math.max(Number(first) - 1, closed === null ? Number.NEGATIVE_INFINITY : dayNumberOf(closed))
    while (day <= Number(last) + 1) {
      const next = monthAfter(day)
      parts.push({ service_id, brand_id, first: day, last: next - 1 })
      day = next
    }
  }
  return parts
}

function monthAfter(day: number): number {
  const [year, month] = dateOf(day).split('-').map(Number) as [number, number]
  return Date.UTC(year, month, 1) / 86_400_000
}
const monthOf = (day: number): number => dayNumberOf(`${dateOf(day).slice(0, 7)}-01`)

/** The key of `meta` for a job's progress: the last part it counted, and in which time zone. */
const PLACE_ROW = 'visits.rebuild_at'
interface Place extends Pick<Part, 'service_id' | 'first'> {
  job: number
  timeZone: string
}

/** The last part counted before a job was interrupted; null to start from the first. */
async function placeOf(db: Db, job: number | undefined, timeZone: string): Promise<Place | null> {
  if (job === undefined) return null
  const row = await db.selectFrom('meta').select('value').where('key', '=', PLACE_ROW).executeTakeFirst()
  const place = row && (JSON.parse(row.value) as Place)
  return place?.job === job && place.timeZone === timeZone ? place : null
}

async function notePlace(tx: Tx, place: Place): Promise<void> {
  const value = JSON.stringify(place)
  await tx
    .insertInto('meta')
    .values({ key: PLACE_ROW, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute()
}

/** Recounts a month of a service from its visits and marks it for the roll-ups; records a job's progress. */
async function rebuildPart(database: Database, part: Part, timeZone: string, job?: number): Promise<void> {
  const { service_id, brand_id, first, last } = part
  await transact(database, async (tx) => {
    await advisoryLock(database, tx, 'visits', service_id)
    const of = <T extends 'visit_cells' | 'visit_leaves' | 'visit_days'>(table: T) =>
      tx
        .deleteFrom(table as 'visit_days')
        .where('service_id', '=', service_id)
        .where('day', '>=', first)
        .where('day', '<=', last)
    const before = await tx
      .selectFrom('visit_days')
      .select('day')
      .where('service_id', '=', service_id)
      .where('day', '>=', first)
      .where('day', '<=', last)
      .execute()
    for (const table of ['visit_cells', 'visit_leaves', 'visit_days'] as const) await of(table).execute()
    await sql`delete from visit_venue_days where day >= ${first} and day <= ${last}
      and venue_id in (select id from venues where service_id = ${service_id})`.execute(tx)
    await recountDays(database, tx, service_id, { first, last }, clockOf(timeZone))
    const month = monthOf(first)
    const marks = [
      { scope: 'service' as const, scope_id: service_id, month, removed: 0 },
      { scope: 'brand' as const, scope_id: brand_id, month, removed: 1 },
      { scope: 'all' as const, scope_id: 0, month, removed: 1 },
    ]
    await noteRebuilt(tx)
    if (job !== undefined) await notePlace(tx, { job, timeZone, service_id, first })
    if (!before.length) return
    for (const table of ['visit_rollups', 'visit_packs'] as const)
      await tx
        .deleteFrom(table as 'visit_rollups')
        .where('scope', '=', 'service')
        .where('scope_id', '=', service_id)
        .where('start_day', '>=', month)
        .where('start_day', '<=', last)
        .execute()
    for (const { day } of before)
      await tx
        .insertInto('visit_stale')
        .values({ service_id, day })
        .onConflict((conflict) => conflict.columns(['service_id', 'day']).doUpdateSet({ day }))
        .execute()
    for (const mark of marks)
      await tx
        .insertInto('visit_stale_months')
        .values(mark)
        .onConflict((conflict) => conflict.columns(['scope', 'scope_id', 'month']).doUpdateSet({ removed: mark.removed }))
        .execute()
  })
}

/** Updates the service's own sums after its days were recounted. */
async function sumUp(database: Database, service_id: number): Promise<void> {
  await transact(database, async (tx) => {
    await advisoryLock(database, tx, 'visits', service_id)
    const service = await tx.selectFrom('services').selectAll().where('id', '=', service_id).executeTakeFirstOrThrow()
    const days = await tx.selectFrom('visit_days').selectAll().where('service_id', '=', service_id).execute()
    const [start, end] = [dayNumberOf(service.start_dt), service.end_dt ? dayNumberOf(service.end_dt) : Number.POSITIVE_INFINITY]
    const within = days.filter(({ day }) => day >= start && day <= end)
    await tx
      .updateTable('services')
      .set({
        completed: within.reduce((sum, { visits }) => sum + Number(visits), 0),
        first_day: days.length ? Math.min(...days.map(({ day }) => Number(day))) : null,
      })
      .where('id', '=', service_id)
      .execute()
  })
}

/** Options of a rebuild: a single service, how to stop it, and the job to resume. */
interface Which {
  only?: number
  signal?: AbortSignal
  job?: number
}

/** Recounts all raw visits; an interrupted job resumes after the last part it counted. */
export async function rebuildVisits(
  { database, timeZone }: { database: Database; timeZone: string },
  progress: (done: number, total: number) => void = () => {},
  { only, signal, job }: Which = {},
): Promise<number> {
  const parts = await partsToRebuild(database.db, only)
  const place = await placeOf(database.db, job, timeZone)
  if (place && parts.some(({ service_id }) => service_id === place.service_id)) await sumUp(database, place.service_id)
  for (const [at, part] of parts.entries()) {
    signal?.throwIfAborted()
    if (!place || isAfter(part, place)) {
      await rebuildPart(database, part, timeZone, job)
      if (parts[at + 1]?.service_id !== part.service_id) await sumUp(database, part.service_id)
    }
    progress(at + 1, parts.length)
  }
  return new Set(parts.map(({ service_id }) => service_id)).size
}
const isAfter = (part: Part, place: Place): boolean =>
  part.service_id > place.service_id || (part.service_id === place.service_id && part.first > place.first)

/** Recounts raw visits; its sweep deletes those past their retention. */
export const visitsKind: JobKind = {
  again: true,
  width: 1,
  sweep: keepVisits,
  async run(job) {
    const { services } = job
    const done = await rebuildVisits(of(services), job.progress.bind(job), { signal: job.signal, job: job.id })
    return { services: done }
  },
}
const of = ({ database, settings }: Services) => ({ database, timeZone: settings.timeZone })
