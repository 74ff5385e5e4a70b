import { ANONYMOUS } from '../core/caller.ts'
import type { JobKind, JobRow, Services } from '../core/context.ts'
import { asSystem } from '../core/unit.ts'
import { tell } from './worker.ts'

/** A running job without a heartbeat for this long is taken from its worker. */
const LOST_AFTER = 30_000
/** A job whose process died this often is not started again. */
const TRIES = 3

/** A process that takes jobs: its name among the workers, what it knows to do, and what it does now. */
interface Taker {
  services: Services
  worker: string
  kinds: ReadonlyMap<string, JobKind>
  running: ReadonlyMap<number, { kind: string }>
}

/** Jobs whose worker died: begun again, or ended with a reason; `first` is the first look of this process. */
export async function takeUpLost({ services, worker, kinds, running }: Taker, first: boolean): Promise<void> {
  const { database, now } = services
  let query = database.db.selectFrom('jobs').selectAll().where('status', '=', 'running')
  // SQLite has one process: whatever another one left running is dead already.
  const everyStranger = database.engine === 'sqlite' && first
  query = everyStranger
    ? query.where((eb) => eb.or([eb('worker', 'is', null), eb('worker', '!=', worker)]))
    : query.where('beat_at', '<', new Date(now().getTime() - LOST_AFTER).toISOString())
  for (const job of await query.execute()) {
    const kind = kinds.get(job.kind)
    if (!kind || running.has(job.id)) continue
    const fault = kind.once
      ? 'The server stopped while it ran.'
      : job.attempts >= TRIES
        ? `The server stopped ${job.attempts} times while it ran.`
        : null
    await asSystem(services, 'job.takeUp', ANONYMOUS, async (ctx) => {
      const change = fault
        ? { status: 'failed' as const, error: fault, worker: null, ended_at: ctx.now }
        : { status: 'queued' as const, worker: null }
      const taken = await ctx.tx
        .updateTable('jobs')
        .set(change)
        .where('id', '=', job.id)
        .where('status', '=', 'running')
        .where('beat_at', job.beat_at === null ? 'is' : '=', job.beat_at)
        .executeTakeFirst()
      if (Number(taken.numUpdatedRows)) tell(ctx, job)
    })
  }
}

/**
 * Claims and starts a due job of a kind with free capacity; returns false if there is none. People take turns: first
 * the person with the fewest running jobs, then the oldest job, so that one person's four hundred exports hold up
 * nobody.
 */
export async function claimNext({ services, worker, kinds, running }: Taker, start: (job: JobRow) => void): Promise<boolean> {
  const { database, now } = services
  const busy = (kind: string) => [...running.values()].filter((one) => one.kind === kind).length
  const open = [...kinds].filter(([kind, how]) => busy(kind) < (how.width ?? 2)).map(([kind]) => kind)
  if (!open.length) return false
  const at = now().toISOString()
  const due = await database.db
    .selectFrom('jobs')
    .leftJoin(
      (eb) =>
        eb
          .selectFrom('jobs')
          .select(({ fn, val }) => [fn.coalesce('created_by', val(0)).as('person'), fn.countAll<number>().as('busy')])
          .where('status', '=', 'running')
          .groupBy('person')
          .as('people'),
      (join) => join.on('people.person', '=', (eb) => eb.fn.coalesce('jobs.created_by', eb.val(0))),
    )
    .select('jobs.id')
    .where('jobs.status', '=', 'queued')
    .where('jobs.not_before', '<=', at)
    .where('jobs.kind', 'in', open)
    .orderBy((eb) => eb.fn.coalesce('people.busy', eb.val(0)))
    .orderBy('jobs.id')
    .limit(1)
    .executeTakeFirst()
  if (!due) return false
  const claimed = await asSystem(services, 'job.claim', ANONYMOUS, async (ctx) => {
    const claim = ctx.tx.updateTable('jobs').set((eb) => ({
      status: 'running' as const,
      worker,
      attempts: eb('attempts', '+', 1),
      started_at: eb.fn.coalesce('started_at', eb.val(at)),
      beat_at: at,
    }))
    const row = await claim.where('id', '=', due.id).where('status', '=', 'queued').returningAll().executeTakeFirst()
    if (row) tell(ctx, row)
    return row
  })
  // Somebody else was quicker: there may be another one.
  if (claimed) start(claimed)
  return true
}
