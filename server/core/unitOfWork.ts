import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isAdmin, seesAll } from '../../contract/actor.ts'
import type { CallId } from '../../contract/calls.ts'
import { FORESEEN_HEADER } from '../../contract/headers.ts'
import { civilToday } from '../../contract/pacing.ts'
import { insertMany, type Tx, transact } from '../db/connect.ts'
import { PRIVATE } from './change.ts'
import type { Ctx, CursorValue, HistoryLine, Services } from './context.ts'
import { holdsOf } from './copyHolds.ts'
import { unauthorized } from './errors.ts'
import type { AnyHandler } from './handler.ts'
import { afterIdempotent, type IdempotencyRecord, keepAnswer, type ReplayHolds, writeIdempotent } from './idempotency.ts'
import type { Change } from './ports.ts'
import { assertAsForeseen, type Foreseen, MOST_LISTED, nameRaised } from './recordVersions.ts'
import { noteWrite } from './replicaReads.ts'
import { withRights } from './rightsWatch.ts'
import { noteDeletions } from './tombstones.ts'
import { Recorder } from './undo/changeRecorder.ts'
import { earlierChangeSet, storeChangeSet, sweepChanges } from './undo/changeSets.ts'

/** A call about to run, from which its context is built. */
export interface Draft {
  /** True after the first commit of a call with its own transactions. */
  saved?: boolean
  attempt?: IdempotencyRecord | null
  /** The request's idempotency record for this input. */
  attemptFor?: (input: unknown) => IdempotencyRecord | null
  /** What a replayed response holds, which its caller must still see; false for any other. */
  replayed?: ReplayHolds | false
  /** The caller can undo what it changes. */
  undo?: true | undefined
  /** Runs the write and rolls it back: see `dryRun`. */
  dry?: boolean
  /** The records that it changes, if its sender compares them with what was reviewed. */
  foreseen?: Foreseen | undefined
  services: Services
  call: string
  input: unknown
  caller: Ctx['caller']
  request: FastifyRequest
  reply: FastifyReply
  /** Its body, if it is read line by line. */
  lines: Readable | null
  /** What the last record before the caller's cursor is sorted by, and the last one of the page that was read. */
  cursor?: readonly CursorValue[] | null
  end?: readonly CursorValue[] | null
}
interface Writing {
  tx: Tx
  changes: Change[]
  lines: HistoryLine[]
  /** Former values of records, by noun and id. */
  previous: Map<string, Record<string, unknown>>
  later: (() => unknown)[]
}

let minute = { zone: '', at: 0, day: '' }
/** The civil day in a zone, computed once a minute, because formatting a date costs more than many a query. */
function todayIn(zone: string, moment: Date): string {
  const at = Math.floor(moment.getTime() / 60_000)
  if (minute.at !== at || minute.zone !== zone) minute = { zone, at, day: civilToday(zone, moment) }
  return minute.day
}

/** Builds a handler's context; without a transaction it can only read. */
export function contextOf(draft: Draft, writing: Writing | null): Ctx {
  const { services, caller } = draft
  const moment = services.now()
  const inWrite = () => {
    if (!writing) throw new Error(`${draft.call} writes outside a transaction`)
    return writing
  }
  const notePrevious = (noun: string, id: number, before: object) => {
    const { previous } = inWrite()
    const shown = Object.entries(before).filter(([name]) => !PRIVATE.test(name))
    if (shown.length) previous.set(`${noun} ${id}`, { ...Object.fromEntries(shown), ...previous.get(`${noun} ${id}`) })
  }
  return {
    ...draft,
    dry: draft.dry === true,
    cursor: draft.cursor ?? null,
    endsAt(values) {
      draft.end = values
    },
    ...(draft.dry ? { reply: NO_REPLY } : {}),
    get actor() {
      if (!caller.actor) throw unauthorized()
      return caller.actor
    },
    get user() {
      if (!caller.user) throw unauthorized()
      return caller.user
    },
    get tx() {
      return inWrite().tx
    },
    db: writing?.tx ?? services.database.db,
    dropped: [],
    cleared: [],
    get wrote() {
      return !writing || writing.lines.length + writing.changes.length + writing.later.length > 0
    },
    now: moment.toISOString(),
    today: todayIn(services.settings.timeZone, moment),
    async record(oneOrMore) {
      const writing = inWrite()
      const lines = Array.isArray(oneOrMore) ? (oneOrMore as readonly HistoryLine[]) : [oneOrMore as HistoryLine]
      writing.lines.push(...lines)
      for (const { subject, subject_id, before } of lines) if (before) notePrevious(subject, subject_id, before)
      const { actor, partner } = caller
      const rows = lines.map((line) => ({
        subject: line.subject,
        subject_id: line.subject_id,
        project_id: line.project_id ?? (line.subject === 'project' ? line.subject_id : null),
        action: line.action ?? draft.call,
        origin: line.origin ?? (partner ? 'channel_partner' : actor && !isAdmin(actor) ? 'client' : 'event'),
        actor_id: line.actor_id ?? actor?.id ?? null,
        admin_id: actor?.admin_id ?? null,
        token_id: caller.token?.id ?? null,
        partner_id: line.partner_id ?? partner?.partner_id ?? null,
        before: JSON.stringify(line.before ?? {}),
        after: JSON.stringify(line.after ?? {}),
        reason: line.reason ?? '',
        at: moment.toISOString(),
      }))
      await insertMany(writing.tx, 'history', rows)
    },
    notePrevious,
    emit(change) {
      inWrite().changes.push(change)
    },
    after(work) {
      inWrite().later.push(work)
    },
    async write(work) {
      const done = await inTransaction(draft, work as unknown as AnyHandler)
      draft.saved = !draft.dry
      return done as never
    },
    async writeIdempotent(input, work) {
      const attempt = draft.attemptFor?.(input) ?? null
      const named: Draft = { ...draft, attempt }
      const answer = await inTransaction(named, work as unknown as AnyHandler)
      draft.saved = !draft.dry
      draft.replayed = named.replayed ?? false
      const keep = async (other: unknown) => {
        if (attempt && !draft.dry) await keepAnswer(services, attempt, other)
      }
      return { answer: answer as never, replayed: (named.replayed ?? false) !== false, keep }
    },
  }
}

/** Calls that undo or redo a token's own write, which was watched when it was made. */
const OWN_WRITES: ReadonlySet<string> = new Set<CallId>(['undo.take', 'undo.redo'])

/** A request's transaction; a token's is watched for what it has no right to. Jobs have their owner's access. */
const watched = (tx: Tx, { call, caller, request }: Draft): Tx =>
  caller.token && request && !OWN_WRITES.has(call) ? withRights(tx, call, caller.token) : tx

/** Carries a dry run's result out of its rolled-back transaction. */
class DryRunResult {
  readonly answer: unknown
  constructor(answer: unknown) {
    this.answer = answer
  }
}

/** Ignores the headers of a dry run: a session that isn't opened sets no cookie. */
const NO_REPLY = { header() {}, headers() {}, removeHeader() {}, sent: false } as unknown as FastifyReply

/**
 * Runs a write with all its checks, then rolls it back: no row, history, event, mail or job remains.
 * Nothing runs after the commit, and the request's idempotency key isn't used up.
 */
async function dryRun(draft: Draft, work: AnyHandler): Promise<unknown> {
  const { services, foreseen } = draft
  try {
    return await transact(services.database, async (plain) => {
      const tx = watched(plain, draft)
      const recorder = foreseen ? new Recorder(tx, services.database.engine, MOST_LISTED[FORESEEN_HEADER] + 1) : null
      const writing: Writing = { tx: recorder?.tx ?? tx, changes: [], lines: [], previous: new Map(), later: [] }
      const answer = await work(contextOf(draft, writing) as Ctx<never>)
      if (foreseen) foreseen.found = recorder!.versions()
      throw new DryRunResult(answer)
    })
  } catch (came) {
    if (came instanceof DryRunResult) return came.answer
    throw came
  }
}

/** Runs a write in one transaction with its history, live events and change set, then what follows the commit. */
export async function inTransaction(draft: Draft, work: AnyHandler): Promise<unknown> {
  if (draft.dry) return dryRun(draft, work)
  const { services, foreseen } = draft
  const compares = foreseen !== undefined && !foreseen.compared
  const later: (() => unknown)[] = []
  let replayed: ReplayHolds | false = false
  const {
    result: answer,
    ids,
    undo,
    raised,
  } = await transact(services.database, async (plain) => {
    const tx = watched(plain, draft)
    later.length = 0
    // Follow row by row what can be undone.
    const recorder = draft.undo && draft.caller.actor ? new Recorder(tx, services.database.engine) : null
    const watcher = recorder ?? (compares ? new Recorder(tx, services.database.engine, MOST_LISTED[FORESEEN_HEADER] + 1) : null)
    const writing: Writing = { tx: watcher?.tx ?? tx, changes: [], lines: [], previous: new Map(), later }
    const ctx = contextOf(draft, writing)
    const doIt = async () => {
      const result = await work(ctx as Ctx<never>)
      if (compares) assertAsForeseen(foreseen, watcher!.versions())
      return result
    }
    let result: unknown
    if (draft.attempt)
      ({ answer: result, replayed } = await writeIdempotent(tx, draft.attempt, services.now().toISOString(), doIt, () => ({
        all: draft.caller.actor !== null && seesAll(draft.caller.actor),
        ...holdsOf(writing.changes),
      })))
    else result = await doIt()
    // An undo doesn't take it back, because people may have read it.
    if (writing.lines.length)
      await services.tellNews(plain, {
        ...{ caller: draft.caller, lines: writing.lines, now: ctx.now, today: ctx.today },
        ...{ zone: services.settings.timeZone, emit: ctx.emit },
      })
    const undo = recorder && (await undoOf(draft, tx, recorder, writing, replayed !== false))
    const events = writing.changes.map((change) => ({
      ...change,
      before: writing.previous.get(`${change.noun} ${change.id}`) ?? {},
    }))
    await noteDeletions(plain, writing.changes, ctx.now, OWN_WRITES.has(draft.call) || draft.call.endsWith('.restore'))
    // Last, because every write waits for the lock of the events, and its holder must not wait for anything.
    // At the time of the write, so that a record that it made is recognized by its `created_at`.
    const ids = await services.live.append(tx, events, draft.caller.session?.id ?? null, ctx.now, draft.call)
    if (ids) later.push(() => services.live.wake(ids[1]))
    return { result, ids, undo, raised: recorder?.raised() ?? [] }
  })
  if (foreseen) foreseen.compared = true
  later.unshift(() => noteWrite(services, draft.caller))
  if (undo !== null) {
    draft.reply.header('x-undo', String(undo))
    later.push(() => sweepChanges(services))
  }
  // The page that wrote them skips its own events by these ids.
  // Anonymous callers don't get them: they would reveal whether an account exists.
  if (ids && draft.caller.session && draft.reply && !draft.reply.sent) {
    draft.reply.header('x-live-own', ids.join('-'))
    nameRaised(draft.reply, raised)
  }
  draft.replayed = replayed
  if (draft.attempt) later.push(() => afterIdempotent(services, draft.reply, replayed !== false))
  for (const work of later) {
    try {
      await work()
    } catch (error) {
      services.log.error({ err: error, call: draft.call }, 'work after a commit failed')
    }
  }
  return answer
}

/** The change set that undoes this write; for a replayed write, the first one's. */
async function undoOf(draft: Draft, tx: Tx, recorder: Recorder, { lines, changes }: Writing, replayed: boolean) {
  const { call, caller, attempt, services } = draft
  if (replayed && attempt) return earlierChangeSet(tx, attempt.user_id, attempt.key)
  const now = services.now().toISOString()
  return storeChangeSet(tx, recorder, { call, caller, key: attempt?.key ?? '', now, lines, events: changes })
}

/** Runs the server's own work (a job, a dispatcher) like a call, with history and live events, on behalf of `actor`. */
export function asSystem<T>(
  services: Services,
  name: string,
  caller: Ctx['caller'],
  work: (ctx: Ctx<undefined>) => Promise<T>,
): Promise<T> {
  const draft = { services, call: name, input: undefined, caller, request: null as never, reply: null as never, lines: null }
  return inTransaction(draft, work as unknown as AnyHandler) as Promise<T>
}

/** A read-only context for a caller outside of a request, such as an export job. */
export function readingAs(services: Services, name: string, caller: Ctx['caller']): Ctx<undefined> {
  return contextOf(
    { services, call: name, input: undefined, caller, request: null as never, reply: null as never, lines: null },
    null,
  ) as Ctx<undefined>
}
