import { ANONYMOUS } from '../core/caller.ts'
import type { Caller, Ctx, JobKind, JobRow, Services } from '../core/context.ts'
import { HttpError } from '../core/errors.ts'
import { retryUntilAvailable, toHttpError } from '../core/httpErrors.ts'
import { asSystem } from '../core/unit.ts'
import { hasNoRoom } from '../db/dbErrors.ts'

const BEAT_EVERY = 4000
/** The pause before a job starts again after the database became unavailable. */
const WAIT_MS = 2000
/** Four times a second is as often as anybody can read. */
const TELL_EVERY = 250

interface Claim {
  services: Services
  how: JobKind
  job: JobRow
  worker: string
  stop: AbortController
}

/** Tells a job's owner that it changed; the server's own jobs are the admins'. */
export function tell(ctx: Pick<Ctx, 'emit'>, job: Pick<JobRow, 'id' | 'created_by'>): void {
  ctx.emit({
    noun: 'job',
    id: job.id,
    ...(job.created_by ? { audience: 'user', user_id: job.created_by } : { audience: 'admin' }),
  })
}

/** Runs a claimed job to its end: signs of life, progress, result; writes nothing once the claim is lost. */
export async function runJob({ services, how, job, worker, stop }: Claim): Promise<void> {
  let done = job.done
  let total = job.total
  let told = 0
  let late: NodeJS.Timeout | undefined
  let telling: Promise<unknown> = Promise.resolve()

  /** Writes to the row while it is still ours; the job stops when it is not. */
  const hold = (
    change: Partial<Pick<JobRow, 'status' | 'result' | 'error' | 'ended_at' | 'worker' | 'attempts' | 'not_before'>>,
    say: boolean,
  ) =>
    asSystem(services, 'job.run', ANONYMOUS, async (ctx) => {
      const held = await ctx.tx
        .updateTable('jobs')
        .set({ done, total, beat_at: ctx.now, ...change })
        .where('id', '=', job.id)
        .where('worker', '=', worker)
        .where('status', '=', 'running')
        .executeTakeFirst()
      if (!Number(held.numUpdatedRows)) stop.abort('lost')
      else if (say) tell(ctx, job)
    })
  const quietly = (work: () => Promise<unknown>) => {
    telling = telling
      .then(work)
      .catch((error: unknown) => services.log.warn({ err: error, job: job.id }, 'a job could not say how far it is'))
  }
  const beat = setInterval(() => quietly(() => hold({}, false)), BEAT_EVERY).unref()
  const progress = (nowDone: number, nowTotal = total) => {
    done = nowDone
    total = nowTotal
    if (late) return
    late = setTimeout(
      () => {
        late = undefined
        told = Date.now()
        quietly(() => hold({}, true))
      },
      Math.max(0, told + TELL_EVERY - Date.now()),
    ).unref()
  }

  let end: Parameters<typeof hold>[0]
  try {
    const caller = await callerOf(services, job)
    const write: Parameters<JobKind['run']>[0]['write'] = (work) => asSystem(services, `job.${job.kind}`, caller, work)
    const result = await how.run({
      id: job.id,
      title: job.title,
      input: JSON.parse(job.input),
      services,
      caller,
      signal: stop.signal,
      progress,
      write,
    })
    end = { status: 'done', result: JSON.stringify(result) }
  } catch (error) {
    const trouble = toHttpError(services.database, error)
    if (stop.signal.aborted && stop.signal.reason === 'closing' && !how.once)
      end = { status: 'queued', attempts: job.attempts - 1 }
    else if (error instanceof HttpError) end = { status: 'failed', error: error.message }
    // A file that found no room fails with that reason: tried again by itself it would fill the disk once more.
    else if (hasNoRoom(error)) end = { status: 'failed', error: 'The server’s disk is full: begin it again when there is room.' }
    else if (trouble && (how.once || trouble.code === 'too_slow')) end = { status: 'failed', error: trouble.message }
    // The database is in trouble, and the job has done nothing wrong: it waits.
    else if (trouble)
      end = {
        status: 'queued',
        attempts: job.attempts - 1,
        not_before: new Date(services.now().getTime() + WAIT_MS).toISOString(),
      }
    else end = { status: 'failed', error: `Something went wrong on the server; its log says what, at job ${job.id}.` }
    if (!stop.signal.aborted && !(error instanceof HttpError))
      services.log[trouble ? 'warn' : 'error'](
        { err: error, job: job.id, kind: job.kind },
        trouble ? 'a job waits' : 'a job failed',
      )
  } finally {
    clearInterval(beat)
    clearTimeout(late)
  }
  await telling
  if (stop.signal.reason !== 'cancelled')
    await retryUntilAvailable(
      services.database,
      () => stop.signal.reason === 'closing',
      () => hold({ ...end, worker: null, ended_at: end.status === 'queued' ? null : services.now().toISOString() }, true),
    )
}

/** Who asked for a job, as they are now: what they may do may have changed since. */
async function callerOf(services: Services, job: JobRow): Promise<Caller> {
  if (job.created_by === null) return ANONYMOUS
  const user = await services.database.db
    .selectFrom('users')
    .selectAll()
    .where('id', '=', job.created_by)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!user) throw new HttpError(403, 'forbidden', 'Whoever asked for it has no account any more.')
  return { ...ANONYMOUS, user, actor: { id: user.id, role: user.role, admin_id: null } }
}
