import { ANONYMOUS } from '../core/caller.ts'
import type { Caller, Ctx, JobKind, JobRow, Queue, Services, Work, WorkEnd } from '../core/context.ts'
import { HttpError, WorkRefused } from '../core/errors.ts'
import { retryUntilAvailable, toHttpError } from '../core/httpErrors.ts'
import { asSystem } from '../core/unitOfWork.ts'
import { hasNoRoom, isLockTimeout } from '../db/dbErrors.ts'
import { inBackground } from '../db/statementTag.ts'
import { asTrace } from '../db/tracing.ts'
import { tellDone } from '../domain/news/tellNews.ts'
import { writeHeld } from './queue.ts'

const BEAT_EVERY = 4000
/** The pause (ms) before a job restarts after the database was unavailable. */
const WAIT_MS = 2000
/** The least time (ms) between progress events: four a second are as many as anyone can read. */
const TELL_EVERY = 250

interface Claim {
  services: Services
  how: JobKind
  queue: Queue
  row: Work
  stop: AbortController
}

/** Runs claimed work to its end, with heartbeats, progress and result; writes nothing once the claim is lost. */
export async function runJob({ services, how, queue, row, stop }: Claim): Promise<void> {
  const kind = queue.kindOf(row)
  const { title, input, by, token = null } = queue.describe(row)
  let { done = 0, total = 0 } = row as Partial<JobRow>
  let reportedAt = -TELL_EVERY
  let late: NodeJS.Timeout | undefined
  let telling: Promise<unknown> = Promise.resolve()

  /** Writes to the row while the claim holds; otherwise stops the work. */
  const hold = (change: object, say: boolean) =>
    asSystem(services, 'job.run', ANONYMOUS, async (ctx) => {
      const held = await writeHeld(ctx.tx, queue, row, { ...queue.beat?.(done, total, ctx.now), ...change })
      if (!held) stop.abort('lost')
      else if (say && !queue.many) queue.emitChange(ctx, row)
      const isDone = (change as { status?: string }).status === 'done'
      if (held && isDone && how.news && by !== null) await tellDone(ctx as Ctx, { job: row.id, kind: how.news, user: by })
    })
  const quietly = (work: () => Promise<unknown>) => {
    telling = telling
      .then(work)
      .catch((error: unknown) => services.log.warn({ err: error, job: row.id }, 'writing a job’s progress failed'))
  }
  const beat = queue.beat && setInterval(() => quietly(() => hold({}, false)), BEAT_EVERY).unref()
  const progress = (nowDone: number, nowTotal = total) => {
    done = nowDone
    total = nowTotal
    if (late) return
    late = setTimeout(
      () => {
        late = undefined
        reportedAt = performance.now()
        quietly(() => hold({}, true))
      },
      Math.max(0, reportedAt + TELL_EVERY - performance.now()),
    ).unref()
  }

  let end: WorkEnd
  try {
    const caller = await callerOf(services, by, token)
    const write: Parameters<JobKind['run']>[0]['write'] = (work) => asSystem(services, `job.${kind}`, caller, work)
    const job = { id: row.id, title, input, services, caller, signal: stop.signal, progress, write }
    const result = await inBackground(`job ${row.id} ${kind}`, () =>
      asTrace(`job ${kind}`, { 'fieldwork.job_id': row.id }, () => how.run(job)),
    )
    end = { status: 'done', result }
  } catch (error) {
    const trouble = toHttpError(services.database, error)
    const { attempts } = row
    if (error instanceof WorkRefused) end = refused(services, how, row, error)
    else if (stop.signal.aborted && stop.signal.reason === 'closing' && !how.once)
      end = { status: 'queued', attempts: attempts - 1 }
    else if (error instanceof HttpError) end = { status: 'failed', error: error.message }
    // A full disk fails the job for good, because a retry would fill it again.
    else if (hasNoRoom(error)) end = { status: 'failed', error: 'The server’s disk is full. Retry when there is room.' }
    // A lock that somebody else holds for long is no fault of the job, which waits then.
    else if (trouble?.code === 'database_damaged') end = { status: 'failed', error: trouble.message }
    else if (trouble && (how.once || (trouble.code === 'too_slow' && !isLockTimeout(error))))
      end = { status: 'failed', error: trouble.message }
    // The database failed, not the job, so the job waits.
    else if (trouble) end = { status: 'queued', attempts: attempts - 1, not_before: inMs(services, WAIT_MS) }
    else end = { status: 'failed', error: `Something went wrong on the server. Its log has the details, at job ${row.id}.` }
    if (!stop.signal.aborted && !(error instanceof HttpError) && !(error instanceof WorkRefused))
      services.log[trouble ? 'warn' : 'error'](
        { err: error, job: row.id, kind },
        trouble ? 'a job waits for the database' : 'a job failed',
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
      () => hold(queue.ended(row, end, services.now().toISOString()), true),
    )
}

const inMs = (services: Services, ms: number): string => new Date(services.now().getTime() + ms).toISOString()

/** Rejected work is retried after a growing pause, until it fails for good. */
function refused(
  services: Services,
  { pauses = [] }: JobKind,
  { attempts }: Work,
  { message, final, after }: WorkRefused,
): WorkEnd {
  const pause = final ? undefined : pauses[attempts - 1]
  return pause === undefined
    ? { status: 'failed', error: message }
    : { status: 'queued', error: message, not_before: inMs(services, Math.max(pause, after)) }
}

/** The requester with their current rights, which may have changed. */
async function callerOf(services: Services, by: number | null, token_id: number | null): Promise<Caller> {
  if (by === null) return ANONYMOUS
  const user = await services.database.db
    .selectFrom('users')
    .selectAll()
    .where('id', '=', by)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!user) throw new HttpError(403, 'forbidden', 'Its owner no longer has an account.')
  const caller: Caller = { ...ANONYMOUS, user, actor: { id: user.id, role: user.role, admin_id: null } }
  return token_id === null ? caller : { ...caller, token: await tokenOf(services, token_id) }
}

/** The token that started a job, for the history; revoking it doesn't stop the job. */
async function tokenOf(services: Services, id: number): Promise<Caller['token']> {
  const row = await services.database.db.selectFrom('api_keys').select(['name', 'grants']).where('id', '=', id).executeTakeFirst()
  return row ? { id, name: row.name, scopes: JSON.parse(row.grants) as string[], limit: null } : null
}
