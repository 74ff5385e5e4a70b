import type { FastifyInstance } from 'fastify'
import { DRY_HEADER, FORESEEN_HEADER, IGNORED_HEADER, REVIEWED_HEADER } from '../../contract/headers.ts'
import { isApi } from './addresses.ts'

/** Headers a page of another origin may send, and those it may read. */
const SENT = `accept, authorization, content-type, access-token, token-type, client, expiry, uid, idempotency-key, ${REVIEWED_HEADER}, ${FORESEEN_HEADER}, if-match, if-none-match, last-event-id, mcp-protocol-version, mcp-method, mcp-name`
const READ = `access-token, token-type, client, expiry, uid, etag, link, retry-after, x-request-id, x-undo, ${IGNORED_HEADER}, ${DRY_HEADER}, ${FORESEEN_HEADER}, idempotent-replayed, ratelimit-limit, ratelimit-remaining, ratelimit-reset`
const METHODS = 'GET, HEAD, POST, PUT, DELETE'
/** How long a browser may keep the permission. */
const KEPT_SECONDS = 600

/**
 * Lets pages of the origins in CORS_ORIGINS call the API, by token or key and never with cookies.
 * Without the setting no header is sent, and browsers refuse such pages.
 */
export function allowOrigins(app: FastifyInstance, origins: readonly string[]): void {
  if (!origins.length) return
  app.addHook('onRequest', async (request, reply) => {
    if (!isApi(request.url)) return
    const { origin } = request.headers
    reply.header('vary', 'Origin')
    if (!origin || !origins.includes(origin)) return
    reply.headers({ 'access-control-allow-origin': origin, 'access-control-expose-headers': READ })
    if (request.method !== 'OPTIONS' || !request.headers['access-control-request-method']) return
    reply.headers({
      'access-control-allow-methods': METHODS,
      'access-control-allow-headers': SENT,
      'access-control-max-age': String(KEPT_SECONDS),
    })
    return reply.code(204).send()
  })
}
