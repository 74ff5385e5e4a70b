import { setImmediate as turn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { NewVenue } from '../../../contract/service.ts'
import type { Ctx, JobKind, RunningJob } from '../../core/context.ts'
import { insertMany } from '../../db/connect.ts'
import { advisoryLock } from '../../db/locked.ts'
import { venueRows } from './venueRows.ts'
import { emitBrand } from './write.ts'

/** Venues added in one transaction. */
const BATCH = 500
/** Days for which a finished job's rows are kept, so that a retry can add the rest. */
const KEPT_DAYS = 7

interface NamedService {
  id: number
  name: string
  brand_id: number
}

/** Stores a new service's venues for a job that adds them after the commit; returns its id. */
export async function addVenuesLater(
  ctx: Ctx,
  { id, name, brand_id }: NamedService,
  venues: readonly NewVenue[],
): Promise<number> {
  const input = { service_id: id, brand_id }
  const job = await ctx.services.jobs.add(ctx, { kind: 'venues', title: `Venues of ${name}`, input })
  for (let first = 0; first < venues.length; first += BATCH) {
    const some = venues.slice(first, first + BATCH)
    // Raw SQL keeps an undo from following it: rows can't revert what the job has started.
    await sql`insert into venue_batches (job_id, first, service_id, size, venues)
      values (${job.id}, ${first}, ${id}, ${some.length}, ${JSON.stringify(some)})`.execute(ctx.tx)
  }
  return job.id
}

/** Adds the next venues of a job; returns how many it has processed so far, or null after the last. */
function addNext({ id, input, write, services }: RunningJob): Promise<number | null> {
  const { service_id, brand_id } = input as { service_id: number; brand_id: number }
  return write(async (ctx) => {
    const { tx } = ctx
    await advisoryLock(services.database, tx, 'visits', service_id)
    const batch = await tx
      .selectFrom('venue_batches')
      .selectAll()
      .where('job_id', '=', id)
      .where('added', 'is', null)
      .orderBy('first')
      .limit(1)
      .executeTakeFirst()
    if (!batch) return null
    const rows = venueRows(ctx, service_id, JSON.parse(batch.venues) as NewVenue[])
    const known = await tx
      .selectFrom('venues')
      .select('code')
      .where('service_id', '=', service_id)
      .where('deleted_at', 'is', null)
      .where(
        'code',
        'in',
        rows.map(({ code }) => code),
      )
      .execute()
    const there = new Set(known.map(({ code }) => code))
    const added = rows.filter(({ code }) => !there.has(code))
    await insertMany(tx, 'venues', added)
    await tx
      .updateTable('venue_batches')
      .set({ added: added.length, venues: '' })
      .where('job_id', '=', id)
      .where('first', '=', batch.first)
      .execute()
    ctx.emit({ noun: 'service', id: service_id })
    emitBrand(ctx, brand_id)
    return Number(batch.first) + Number(batch.size)
  })
}

/**
 * Adds the venues of a new service in several transactions, so that others can write in between.
 * A restarted job continues where it stopped; a venue that visits have created meanwhile stays as it is.
 */
export const venuesKind: JobKind = {
  again: true,
  async run(job) {
    const { db } = job.services.database
    const batches = () =>
      db
        .selectFrom('venue_batches')
        .select((eb) => [eb.fn.sum('size').as('size'), eb.fn.sum('added').as('added')])
        .where('job_id', '=', job.id)
        .executeTakeFirstOrThrow()
    const total = Number((await batches()).size ?? 0)
    for (;;) {
      job.signal.throwIfAborted()
      const done = await addNext(job)
      if (done === null) break
      job.progress(done, total)
      // SQLite calls never yield, so other requests get their turn here.
      await turn()
    }
    const added = Number((await batches()).added ?? 0)
    return { service_id: (job.input as { service_id: number }).service_id, venues: added, known: total - added }
  },
  async cancelled(ctx, { input }) {
    const { service_id, brand_id } = JSON.parse(input) as { service_id: number; brand_id: number }
    ctx.emit({ noun: 'service', id: service_id })
    emitBrand(ctx, brand_id)
  },
  async sweep({ database, now }) {
    const before = new Date(now().getTime() - KEPT_DAYS * 86_400_000).toISOString()
    await sql`delete from venue_batches where job_id in
      (select id from jobs where kind = 'venues' and ended_at < ${before})`.execute(database.db)
  },
}
