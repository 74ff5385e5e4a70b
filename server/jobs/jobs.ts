import type { Selectable } from 'kysely'
import type { Caller, Ctx, House } from '../context.ts'
import type { JobTable } from '../db/schema.ts'
import { asSystem } from '../mount.ts'
import { NOBODY } from '../nobody.ts'
import { randomToken } from '../secrets.ts'
import { KINDS } from './kinds.ts'
import { runJob, tell } from './running.ts'

export type JobRow = Selectable<JobTable>

/** What is to be done, kept as a row until it is done. */
export interface NewJob {
  kind: string
  /** What the Jobs pane calls it. */
  title: string
  /** Plain JSON: the job may run after a restart, in another process. */
  input: object
  /** ISO time before which it does not begin. */
  notBefore?: string
}

/** A job while it runs. */
export interface RunningJob {
  id: number
  title: string
  /** What `add` was given. */
  input: unknown
  house: House
  /** Who asked for it, as they are now; nobody for the server's own jobs. */
  caller: Caller
  /** Aborted when it is cancelled, when its claim is lost and when the server ends. */
  signal: AbortSignal
  /** How far it is; written and told at most four times a second. */
  progress(done: number, total?: number): void
  /** A write with history and live events, in the name of who asked. */
  write<T>(work: (ctx: Ctx<undefined>) => Promise<T>): Promise<T>
}

/** What a kind of job does, and how it is held. */
export interface JobKind {
  /** Answers what the job's row keeps as its result. Must bear being begun again after a kill, unless `once`. */
  run(job: RunningJob): Promise<object>
  /** A killed one is not begun again but ends with a reason. */
  once?: true
  /** May be begun again after it failed or was cancelled: what it does twice is done once. Never for what pays or mails. */
  again?: true
  /** May only be cancelled before it starts. */
  untilStart?: true
  /** Undoes, in the cancelling transaction, what was claimed when it was added. */
  cancelled?(ctx: Ctx, job: JobRow): Promise<void>
  /** Looks for what a killed process left behind; run at the start and every minute. */
  sweep?(house: House): Promise<unknown>
  /** How many of the kind run at a time in one process; 2 unless told. */
  width?: number
}

/** Long work, kept in rows: each job runs in one process only, and outlives the process that took it. */
export interface Jobs {
  /** Adds a job in the call's transaction; it begins after the commit. */
  add(ctx: Ctx, job: NewJob): Promise<JobRow>
  /** Teaches this process a kind of job; a job of an unknown kind waits for a process that knows it. */
  define(kind: string, how: JobKind): void
  /** Cancels one in the call's transaction; answers the sentence that says why not, or null. */
  cancel(ctx: Ctx, job: JobRow): Promise<string | null>
  /** Queues one that failed or was cancelled again, in the call's transaction; answers the sentence that says why not, or null. */
  retry(ctx: Ctx, job: JobRow): Promise<string | null>
  /** Waits until a job has ended, at most so many milliseconds; answers its row as it is then. */
  settled(id: number, atMost: number): Promise<JobRow>
  /** Something may be waiting: looks at once. */
  wake(): void
  /** Takes no more, asks those that run to stop, and gives them back to the queue. */
  close(): Promise<void>
}

/** A running job that gave no sign of life for so long is taken from its worker. */
const LOST_AFTER = 30_000
const LOOK_EVERY = 5000
/** A job that took its process down so often is not begun again. */
const TRIES = 3
const SWEEP_EVERY = 60_000
const CLOSE_WITHIN = 5000

/** Opens the jobs; `house` is asked for when it is first needed, as the house holds the jobs too. */
export function openJobs(house: () => House, table: Record<string, JobKind> = KINDS): Jobs {
  const worker = randomToken(9)
  const kinds = new Map(Object.entries(table))
  const running = new Map<number, { kind: string; stop: AbortController; ended: Promise<void> }>()
  let closed = false
  let looking: Promise<void> | null = null
  let again = false
  let sweptOwn = false
  let sweptAt = 0
  let deaf = () => {}
  let hearing = false
  let timer: NodeJS.Timeout | undefined

  const look = (): Promise<void> => {
    if (closed) return Promise.resolve()
    again = true
    looking ??= lookAround().finally(() => {
      looking = null
    })
    return looking
  }

  async function lookAround(): Promise<void> {
    let next = LOOK_EVERY
    try {
      const { database, live, now } = house()
      // In one process the commits wake us; another process's jobs are heard by their live events.
      if (!hearing && database.engine === 'postgres') deaf = live.hear(debounced(look))
      hearing = true
      while (again && !closed) {
        again = false
        await takeUpLost()
        if (Date.now() - sweptAt >= SWEEP_EVERY) {
          sweptAt = Date.now()
          await live.sweep()
          for (const kind of kinds.values()) await kind.sweep?.(house())
        }
        while (!closed && (await claimOne())) {}
        const waiting = await database.db
          .selectFrom('jobs')
          .select((eb) => eb.fn.min('not_before').as('at'))
          .where('status', '=', 'queued')
          .where('not_before', '>', now().toISOString())
          .executeTakeFirst()
        if (waiting?.at) next = Math.min(next, Math.max(20, Date.parse(waiting.at) - now().getTime()))
      }
    } catch (error) {
      if (!closed && hearing) house().log.error({ err: error }, 'looking for jobs failed')
    }
    clearTimeout(timer)
    if (!closed) timer = setTimeout(look, next).unref()
  }

  /** Jobs whose worker died: begun again, or ended with a reason. */
  async function takeUpLost(): Promise<void> {
    const { database, now } = house()
    let query = database.db.selectFrom('jobs').selectAll().where('status', '=', 'running')
    // SQLite has one process: whatever another one left running is dead already.
    const everyStranger = database.engine === 'sqlite' && !sweptOwn
    sweptOwn = true
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
      await asSystem(house(), 'job.takeUp', NOBODY, async (ctx) => {
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

  /** Claims the oldest job that is due and of a kind that has room; false when there is none. */
  async function claimOne(): Promise<boolean> {
    const { database, now } = house()
    const busy = (kind: string) => [...running.values()].filter((one) => one.kind === kind).length
    const open = [...kinds].filter(([kind, how]) => busy(kind) < (how.width ?? 2)).map(([kind]) => kind)
    if (!open.length) return false
    const at = now().toISOString()
    const due = await database.db
      .selectFrom('jobs')
      .select('id')
      .where('status', '=', 'queued')
      .where('not_before', '<=', at)
      .where('kind', 'in', open)
      .orderBy('id')
      .limit(1)
      .executeTakeFirst()
    if (!due) return false
    const claimed = await asSystem(house(), 'job.claim', NOBODY, async (ctx) => {
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

  function start(job: JobRow): void {
    const stop = new AbortController()
    const ended = runJob({ house: house(), how: kinds.get(job.kind)!, job, worker, stop })
      .catch((error: unknown) => house().log.error({ err: error, job: job.id }, 'a job could not be ended'))
      .then(() => {
        running.delete(job.id)
        if (!closed) look()
      })
    running.set(job.id, { kind: job.kind, stop, ended })
  }

  timer = setTimeout(look, 20).unref()
  return {
    async add(ctx, { kind, title, input, notBefore }) {
      const values = {
        kind,
        title,
        input: JSON.stringify(input),
        status: 'queued' as const,
        result: '{}',
        error: '',
        created_by: ctx.caller.actor?.id ?? null,
        created_at: ctx.now,
        not_before: notBefore ?? ctx.now,
      }
      const job = await ctx.tx.insertInto('jobs').values(values).returningAll().executeTakeFirstOrThrow()
      tell(ctx, job)
      ctx.after(() => void look())
      return job
    },
    define: (kind, how) => void kinds.set(kind, how),
    async cancel(ctx, job) {
      const how = kinds.get(job.kind)
      const from = how?.untilStart ? (['queued'] as const) : (['queued', 'running'] as const)
      const done = await ctx.tx
        .updateTable('jobs')
        .set({ status: 'cancelled', worker: null, ended_at: ctx.now })
        .where('id', '=', job.id)
        .where('status', 'in', from)
        .executeTakeFirst()
      if (!Number(done.numUpdatedRows))
        return how?.untilStart && job.status !== 'cancelled'
          ? 'It has started already and cannot be undone.'
          : 'It has ended already.'
      await how?.cancelled?.(ctx, job)
      tell(ctx, job)
      ctx.after(() => running.get(job.id)?.stop.abort('cancelled'))
      return null
    },
    async retry(ctx, job) {
      if (!kinds.get(job.kind)?.again) return 'This kind of job can’t be begun again.'
      const begun = await ctx.tx
        .updateTable('jobs')
        .set({
          status: 'queued',
          done: 0,
          total: 0,
          attempts: 0,
          error: '',
          result: '{}',
          worker: null,
          beat_at: null,
          started_at: null,
          ended_at: null,
          not_before: ctx.now,
        })
        .where('id', '=', job.id)
        .where('status', 'in', ['failed', 'cancelled'])
        .executeTakeFirst()
      if (!Number(begun.numUpdatedRows))
        return job.status === 'done' ? 'It is done: there is nothing to begin again.' : 'It is on its way already.'
      tell(ctx, job)
      ctx.after(() => void look())
      return null
    },
    async settled(id, atMost) {
      const until = Date.now() + atMost
      for (;;) {
        const job = await house().database.db.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
        if ((job.status !== 'queued' && job.status !== 'running') || Date.now() >= until) return job
        await Promise.race([running.get(id)?.ended ?? looking ?? delay(50), delay(100)])
      }
    },
    wake: () => void look(),
    async close() {
      closed = true
      clearTimeout(timer)
      deaf()
      const ended = async () => {
        // Who is looking may still start one.
        await looking
        for (const one of running.values()) one.stop.abort('closing')
        await Promise.all([...running.values()].map((one) => one.ended))
      }
      await Promise.race([ended(), delay(CLOSE_WITHIN)])
    },
  }
}

const delay = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms).unref())

/** Once for a burst of calls. */
function debounced(work: () => unknown): () => void {
  let waiting = false
  return () => {
    if (waiting) return
    waiting = true
    setTimeout(() => {
      waiting = false
      work()
    }, 100).unref()
  }
}
