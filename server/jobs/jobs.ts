import { setTimeout as delay } from 'node:timers/promises'
import { ANONYMOUS } from '../core/caller.ts'
import type { JobKind, Jobs, Queue, Services, Work } from '../core/context.ts'
import { forbidden } from '../core/errors.ts'
import { toHttpError } from '../core/httpErrors.ts'
import { foldVersions } from '../core/idCache.ts'
import { forgetPositions } from '../core/replicaReads.ts'
import { randomToken } from '../core/secrets.ts'
import { sweepTombstones } from '../core/tombstones.ts'
import { asSystem } from '../core/unitOfWork.ts'
import { withTag } from '../db/statementTag.ts'
import { addJob, cancelJob, retryJob } from './actions.ts'
import { bringForward, claimNext, claimOwn, isAnyDue, keyOf, nextDue, recoverLost } from './claim.ts'
import { JOBS } from './queue.ts'
import { runJob } from './runJob.ts'

const LOOK_EVERY = 5000
const SWEEP_EVERY = 60_000
const TICK_EVERY = 10_000
const CLOSE_WITHIN = 5000

/** The time before which events are deleted, by EVENT_MONTHS. */
function eventsSince({ settings, now }: Services): string | undefined {
  if (!settings.eventMonths) return undefined
  const since = new Date(now())
  since.setUTCMonth(since.getUTCMonth() - settings.eventMonths)
  return since.toISOString()
}

/** Opens the jobs of these kinds; `services` is a function because the services contain the jobs. */
export function openJobs(services: () => Services, table: Readonly<Record<string, JobKind>>): Jobs {
  const worker = randomToken(9)
  const kinds = new Map(Object.entries(table))
  const running = new Map<string, { kind: string; stop: AbortController; ended: Promise<void> }>()
  let closed = false
  let looking: Promise<void> | null = null
  let again = false
  let looked = false
  let sweptAt = -SWEEP_EVERY
  let unsubscribe = () => {}
  let hearing = false
  let timer: NodeJS.Timeout | undefined
  let lookAt = 0
  const ticks = new Map<string, { at: number; ended: Promise<void> | null }>()
  const closing = new AbortController()
  const untold = new Map<Queue, Work>()
  const taker = () => ({ services: services(), worker, kinds, running })

  const look = (): Promise<void> => {
    if (closed) return Promise.resolve()
    again = true
    // Its loop outlives whatever request woke it.
    looking ??= withTag('job queue', lookAround).finally(() => {
      looking = null
    })
    return looking
  }

  async function lookAround(): Promise<void> {
    let next = LOOK_EVERY
    try {
      const { database, live, now } = services()
      if (!hearing) unsubscribe = live.subscribe(debounced(lookIfNeeded))
      hearing = true
      while (again && !closed) {
        again = false
        const first = !looked
        looked = true
        await emitMany()
        const own = ownQueues()
        const queues = [JOBS as Queue, ...own.map(({ queue }) => queue)]
        for (const queue of queues) {
          await recoverLost(taker(), queue, first)
          await bringForward(taker(), queue)
        }
        if (performance.now() - sweptAt >= SWEEP_EVERY) {
          sweptAt = performance.now()
          await live.sweep(eventsSince(services()))
          await foldVersions(database)
          await forgetPositions(services())
          await sweepTombstones(database, now())
          for (const kind of kinds.values()) await kind.sweep?.(services())
        }
        for (const [kind, how] of kinds) tick(kind, how)
        for (const { kind, queue } of own)
          if ((await kinds.get(kind)?.prepare?.(services())) ?? true)
            while (!closed && (await claimOwn(taker(), kind, queue, start))) {}
        while (!closed && (await claimNext(taker(), start))) {}
        for (const queue of queues) {
          const at = await nextDue(services(), queue)
          if (at) next = Math.min(next, Math.max(20, at.getTime() - now().getTime()))
        }
      }
    } catch (error) {
      if (!closed && hearing) services().log.error({ err: error }, 'looking for jobs failed')
    }
    clearTimeout(timer)
    lookAt = performance.now() + next
    if (!closed) timer = setTimeout(look, next).unref()
  }

  const ownQueues = () => [...kinds].flatMap(([kind, { queue }]) => (queue ? [{ kind, queue }] : []))

  /** Looks after a commit if a kind of job follows these, or if it may have left work due before the next look. */
  async function lookIfNeeded(): Promise<void> {
    try {
      const { database, now } = services()
      for (const kind of kinds.values()) if (await kind.follows?.(services())) return look()
      // Commits wake their own process; other processes' jobs arrive by live events.
      const before = new Date(now().getTime() + lookAt - performance.now())
      const queues = [JOBS as Queue, ...ownQueues().map(({ queue }) => queue)]
      if (database.engine === 'postgres' && (looking || (await isAnyDue(services(), queues, before)))) return look()
    } catch (error) {
      if (!closed) services().log.warn({ err: error }, 'looking for followers of a commit failed')
    }
  }

  /** Starts a kind's tick when it is due, first after one pause. */
  function tick(kind: string, how: JobKind): void {
    if (!how.tick) return
    const known = ticks.get(kind) ?? { at: performance.now(), ended: null }
    ticks.set(kind, known)
    if (known.ended || performance.now() - known.at < TICK_EVERY) return
    known.ended = how
      .tick(services(), closing.signal)
      .then(
        () => {},
        (error: unknown) => {
          if (!closed && !toHttpError(services().database, error)) services().log.error({ err: error, kind }, 'a tick failed')
        },
      )
      .finally(() => {
        known.ended = null
        known.at = performance.now()
      })
  }

  function start(queue: Queue, row: Work): void {
    const stop = new AbortController()
    const kind = queue.kindOf(row)
    const key = keyOf(queue, row)
    const ended = runJob({ services: services(), how: kinds.get(kind)!, queue, row, stop })
      .catch((error: unknown) => services().log.error({ err: error, job: row.id, kind }, 'a job could not be ended'))
      .then(() => {
        running.delete(key)
        if (queue.many) untold.set(queue, row)
        if (!closed && isWorthPolling(kind, queue)) look()
      })
    running.set(key, { kind, stop, ended })
  }

  /** Claims small jobs only once half the capacity is free, because polling costs more than finishing one. */
  function isWorthPolling(kind: string, { many, next }: Queue): boolean {
    if (next) return true
    const busy = [...running.values()].filter((one) => one.kind === kind).length
    return !many || busy === 0 || busy === Math.floor((kinds.get(kind)?.width ?? 2) / 2)
  }

  async function emitMany(): Promise<void> {
    const rows = [...untold]
    untold.clear()
    if (rows.length)
      await asSystem(services(), 'job.told', ANONYMOUS, async (ctx) => {
        for (const [queue, row] of rows) queue.emitChange(ctx, row)
      })
  }

  timer = setTimeout(look, 20).unref()
  return {
    async add(ctx, request) {
      // A job runs with its user's full access, which exceeds such a token's.
      if (ctx.caller.token?.limit) throw forbidden('Tokens limited to some records can’t start jobs.')
      const job = await addJob(ctx, request)
      ctx.after(() => void look())
      return job
    },
    define: (kind, how) => void kinds.set(kind, how),
    kind: (kind) => kinds.get(kind),
    async cancel(ctx, job) {
      const refused = await cancelJob(ctx, job, kinds.get(job.kind))
      if (refused === null) ctx.after(() => running.get(keyOf(JOBS as Queue, job))?.stop.abort('cancelled'))
      return refused
    },
    async retry(ctx, job) {
      const refused = await retryJob(ctx, job, kinds.get(job.kind))
      if (refused === null) ctx.after(() => void look())
      return refused
    },
    async settled(id, atMost) {
      const until = performance.now() + atMost
      for (;;) {
        const job = await services().database.db.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
        if ((job.status !== 'queued' && job.status !== 'running') || performance.now() >= until) return job
        await Promise.race([running.get(`jobs ${id}`)?.ended ?? looking ?? delay(50), delay(100)])
      }
    },
    wake: () => void look(),
    async close() {
      closed = true
      clearTimeout(timer)
      unsubscribe()
      closing.abort()
      const ended = async () => {
        // A claim in progress may still start a job.
        await looking
        for (const one of running.values()) one.stop.abort('closing')
        await Promise.all([...running.values(), ...ticks.values()].map((one) => one.ended))
      }
      await Promise.race([ended(), delay(CLOSE_WITHIN, undefined, { ref: false })])
      await Promise.all([...running.values()].filter(({ kind }) => kinds.get(kind)?.finishes).map((one) => one.ended))
    },
  }
}

/** Runs once for a burst of calls. */
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
