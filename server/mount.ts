import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Call } from '../contract/call.ts'
import { type CallId, calls } from '../contract/calls.ts'
import { civilToday } from '../contract/pacing.ts'
import { authenticate, sentKey } from './authenticate.ts'
import { bodyLimitOf, bodyTimeOf, linesOf, refuseBody } from './bodies.ts'
import type { Change, Ctx, HistoryLine, House } from './context.ts'
import { insertMany, type Tx, transact } from './db/connect.ts'
import { handlers } from './handlers.ts'
import { gather, ignoredBy, refuseInvalid } from './input.ts'
import { type Attempt, afterOnce, attemptOf, keepAnswer, once } from './once.ts'
import { forbidden, Refusal, refuseActing, unauthorized } from './refusal.ts'
import { refuseForeign } from './sameOrigin.ts'
import { repeatTokens } from './session/sessions.ts'
import { addressBuckets, addressOf, take } from './throttle.ts'
import { troubleOf } from './trouble.ts'
import { keepChanges, keptBefore, sweepChanges } from './undo/keep.ts'
import { Recorder } from './undo/record.ts'
import { judged, withoutUnchanged } from './writes.ts'

type AnyHandler = (ctx: Ctx<never>) => Promise<unknown>
/** How a handler with its own transactions treats an `Idempotency-Key`: it writes by `ctx.writeOnce`, or takes none, and says why. */
export type Keyed = 'writeOnce' | { noKey: string }
/** A handler over one row of the calls table: tsc holds its input and its answer against the row. */
export type Handler<C extends Call> = ((ctx: Ctx<z.output<C['input']>>) => Promise<z.input<C['output']>>) & {
  ownTransaction?: Keyed
}
/** Total over a noun's rows: tsc names the one you forgot. */
export type HandlersOf<Rows extends Record<string, Call>> = { [Id in keyof Rows & string]: Handler<Rows[Id]> }

/** Marks a write that opens its own transactions by `ctx.write` or `ctx.writeOnce` (slow hashing, uploads, streams), and says how it treats a key. */
export function ownTransaction<I, O>(
  keyed: Keyed,
  handler: (ctx: Ctx<I>) => Promise<O>,
): ((ctx: Ctx<I>) => Promise<O>) & { ownTransaction: Keyed } {
  return Object.assign(handler, { ownTransaction: keyed })
}

/** `/v3/portal/projects/{id}` as Fastify writes it. */
const routeOf = (path: string) => path.replace(/\{(\w+)\}/g, ':$1')

/** Mounts every row of the calls table. */
export function mountCalls(app: FastifyInstance, house: House): void {
  const rows = Object.entries(calls) as [CallId, Call][]
  const taken = new Set(rows.map(([, row]) => `${row.method} ${row.path.replace(/\{\w+\}/g, '{}')}`))
  for (const [id, row] of rows) {
    const handle = handlerFor(house, id, row)
    const options = {
      bodyLimit: bodyLimitOf(row),
      config: { bodyTime: bodyTimeOf(row) },
      onRequest: gateOf(house, id, row),
      handler: handle,
    }
    app.route({ method: row.method, url: routeOf(row.path), ...options })
    // The specification writes an id in the path, the query or the body: one call takes them all.
    const spelled = `${row.method} ${row.path}/{}`
    if (
      row.method !== 'GET' &&
      row.method !== 'POST' &&
      !row.path.endsWith('}') &&
      'id' in shapeOf(row.input) &&
      !taken.has(spelled)
    ) {
      taken.add(spelled)
      app.route({ method: row.method, url: `${routeOf(row.path)}/:id`, ...options })
    }
  }
}

const shapeOf = (schema: z.ZodType): object => (schema as unknown as { shape?: object }).shape ?? {}

/** Who makes a request, from the moment it was let in. */
const callers = new WeakMap<FastifyRequest, Ctx['caller']>()

/** Before a byte of the body is read: the limit by address, who calls, whether they may, and whether the body is one that the call takes. */
function gateOf(house: House, id: CallId, row: Call) {
  const writes = isWrite(row)
  return async (request: FastifyRequest, reply: FastifyReply) => {
    if (row.limit && !house.settings.test)
      await take(
        house,
        addressBuckets(addressOf(request), { key: `${countedAs(id)}:`, burst: row.limit, every: 60_000 / row.limit }),
      )
    const caller = await authenticate(house, request)
    repeatTokens(caller, request, reply)
    admit(row, caller, sentKey(request) !== null)
    if (writes) refuseForeign(house, row, request, caller)
    refuseBody(row, request)
    callers.set(request, caller)
  }
}

/** Spellings of one call share its limit. */
const countedAs = (id: CallId): string => (Object.keys(handlers) as CallId[]).find((other) => handlers[other] === handlers[id])!

const isWrite = (row: Call): boolean => row.method !== 'GET' || row.unsafe === true

function handlerFor(house: House, id: CallId, row: Call) {
  const writes = isWrite(row)
  const plain = handlers[id] as unknown as AnyHandler & { ownTransaction?: Keyed }
  const handler = writes ? judged(row, plain, runCall) : plain
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const caller = callers.get(request)
    if (!caller) throw new Error(`${id} was not let in`)
    if (row.method === 'GET') {
      const ignored = ignoredBy(request, row)
      if (ignored) reply.header('fieldwork-ignored', ignored)
    }
    const given = gather(request, row)
    const draft: Draft = { house, call: id, input: given, caller, request, reply, undo: row.undo }
    const parsed = await parsedOf(row, given, () => contextOf(draft, null) as Ctx<never>)
    draft.input = parsed
    draft.attemptFor = (said) => attemptOf(request, row, id, caller, said)
    if (writes && !handler.ownTransaction) draft.attempt = draft.attemptFor(parsed)
    const answer =
      writes && !handler.ownTransaction && row.as !== 'stream'
        ? await inTransaction(draft, handler)
        : await handler(contextOf(draft, null) as Ctx<never>).catch((error: unknown) => {
            throw draft.saved ? afterSaving(house, error) : error
          })
    if (row.as === 'stream' || reply.sent) return reply
    if (house.settings.test) row.output.parse(answer)
    return reply.send(answer)
  }
}

/** Another call of the table, run as the caller of this one. */
const runCall = (id: CallId, ctx: Ctx<never>): Promise<unknown> => (handlers[id] as unknown as AnyHandler)(ctx)

/** What was sent, checked; throws a 422. A field that only says what the record says already is no fault (server/writes.ts). */
async function parsedOf(row: Call, given: Record<string, unknown>, context: () => Ctx<never>): Promise<unknown> {
  const parsed = row.input.safeParse(given)
  if (parsed.success) return parsed.data
  const rest = await withoutUnchanged(row, given, parsed.error, context(), runCall)
  const again = rest && row.input.safeParse(rest)
  if (again?.success) return again.data
  throw refuseInvalid(parsed.error, given)
}

/** Who may make the call at all, by the table's access column: 401 for a stranger, 403 for the wrong role. */
function admit(row: Call, caller: Ctx['caller'], withKey: boolean): void {
  if (row.access === 'public') return
  if (row.access === 'partner' && caller.partner) return
  if (caller.apiKey && (row.key === true || (row.key === 'reads' && caller.apiKey.reads))) return
  if (caller.apiKey && row.key) throw forbidden('This API key may not read.')
  if (caller.apiKey) throw unauthorized('An API key does not open this call: please sign in.')
  if (withKey) throw unauthorized('This API key is not known here, was revoked, or has expired.')
  if (!caller.actor) throw unauthorized()
  if (row.access === 'admin' || row.access === 'partner') {
    if (caller.actor.role !== 'admin') throw forbidden('Only an administrator can do this.')
  }
  if (row.own) refuseActing(caller.actor)
  // An admin who acts as somebody has nothing to change here.
  if (caller.user?.must_change_password && !caller.actor.admin_id && !row.whileLocked) {
    throw new Refusal(403, 'change_password', 'Please set a new password first: the temporary one has to be changed.')
  }
}

/** What was saved already is not told as if nothing had happened, because the answer about it could not be put together. */
function afterSaving(house: House, error: unknown): unknown {
  if (error instanceof Refusal) return error
  const { status, more } = troubleOf(house.database, error) ?? { status: 500, more: {} }
  const sentence = 'It was saved, but something went wrong right after. Please look at it before you try again.'
  return Object.assign(new Refusal(status, 'saved', sentence, more), { cause: error })
}

interface Draft {
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
}
interface Writing {
  tx: Tx
  changes: Change[]
  lines: HistoryLine[]
  later: (() => unknown)[]
}

/** Builds a handler's context; without a transaction it can only read. */
function contextOf(draft: Draft, writing: Writing | null): Ctx {
  const { house, caller } = draft
  const moment = house.now()
  const inWrite = () => {
    if (!writing) throw new Error(`${draft.call} writes outside a transaction`)
    return writing
  }
  return {
    ...draft,
    lines: draft.request ? linesOf(draft.request) : null,
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

async function inTransaction(draft: Draft, work: AnyHandler): Promise<unknown> {
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
  const draft = { house, call: name, input: undefined, caller, request: null as never, reply: null as never }
  return inTransaction(draft, work as unknown as AnyHandler) as Promise<T>
}

/** A context that reads in the name of a caller outside of a request: a job's pages, an export. */
export function readingAs(house: House, name: string, caller: Ctx['caller']): Ctx<undefined> {
  return contextOf(
    { house, call: name, input: undefined, caller, request: null as never, reply: null as never },
    null,
  ) as Ctx<undefined>
}
