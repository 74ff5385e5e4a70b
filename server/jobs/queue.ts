import { type SelectQueryBuilder, sql } from 'kysely'
import { ANONYMOUS } from '../core/caller.ts'
import { SKEW_MS } from '../core/clockSkew.ts'
import type { Ctx, JobRow, Queue, Services, Work } from '../core/context.ts'
import { asSystem } from '../core/unitOfWork.ts'
import type { Tx } from '../db/connect.ts'
import { locked } from '../db/locked.ts'
import type { Schema } from '../db/schema.ts'

/** A running job without a heartbeat for this long is taken from its worker. */
const LOST_AFTER = 30_000

/** Emits a job's change to its owner; the server's own jobs belong to the admins. */
export function emitJob(ctx: Pick<Ctx, 'emit'>, job: Pick<JobRow, 'id' | 'created_by'>): void {
  ctx.emit({
    noun: 'job',
    id: job.id,
    ...(job.created_by ? { audience: 'user', user_id: job.created_by } : { audience: 'admin' }),
  })
}

/** The jobs table as a queue, for kinds without a table of their own. */
export const JOBS: Queue<JobRow> = {
  table: 'jobs',
  running: 'running',
  worker: 'worker',
  kindOf: (job) => job.kind,
  describe: ({ title, input, created_by, token_id }) => ({ title, input: JSON.parse(input), by: created_by, token: token_id }),
  claimed: (worker, now) => ({
    worker,
    started_at: sql`coalesce(started_at, ${now.toISOString()})`,
    beat_at: now.toISOString(),
  }),
  holder: ({ worker }) => ({ worker }),
  lost: (now) => ({
    column: 'beat_at',
    below: new Date(now.getTime() - LOST_AFTER).toISOString(),
    above: new Date(now.getTime() + SKEW_MS).toISOString(),
  }),
  beat: (done, total, at) => ({ done, total, beat_at: at }),
  ended: (_job, end, at) => ({
    ...end,
    ...(end.status === 'done' ? { result: JSON.stringify(end.result) } : {}),
    worker: null,
    ended_at: end.status === 'queued' ? null : at,
  }),
  emitChange: emitJob,
}

/** Rows of any queue's table; the shared columns are typed as a job's. */
export const rowsOf = (queue: Queue, db: Services['database']['db']) => db.selectFrom(queue.table as 'jobs')

/** Claims the rows of a query that no one else is claiming, and returns them updated. */
export function claim<Row extends Work>(
  services: Services,
  queue: Queue<Row>,
  worker: string,
  due: (tx: Tx) => SelectQueryBuilder<Schema, 'jobs', { id: number }>,
): Promise<Row[]> {
  return asSystem(services, 'job.claim', ANONYMOUS, async (ctx) => {
    const found = await locked(services.database, due(ctx.tx), 'skip').execute()
    if (!found.length) return []
    const rows = (await ctx.tx
      .updateTable(queue.table as 'jobs')
      .set((eb) => ({
        status: queue.running as 'running',
        attempts: eb('attempts', '+', 1),
        ...queue.claimed(worker, services.now()),
      }))
      .where(
        'id',
        'in',
        found.map(({ id }) => id),
      )
      .where('status', '=', 'queued')
      .returningAll()
      .execute()) as unknown as Row[]
    if (!queue.many) for (const row of rows) queue.emitChange(ctx, row)
    return rows
  })
}

/** Writes to a row if the claim still holds; false once another worker has it. */
export async function writeHeld<Row extends Work>(tx: Tx, queue: Queue<Row>, row: Row, change: object): Promise<boolean> {
  let query = tx
    .updateTable(queue.table as 'jobs')
    .set(change)
    .where('id', '=', row.id)
    .where('status', '=', queue.running as 'running')
  for (const [column, value] of Object.entries(queue.holder(row))) query = query.where(column as 'worker', '=', value as string)
  return Number((await query.executeTakeFirstOrThrow()).numUpdatedRows) > 0
}
