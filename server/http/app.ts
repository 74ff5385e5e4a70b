import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import helmet from '@fastify/helmet'
import multipart from '@fastify/multipart'
import type { FastifyBaseLogger } from 'fastify'
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import { UPLOAD_LIMIT } from '../../contract/vocabulary.ts'
import type { Services } from '../core/context.ts'
import { HttpError, notFound } from '../core/errors.ts'
import { toHttpError } from '../core/httpErrors.ts'
import { RELEASE } from '../core/release.ts'
import { ping } from '../db/connect.ts'
import { DatabaseUnavailable } from '../db/dbErrors.ts'
import { isApi, OWN } from './addresses.ts'
import { mountAssistants } from './assistants.ts'
import { BODY_LIMIT, BODY_TIME, hasBody, readBodies } from './bodies.ts'
import { allowOrigins } from './cors.ts'
import { mountDoor } from './door.ts'
import { mountCalls } from './mount.ts'
import { mountOpenApi } from './openapi.ts'
import { endSpan } from './requestSpans.ts'
import { mountWorkspace, optionsOf, refuseUnknown } from './web.ts'
import { mountWellKnown } from './wellKnown.ts'

/** Normalizes an address: no trailing slash, no `.json`, no doubled slashes (calls.tsv, head). */
function oneSpelling(url: string): string {
  const [path = '/', ...query] = url.split('?')
  if (!isApi(path)) return url
  const plain = path
    .replace(/\/{2,}/g, '/')
    .replace(/\/$/, '')
    .replace(/\.json$/, '')
  return [plain, ...query].join('?')
}

/** Permissions our pages never need. */
const PERMISSIONS =
  'accelerometer=(), bluetooth=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), hid=(), magnetometer=(), microphone=(), midi=(), payment=(), serial=(), usb=()'
/** The time within which headers must arrive. */
const HEADERS_WITHIN_MS = 10_000
/** How long a client may take to close a connection it was told is ending. */
const HANG_UP_WITHIN_MS = 3000
/** How often connections are checked for late headers and requests. */
const LOOK_AT_LATE_MS = 2000
/** Longer than any statement (server/services.ts), so that nobody waiting for a response is disconnected. */
const SILENT_FOR_MS = 2 * 60_000

/** The id by which the proxy logs a request, or null: one id then leads from there to our log and to SQL. */
const idFromProxy = (header: unknown): string | null =>
  typeof header === 'string' && /^[\w.:-]{8,64}$/.test(header) ? header : null

/** The path for the log, without secrets in it (`secretPath` of the calls table). */
function loggedPath({ url, routeOptions }: FastifyRequest): string | undefined {
  return routeOptions.config.secretPath ? routeOptions.url : url.split('?')[0]
}

/** Asked every second by proxies, so not worth a line in the log. */
const HEALTH: ReadonlySet<string> = new Set([OWN.alive, OWN.ready])

/** Builds the server over open services, with the workspace built in `web`; it doesn't listen yet. */
export async function buildApp(services: Services, web?: string): Promise<FastifyInstance> {
  const { settings } = services
  const app = Fastify({
    loggerInstance: services.log as FastifyBaseLogger,
    genReqId: (request) => (settings.trustProxy > 0 ? idFromProxy(request.headers['x-request-id']) : null) ?? randomUUID(),
    requestIdHeader: false,
    logController: new LogController({ disableRequestLogging: true }),
    // Trusts only the configured number of proxies; anything further is the caller's own claim.
    trustProxy: settings.trustProxy > 0 && ((_address: string, hop: number) => hop < settings.trustProxy),
    bodyLimit: BODY_LIMIT.public,
    http: { headersTimeout: HEADERS_WITHIN_MS, connectionsCheckingInterval: LOOK_AT_LATE_MS },
    // Ends connections of clients that are slow to send, or silent; live streams are written to more often.
    requestTimeout: Math.max(HEADERS_WITHIN_MS, settings.bodySeconds * 1000 * BODY_TIME.upload),
    connectionTimeout: SILENT_FOR_MS,
    // At shutdown, finishes running requests and those that kept-alive connections still send (server/shutdown.ts).
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { ignoreDuplicateSlashes: false, maxParamLength: 600 },
    // Errors before any route: a malformed or overlong address.
    frameworkErrors: (error, request, reply) => {
      reply.headers({ 'x-content-type-options': 'nosniff', 'x-request-id': request.id })
      answerError(services, error, request.id, request.log, reply as unknown as Answering)
    },
    clientErrorHandler: answerUnreadable,
    rewriteUrl: (request) => oneSpelling(request.url ?? '/'),
  }) as unknown as FastifyInstance

  const tiles = settings.mapStyleUrl ? [new URL(settings.mapStyleUrl).origin] : []
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        fontSrc: ["'self'"],
        imgSrc: ["'self'", 'data:', 'blob:', ...tiles],
        connectSrc: ["'self'", ...tiles],
        workerSrc: ["'self'", 'blob:'],
        manifestSrc: ["'self'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        baseUri: ["'none'"],
        objectSrc: ["'none'"],
      },
    },
    hsts: settings.publicUrl.startsWith('https:') ? { maxAge: 15_552_000 } : false,
    frameguard: { action: 'deny' },
    referrerPolicy: { policy: 'same-origin' },
    crossOriginEmbedderPolicy: false,
  })
  await app.register(multipart, {
    limits: { fileSize: UPLOAD_LIMIT, files: 20, fields: 100, fieldSize: 100_000, parts: 120 },
    throwFileSizeLimit: false,
  })
  readBodies(app)

  allowOrigins(app, settings.corsOrigins)
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'x-request-id': request.id, 'permissions-policy': PERMISSIONS })
    if (hasBody(request))
      endWhenLate(request, reply, settings.bodySeconds * 1000 * (request.routeOptions.config.bodyTime ?? BODY_TIME.usual))
    if (services.stopping) reply.header('connection', 'close')
    // By route, because an address has many spellings.
    if (isApi(request.url) || isApi(request.routeOptions.url ?? '')) reply.header('cache-control', 'no-store')
    const allow = optionsOf(request)
    if (allow) return reply.code(204).header('allow', allow).send()
    if (request.is404) refuseUnknown(request)
  })
  app.addHook('onResponse', async (request, reply) => {
    endSpan(request, reply)
    if (settings.test) return
    const level = HEALTH.has(request.routeOptions.url ?? '') ? 'debug' : 'info'
    request.log[level](
      {
        method: request.method,
        path: loggedPath(request),
        call: request.routeOptions.config.call,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      'request',
    )
  })
  app.setErrorHandler((error: FastifyError, request, reply) => {
    // That the database is away is logged once; each check of a proxy says it to the proxy.
    const level = HEALTH.has(request.routeOptions.url ?? '') ? 'debug' : 'error'
    return answerError(services, error, request.id, request.log, reply, level)
  })

  app.addHook('preClose', async () => {
    services.live.drain()
    // Closes connections once they are idle, after their last response.
    const reap = setInterval(() => app.server.closeIdleConnections(), 50).unref()
    app.server.once('close', () => clearInterval(reap))
  })
  mountHealth(app, services)
  mountCalls(app, services)
  mountOpenApi(app)
  mountAssistants(app, services)
  mountWellKnown(app, services)
  mountDoor(app, services)
  await mountWorkspace(app, services, web)
  return app
}

/** Health checks are frequent and impatient. */
const HEALTH_MS = 2000

/** `/livez`: the process runs, for restarts; `/healthz`: it can serve, else 503, for proxies. */
function mountHealth(app: FastifyInstance, services: Services): void {
  app.get(OWN.alive, async (_request, reply) => reply.send({ status: 'alive' }))
  app.get(OWN.ready, async (_request, reply) => {
    if (services.stopping) return reply.code(503).send({ status: 'leaving' })
    if (services.database.damaged()) return reply.code(503).send({ status: 'damaged' })
    const refusal = services.database.refusal()
    if (refusal) throw new DatabaseUnavailable(refusal)
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new DatabaseUnavailable('no answer')), HEALTH_MS)
    })
    try {
      await Promise.race([ping(services.database), late])
    } finally {
      clearTimeout(timer)
    }
    const { looked, missing } = services.contents
    return reply.send({ status: 'ready', release: RELEASE, ...(missing && { files_looked_for: looked, files_missing: missing }) })
  })
}

interface Answering {
  header(name: string, value: string): unknown
  code(status: number): { send(body: object): unknown }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route's body may take this many times BODY_SECONDS. */
    bodyTime?: number
    /** The call's id, for monitoring. */
    call?: string
    secretPath?: true | undefined
  }
}

/** Ends a body that arrives too slowly: with a 408 if nothing was sent yet, then closes the connection. */
function endWhenLate({ raw }: FastifyRequest, reply: FastifyReply, within: number): void {
  const late = setTimeout(() => {
    if (raw.complete) return
    if (reply.sent || reply.raw.headersSent) raw.destroy()
    else answerUnreadable(Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), raw.socket)
  }, within).unref()
  raw.once('end', () => clearTimeout(late))
  raw.once('close', () => clearTimeout(late))
}

/** Reports unreadable HTTP or oversized headers in the usual error shape, then closes the connection. */
function answerUnreadable(error: Error & { code?: string }, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy()
  const [status, reason, sentence] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? ['431', 'Request Header Fields Too Large', 'The address or the headers are too long.']
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? ['408', 'Request Timeout', 'The request took too long to arrive.']
        : ['400', 'Bad Request', 'The request is not valid HTTP.']
  const request_id = randomUUID()
  const body = JSON.stringify({
    message: sentence,
    errors: [sentence],
    code: 'bad_request',
    request_id,
    response: sentence,
    fields: {},
    field_codes: {},
  })
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\ncontent-type: application/json; charset=utf-8\r\nx-content-type-options: nosniff\r\nx-request-id: ${request_id}\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  )
  // Closing at once could keep the sender from reading the response; one that keeps sending still loses the connection.
  setTimeout(() => socket.destroy(), HANG_UP_WITHIN_MS).unref()
}

/** The shape of every error: message, errors[], code, request_id, fields, field_codes, response (decisions.md 8). */
function answerError(
  services: Services,
  error: FastifyError | HttpError,
  id: string,
  log: FastifyBaseLogger,
  reply: Answering,
  level: 'debug' | 'error' = 'error',
): unknown {
  const refusal = refusalOf(services, error)
  if (refusal.status >= 500) log[level]({ err: error, id }, 'request failed')
  // RFC 9110 requires it; no browser opens a dialog for this scheme.
  if (refusal.status === 401) reply.header('www-authenticate', 'Bearer realm="Fieldwork"')
  if (refusal.more.retry_after) reply.header('retry-after', String(refusal.more.retry_after))
  const { fields = {}, field_codes = {}, allow, ...more } = refusal.more
  if (typeof allow === 'string') reply.header('allow', allow)
  const errors = Object.values(fields)
  return reply.code(refusal.status).send({
    message: refusal.message,
    errors: errors.length ? errors : [refusal.message],
    code: refusal.code,
    request_id: id,
    response: refusal.message,
    fields,
    field_codes: Object.fromEntries(Object.keys(fields).map((field) => [field, field_codes[field] ?? 'invalid'])),
    ...more,
  })
}

function refusalOf(services: Services, error: FastifyError | HttpError): HttpError {
  if (error instanceof HttpError) return error
  const { statusCode = 500, code } = error
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return new HttpError(415, 'media_type', 'This content type is not supported here; send JSON.')
  if (code === 'FST_ERR_MAX_PARAM_LENGTH') return new HttpError(414, 'too_long', 'The address is too long.')
  if (code === 'FST_ERR_BAD_URL') return new HttpError(400, 'bad_url', 'The address can’t be read.')
  if (statusCode === 413) return new HttpError(413, 'too_large', 'The request is too large.')
  if (statusCode >= 400 && statusCode < 500) return new HttpError(statusCode, 'bad_request', error.message)
  const trouble = toHttpError(services.database, error)
  if (trouble) return trouble
  if (services.database.isBeyondIds(error)) return notFound('This record')
  return new HttpError(500, 'internal', 'Something went wrong on our side. Nothing was changed.')
}
