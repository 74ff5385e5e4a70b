import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { ruleOf } from '../../contract/access.ts'
import { seesAll } from '../../contract/actor.ts'
import type { Call } from '../../contract/call.ts'
import { type CallId, calls } from '../../contract/calls.ts'
import { programName } from '../../contract/filterNames.ts'
import { FORESEEN_HEADER, IGNORED_HEADER } from '../../contract/headers.ts'
import { handlers } from '../calls/handlers.ts'
import { repeatTokens } from '../calls/session/sessions.ts'
import { authenticate, isToken, sentKey } from '../core/authenticate.ts'
import { authorize } from '../core/authorize.ts'
import type { Ctx, Services } from '../core/context.ts'
import { HttpError } from '../core/errors.ts'
import { toHttpError } from '../core/httpErrors.ts'
import { doneAlready, idempotencyRecordOf, type ReplayHolds } from '../core/idempotency.ts'
import { gather, ignoredHeader, namesOf, refuseEmptyLimits, refuseInvalid, unknownInQuery } from '../core/input.ts'
import { takeWrite } from '../core/quotas.ts'
import { addressBuckets, addressOf, consume, tellLeft } from '../core/rateLimit.ts'
import { type Foreseen, versionsIn, versionsText } from '../core/recordVersions.ts'
import { readFromReplica } from '../core/replicaReads.ts'
import { assertSameOrigin } from '../core/sameOrigin.ts'
import { withDeletions } from '../core/tombstones.ts'
import { contextOf, type Draft, inTransaction } from '../core/unitOfWork.ts'
import { refusesUnknown, refuseUnknown } from '../core/unknownNames.ts'
import { withinLimit } from '../core/withinLimit.ts'
import { withTag } from '../db/statementTag.ts'
import { copiesSeen } from '../domain/copiesSeen.ts'
import { ADDRESSES } from './addresses.ts'
import { bodyLimitOf, bodyTimeOf, linesOf, refuseBody } from './bodies.ts'
import { openCursor, sealCursor } from './cursor.ts'
import { isMarkedDry, isYes, markDry, sayDry, withoutDry } from './dryRun.ts'
import { cannotMatch } from './ifMatch.ts'
import { linksOf } from './links.ts'
import { inSpan, startSpan } from './requestSpans.ts'
import { mayCompress, sendAnswer } from './response.ts'
import { withReviewed } from './reviewed.ts'
import { refuseUnknownNames, withFieldChecks, withoutUnchanged } from './writes.ts'

/** `/v3/portal/projects/{id}` in Fastify's notation. */
const routeOf = (path: string) => path.replace(/\{(\w+)\}/g, ':$1')

/** Mounts every row of the calls table. */
export function mountCalls(app: FastifyInstance, services: Services): void {
  for (const { id, path } of ADDRESSES) {
    const row: Call = calls[id]
    app.route({
      method: row.method,
      url: routeOf(path),
      bodyLimit: bodyLimitOf(id, row),
      config: { call: id, bodyTime: bodyTimeOf(row), secretPath: row.secretPath },
      onRequest: gateOf(services, id, row),
      handler: handlerFor(services, id, row),
    })
  }
}

/** The caller of an accepted request. */
const callers = new WeakMap<FastifyRequest, Ctx['caller']>()

/** Checks before the body is read: rate limit, caller, access rule, the body's size and type. */
function gateOf(services: Services, id: CallId, row: Call) {
  const writes = isWrite(row)
  const isPublic = ruleOf(id).who === 'public'
  const takeTurn = async (request: FastifyRequest, reply: FastifyReply) => {
    const limit = id === 'session.signIn' ? services.settings.limits.sign_ins_minute : row.limit
    if (limit && !services.settings.test)
      await consume(
        services,
        addressBuckets(addressOf(request), { key: `${countedAs(id)}:`, burst: limit, every: 60_000 / limit }),
        tellLeft(reply),
      )
  }
  const gate = async (request: FastifyRequest, reply: FastifyReply) => {
    if (isPublic) await takeTurn(request, reply)
    const known = await authenticate(services, request)
    repeatTokens(known, request, reply)
    if (known.token) await consume(services, [tokenBucket(services, known.token.id)], tellLeft(reply))
    const sent = sentKey(request)
    const caller = authorize(id, known, sent === null ? null : isToken(sent) ? 'token' : 'key')
    // Callers without access use up nobody's turns.
    if (!isPublic) await takeTurn(request, reply)
    if (writes) assertSameOrigin(services, row, request, caller)
    // Signing in, out and back must always work.
    if (writes && caller.actor && !isPublic) takeWrite(services, caller.actor.admin_id ?? caller.actor.id, tellLeft(reply))
    refuseBody(id, row, request)
    callers.set(request, caller)
    const who = loggedAs(caller)
    if (who) request.log = request.log.child(who)
  }
  const isTrusted = services.settings.trustProxy > 0
  return (request: FastifyRequest, reply: FastifyReply) => {
    startSpan(request, id, isTrusted)
    return inSpan(request, () => withTag(`request ${request.id}`, () => gate(request, reply)))
  }
}

/** Who made a request, for the log and its statements; null for somebody unknown. */
function loggedAs({ actor, token, apiKey, partner }: Ctx['caller']): Record<string, number> | null {
  if (apiKey) return { key: apiKey.id }
  if (actor)
    return { user: actor.id, ...(actor.admin_id === null ? {} : { admin: actor.admin_id }), ...(token && { token: token.id }) }
  return partner ? { partner: partner.partner_id } : null
}

/** What a request's statements are tagged with: its id, and who made it. */
const tagOf = (request: FastifyRequest, caller: Ctx['caller']): string =>
  [`request ${request.id}`, ...Object.entries(loggedAs(caller) ?? {}).map(([what, id]) => `${what} ${id}`)].join(' ')

/** All calls of one token share a bucket across processes. */
export function tokenBucket({ settings }: Services, id: number) {
  const most = settings.limits.token_minute
  return { key: `token:${id}`, burst: most, every: Math.max(1, Math.ceil(60_000 / most)) }
}

/** Throws 409 for a replayed response whose records a client user doesn't see, or that was an administrator's. */
async function assertSeen(
  { database }: Services,
  { actor }: Ctx['caller'],
  { all = true, ...holds }: ReplayHolds,
): Promise<void> {
  if (!actor || seesAll(actor)) return
  if (all || !(await copiesSeen({ db: database.db, actor }, [holds]))(holds)) throw doneAlready()
}

/** Spellings of one call share its limit. */
const countedAs = (id: CallId): string => (Object.keys(handlers) as CallId[]).find((other) => handlers[other] === handlers[id])!

/** The fields of a call as programs are told them. */
const programNamesOf = (row: Call): string[] => namesOf(row.input).map((name) => programName(row, name))

const isWrite = (row: Call): boolean => row.method !== 'GET' || row.unsafe === true

function handlerFor(services: Services, id: CallId, row: Call) {
  const writes = isWrite(row)
  const plain = withDeletions(id, withinLimit(id, handlers[id]))
  const handler = writes ? withFieldChecks(row, withReviewed(plain, runCall), runCall) : plain
  const squeezes = mayCompress(id, row)
  const onReplica = mayReadReplica(id, row)
  const handle = async (request: FastifyRequest, reply: FastifyReply, caller: Ctx['caller']) => {
    if (!writes && request.headers['if-match'] !== undefined) throw cannotMatch(true)
    if (row.method === 'GET') {
      const unknown = unknownInQuery(request, row).filter((name) => name !== 'dry' || !writes)
      const names = unknown.map((name) => name.replace(/\[\]$/, '')).filter((name) => name !== 'strict' || !caller.apiKey)
      const { strict } = (request.query ?? {}) as { strict?: unknown }
      if (refusesUnknown(row, caller, isYes(strict))) refuseUnknown(row, names, 'all', programNamesOf(row))
      const ignored = ignoredHeader(unknown)
      if (ignored) reply.header(IGNORED_HEADER, ignored)
      // A stranger doesn't learn the number of events.
      if (caller.session && isBeforeStream(request)) reply.header('x-live-last', String(await services.live.last()))
    }
    refuseEmptyLimits(request, row)
    const { dry, input: sent } = withoutDry(id, row, gather(request, row))
    if (dry) markDry(reply)
    const draft: Draft = {
      services,
      call: id,
      input: sent,
      caller,
      request,
      reply,
      lines: linesOf(request),
      undo: row.undo,
      dry,
      foreseen: writes ? foreseenOf(request, dry) : undefined,
    }
    // A multipart form is validated where its parts are read (files/receiveUpload.ts), its path before.
    const isForm = row.as === 'multipart' && request.isMultipart()
    const parsed = isForm ? withAddress(row, sent) : await parsedOf(row, sent, () => contextOf(draft, null) as Ctx<never>)
    draft.input = parsed
    // A batch has a dry of its own, which checks it row by row.
    if (writes && (parsed as { dry?: unknown }).dry === true) markDry(reply)
    if (row.method === 'GET') draft.cursor = openCursor(services, id, caller, parsed)
    draft.attemptFor = (input) => idempotencyRecordOf(request, row, id, caller, input)
    if (writes && !handler.ownTransaction) draft.attempt = draft.attemptFor(parsed)
    await handler.before?.(contextOf(draft, null) as Ctx<never>)
    const answer =
      writes && !handler.ownTransaction && row.as !== 'stream'
        ? await inTransaction(draft, handler)
        : onReplica && !isBeforeStream(request)
          ? await readFromReplica(
              services,
              caller,
              lastSeenEvent(request),
              (at) => {
                draft.services = at
                return handler(contextOf(draft, null) as Ctx<never>)
              },
              () => reply.sent,
            )
          : await handler(contextOf(draft, null) as Ctx<never>).catch((error: unknown) => {
              throw draft.saved ? afterSaving(services, error) : error
            })
    if (draft.replayed) await assertSeen(services, caller, draft.replayed)
    if (row.as === 'stream' || reply.sent) return reply
    if (dry && draft.foreseen) reply.header(FORESEEN_HEADER, versionsText(draft.foreseen.found))
    if (services.settings.test) row.output.parse(answer)
    if (writes) return sendAnswer(request, reply, isMarkedDry(reply) ? sayDry(answer) : answer, { squeezes })
    const cursor = draft.end ? sealCursor(services, id, caller, parsed, draft.end) : null
    const links = linksOf(request.url, parsed, answer, draft.end === undefined ? undefined : cursor)
    if (links) reply.header('link', links)
    return sendAnswer(request, reply, answer, { squeezes, named: true })
  }
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const caller = callers.get(request)
    if (!caller) throw new Error(`${id} was refused`)
    return inSpan(request, () => withTag(tagOf(request, caller), () => handle(request, reply, caller)))
  }
}

/**
 * Reads of the caller's own session, work and settings, and of what changes by itself.
 * The palette's cursor is the primary's last event, and must not be ahead of its rows.
 */
const ON_PRIMARY = new Set<string>(
  'session account key organization outbox token webhook delivery job file live snapshot list undo import palette'.split(' '),
)
/** The funnel's guard shares an answer among callers (calls/runtime/funnel.ts), who may need different positions. */
const SHARED = new Set<CallId>(['runtime.funnel', 'runtime.performanceFunnelV1'])

/** True for lists, records, dashboards and searches, which a replica may serve. */
const mayReadReplica = (id: CallId, row: Call): boolean =>
  !isWrite(row) && row.as !== 'stream' && !ON_PRIMARY.has(id.split('.')[0]!) && !SHARED.has(id)

/**
 * True for a read by a page whose live stream has no position yet.
 * It is made on the primary, and its response names the last event that it includes for certain.
 */
const isBeforeStream = ({ headers }: FastifyRequest): boolean => headers['x-live-seen'] === 'none'

/** The last event that the caller's live stream delivered; 0 without one. */
const lastSeenEvent = ({ headers }: FastifyRequest): number => {
  const seen = Number(headers['x-live-seen'])
  return Number.isSafeInteger(seen) && seen > 0 ? seen : 0
}

/** What a write's sender says it changes; on a dry run, that they want to know. */
function foreseenOf({ headers }: FastifyRequest, dry: boolean): Foreseen | undefined {
  const header = headers[FORESEEN_HEADER]
  if (header === undefined) return undefined
  return { expected: dry ? [] : versionsIn(header, FORESEEN_HEADER), found: [], compared: false }
}

/** Runs another call of the table as the same caller. */
const runCall = (id: CallId, ctx: Ctx<never>): Promise<unknown> => handlers[id](ctx)

/** The validated input; throws a 422, except for fields that equal the record's values (server/http/writes.ts). */
async function parsedOf(row: Call, input: Record<string, unknown>, context: () => Ctx<never>): Promise<unknown> {
  const parsed = row.input.safeParse(input)
  if (parsed.success) return parsed.data
  if (isWrite(row)) refuseUnknownNames(row, context())
  const rest = await withoutUnchanged(row, input, parsed.error, context(), runCall)
  const again = rest && row.input.safeParse(rest)
  if (again?.success) return again.data
  throw refuseInvalid(parsed.error, input)
}

/** Validates the path's parameters, which choose the record before a form's parts arrive; throws a 422. */
function withAddress(row: Call, input: Record<string, unknown>): Record<string, unknown> {
  const shape = (row.input as { shape?: Record<string, z.ZodType> }).shape ?? {}
  const names = [...row.path.matchAll(/\{(\w+)\}/g)].flatMap(([, name]) => (shape[name!] ? [name!] : []))
  const address = z.looseObject(Object.fromEntries(names.map((name) => [name, shape[name]!])))
  const parsed = address.safeParse(input)
  if (!parsed.success) throw refuseInvalid(parsed.error, input)
  return parsed.data
}

/** Says that the write was saved, though its response failed. */
function afterSaving(services: Services, error: unknown): unknown {
  if (error instanceof HttpError) return error
  const { status, more } = toHttpError(services.database, error) ?? { status: 500, more: {} }
  const sentence = 'It was saved, but something went wrong right after. Please check it before you try again.'
  return Object.assign(new HttpError(status, 'saved', sentence, more), { cause: error })
}
