import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import helmet from '@fastify/helmet'
import multipart from '@fastify/multipart'
import type { FastifyBaseLogger } from 'fastify'
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import { UPLOAD_LIMIT } from '../../contract/vocabulary.ts'
import type { Services } from '../core/context.ts'
import { HttpError } from '../core/errors.ts'
import { toHttpError } from '../core/httpErrors.ts'
import { answers } from '../db/connect.ts'
import { DatabaseAway } from '../db/dbErrors.ts'
import { BODY_LIMIT, BODY_TIME, hasBody, readBodies } from './bodies.ts'
import { mountCalls } from './mount.ts'
import { mountOpenApi } from './openapi.ts'
import { isApi, mountWorkspace, refuseUnknown } from './web.ts'

/** One spelling for every address: no trailing slash, no `.json`, no doubled slashes (calls.tsv, head). */
export function oneSpelling(url: string): string {
  const [path = '/', ...query] = url.split('?')
  if (!isApi(path)) return url
  const plain = path
    .replace(/\/{2,}/g, '/')
    .replace(/\/+$/, '')
    .replace(/\.json$/, '')
  // The specification writes one path with `&` where a `?` belongs.
  const mended = plain.replace(/^(\/v1\/user_teams\/\d+)&/, '$1?')
  return [mended, ...query].join(mended.includes('?') ? '&' : '?')
}

/** What no page of ours asks a browser for. */
const PERMISSIONS =
  'accelerometer=(), bluetooth=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), hid=(), magnetometer=(), microphone=(), midi=(), payment=(), serial=(), usb=()'
/** Headers have arrived by then. */
const HEADERS_WITHIN_MS = 10_000
/** How long a client that was told the connection ends may take to close it. */
const HANG_UP_WITHIN_MS = 1000
/** How often connections are looked at for headers and requests that are late. */
const LOOK_AT_LATE_MS = 2000
/** Longer than any statement takes (server/services.ts), so that nobody waiting for a response is cut off. */
const SILENT_FOR_MS = 2 * 60_000

/** The path as logged, without what opens something by itself (a download's token). */
function loggedPath({ url, routeOptions }: FastifyRequest): string | undefined {
  return routeOptions.url?.includes('/:signed') ? routeOptions.url : url.split('?')[0]
}

/** Builds the server over services that are open; it doesn’t listen yet. */
export async function buildApp(services: Services): Promise<FastifyInstance> {
  const { settings } = services
  const app = Fastify({
    loggerInstance: services.log as FastifyBaseLogger,
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    logController: new LogController({ disableRequestLogging: true }),
    // So many proxies are believed, not who came before them: what a caller writes into the header themselves is no address.
    trustProxy: settings.trustProxy > 0 && ((_address: string, hop: number) => hop < settings.trustProxy),
    bodyLimit: BODY_LIMIT.public,
    http: { headersTimeout: HEADERS_WITHIN_MS, connectionsCheckingInterval: LOOK_AT_LATE_MS },
    // A client that takes this long to send a request, or neither sends nor reads, loses its connection. Live streams
    // are written to more often.
    requestTimeout: Math.max(HEADERS_WITHIN_MS, settings.bodySeconds * 1000 * BODY_TIME.upload),
    connectionTimeout: SILENT_FOR_MS,
    // What is under way when it ends is finished, and so is what a kept connection brings meanwhile (server/shutdown.ts).
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { ignoreDuplicateSlashes: false, maxParamLength: 600 },
    // Before any route: an address that is none, or too long.
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
    limits: { fileSize: UPLOAD_LIMIT, files: 20, fields: 50, fieldSize: 100_000, parts: 70 },
    throwFileSizeLimit: false,
  })
  readBodies(app)

  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'x-request-id': request.id, 'permissions-policy': PERMISSIONS })
    if (hasBody(request))
      endWhenLate(request, reply, settings.bodySeconds * 1000 * (request.routeOptions.config.bodyTime ?? BODY_TIME.usual))
    if (services.stopping) reply.header('connection', 'close')
    // By its route: an address can be spelled in many ways.
    if (isApi(request.url) || isApi(request.routeOptions.url ?? '')) reply.header('cache-control', 'no-store')
    if (request.is404) refuseUnknown(request)
  })
  app.addHook('onResponse', async (request, reply) => {
    if (settings.test) return
    request.log.info(
      {
        id: request.id,
        method: request.method,
        path: loggedPath(request),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      'request',
    )
  })
  app.setErrorHandler((error: FastifyError, request, reply) => answerError(services, error, request.id, request.log, reply))

  app.addHook('preClose', async () => {
    services.live.leave()
    // A connection whose last answer was already on its way is kept open by its client: it is closed once it is idle.
    const reap = setInterval(() => app.server.closeIdleConnections(), 50).unref()
    app.server.once('close', () => clearInterval(reap))
  })
  mountHealth(app, services)
  mountCalls(app, services)
  mountOpenApi(app)
  await mountWorkspace(app, services)
  return app
}

/** A proxy asks often and waits briefly. */
const HEALTH_MS = 2000

/** `/livez`: this process runs, whatever its database does; `/healthz`: it can serve, else 503. A proxy asks the second, what restarts processes the first. */
function mountHealth(app: FastifyInstance, services: Services): void {
  app.get('/livez', async (_request, reply) => reply.send({ status: 'alive' }))
  app.get('/healthz', async (_request, reply) => {
    if (services.stopping) return reply.code(503).send({ status: 'leaving' })
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new DatabaseAway('no answer')), HEALTH_MS)
    })
    try {
      await Promise.race([answers(services.database), late])
    } finally {
      clearTimeout(timer)
    }
    return reply.send({ status: 'ready' })
  })
}

interface Answering {
  header(name: string, value: string): unknown
  code(status: number): { send(body: object): unknown }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** How many times as long as BODY_SECONDS the route's body may take to arrive. */
    bodyTime?: number
  }
}

/** A body that trickles is given up: a 408 where nothing was answered yet, and the connection ends. */
function endWhenLate({ raw }: FastifyRequest, reply: FastifyReply, within: number): void {
  const late = setTimeout(() => {
    if (raw.complete) return
    if (reply.sent || reply.raw.headersSent) raw.destroy()
    else answerUnreadable(Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), raw.socket)
  }, within).unref()
  raw.once('end', () => clearTimeout(late))
  raw.once('close', () => clearTimeout(late))
}

/** What is no HTTP, or has headers that are too big, is told so in the shape of every error, and the connection ends. */
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
  })
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\ncontent-type: application/json; charset=utf-8\r\nx-content-type-options: nosniff\r\nx-request-id: ${request_id}\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  )
  // Closing at once might keep the sender from reading the response; a sender that goes on sending still loses the
  // connection.
  setTimeout(() => socket.destroy(), HANG_UP_WITHIN_MS).unref()
}

/** The one shape of an error: message, errors[], code, request_id, fields, and response for the landing page (decisions.md 8). */
function answerError(
  services: Services,
  error: FastifyError | HttpError,
  id: string,
  log: FastifyBaseLogger,
  reply: Answering,
): unknown {
  const refusal = refusalOf(services, error)
  if (refusal.status >= 500) log.error({ err: error, id }, 'request failed')
  // Asked for by RFC 9110; no browser opens a dialog for this scheme.
  if (refusal.status === 401) reply.header('www-authenticate', 'Bearer realm="Fieldwork"')
  if (refusal.more.retry_after) reply.header('retry-after', String(refusal.more.retry_after))
  const { fields = {}, ...more } = refusal.more
  const errors = Object.values(fields)
  return reply.code(refusal.status).send({
    message: refusal.message,
    errors: errors.length ? errors : [refusal.message],
    code: refusal.code,
    request_id: id,
    response: refusal.message,
    fields,
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
  return new HttpError(500, 'internal', 'Something went wrong on our side. Nothing was changed.')
}
