import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { civilToday } from '../../contract/pacing.ts'
import { insertMany, type Tx, transact } from '../db/connect.ts'
import type { Ctx, HistoryLine, House } from './context.ts'
import type { AnyHandler } from './handler.ts'
import { type Attempt, afterOnce, keepAnswer, once } from './once.ts'
import type { Change } from './ports.ts'
import { unauthorized } from './refusal.ts'
import { keepChanges, keptBefore, sweepChanges } from './undo/keep.ts'
import { Recorder } from './undo/record.ts'

/** A call that is about to be made: what its context is built from. */
export interface Draft {
  /** True from the first commit of a call that brings its own transactions. */
  saved?: boolean
  attempt?: Attempt | null
  /** The attempt that the request names, of what was said. */
  attemptFor?: (said: unknown) => Attempt | null
  /** True once the attempt was found done before. */
  replayed?: boolean
  /** What it changes can be undone by its caller. */
  undo?: true | undefined
  house: House
  call: string
  input: unknown
  caller: Ctx['caller']
  request: FastifyRequest
  reply: FastifyReply
  /** Its body, where that is read line by line. */
  lines: Readable | null
}
interface Writing {
  tx: Tx
  changes: Change[]
  lines: HistoryLine[]
  later: (() => unknown)[]
}

/** Builds a handler's context; without a transaction it can only read. */
export function contextOf(draft: Draft, writing: Writing | null): Ctx {
  const { house, caller } = draft
  const moment = house.now()
  const inWrite = () => {
    if (!writing) throw new Error(`${draft.call} writes outside a transaction`)
    return writing
  }
  return {
    ...draft,
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
    db: writing?.tx ?? house.database.db,
    now: moment.toISOString(),
    today: civilToday(house.settings.timeZone, moment),
    async record(given) {
      const writing = inWrite()
      const lines = Array.isArray(given) ? (given as readonly HistoryLine[]) : [given as HistoryLine]
      writing.lines.push(...lines)
      const { actor, partner } = caller
      const rows = lines.map((line) => ({
        subject: line.subject,
        subject_id: line.subject_id,
        project_id: line.project_id ?? (line.subject === 'project' ? line.subject_id : null),
        action: line.action ?? draft.call,
        origin: line.origin ?? (partner ? 'channel_partner' : actor?.role === 'client' ? 'client' : 'event'),
        actor_id: actor?.id ?? null,
        admin_id: actor?.admin_id ?? null,
        partner_id: line.partner_id ?? partner?.partner_id ?? null,
        before: JSON.stringify(line.before ?? {}),
        after: JSON.stringify(line.after ?? {}),
        reason: line.reason ?? '',
        at: moment.toISOString(),
      }))
      await insertMany(writing.tx, 'history', rows)
    },
    emit(change) {
      inWrite().changes.push(change)
    },
    after(work) {
      inWrite().later.push(work)
    },
    async write(work) {
      const done = await inTransaction(draft, work as unknown as AnyHandler)
      draft.saved = true
      return done as never
    },
    async writeOnce(said, work) {
      const attempt = draft.attemptFor?.(said) ?? null
      const named: Draft = { ...draft, attempt }
      const answer = await inTransaction(named, work as unknown as AnyHandler)
      draft.saved = true
      const keep = async (other: unknown) => {
        if (attempt) await keepAnswer(house, attempt, other)
      }
      return { answer: answer as never, replayed: named.replayed === true, keep }
    },
  }
}

/** One write: its transaction with its history, its live events and what undoes it, then what is to be done after the commit. */
export async function inTransaction(draft: Draft, work: AnyHandler): Promise<unknown> {
  const { house } = draft
  const later: (() => unknown)[] = []
  let replayed = false
  const {
    result: answer,
    ids,
    undo,
  } = await transact(house.database, async (tx) => {
    later.length = 0
    // What can be undone is followed row by row.
    const recorder = draft.undo && draft.caller.actor ? new Recorder(tx, house.database.engine) : null
    const writing: Writing = { tx: recorder?.tx ?? tx, changes: [], lines: [], later }
    const doIt = () => work(contextOf(draft, writing) as Ctx<never>)
    let result: unknown
    if (draft.attempt) ({ answer: result, replayed } = await once(tx, draft.attempt, house.now().toISOString(), doIt))
    else result = await doIt()
    const ids = await house.live.append(tx, writing.changes, draft.caller.session?.id ?? null, house.now().toISOString())
    if (ids) later.push(() => house.live.wake())
    const undo = recorder && (await undoOf(draft, tx, recorder, writing, replayed))
    return { result, ids, undo }
  })
  if (undo !== null) {
    draft.reply.header('x-undo', String(undo))
    later.push(() => sweepChanges(house))
  }
  // The page that wrote knows by these which events are its own doing, and asks for nothing twice. Nobody else is told that anything happened:
  // to a stranger it would say whether an account is there.
  if (ids && draft.caller.session && draft.reply && !draft.reply.sent) draft.reply.header('x-live-own', ids.join('-'))
  draft.replayed = replayed
  if (draft.attempt) later.push(() => afterOnce(house, draft.reply, replayed))
  for (const work of later) {
    try {
      await work()
    } catch (error) {
      house.log.error({ err: error, call: draft.call }, 'work after a commit failed')
    }
  }
  return answer
}

/** The change set by which this write can be undone; of one that was done before, the first one's. */
async function undoOf(draft: Draft, tx: Tx, recorder: Recorder, { lines, changes }: Writing, replayed: boolean) {
  const { call, caller, attempt, house } = draft
  if (replayed && attempt) return keptBefore(tx, attempt.user_id, attempt.key)
  const now = house.now().toISOString()
  return keepChanges(tx, recorder, { call, caller, key: attempt?.key ?? '', now, lines, events: changes })
}

/** Runs work of the server's own (a job, a dispatcher) with the same history and live events as a call; `actor` is who asked for it. */
export function asSystem<T>(
  house: House,
  name: string,
  caller: Ctx['caller'],
  work: (ctx: Ctx<undefined>) => Promise<T>,
): Promise<T> {
  const draft = { house, call: name, input: undefined, caller, request: null as never, reply: null as never, lines: null }
  return inTransaction(draft, work as unknown as AnyHandler) as Promise<T>
}

/** A context that reads in the name of a caller outside of a request: a job's pages, an export. */
export function readingAs(house: House, name: string, caller: Ctx['caller']): Ctx<undefined> {
  return contextOf(
    { house, call: name, input: undefined, caller, request: null as never, reply: null as never, lines: null },
    null,
  ) as Ctx<undefined>
}
