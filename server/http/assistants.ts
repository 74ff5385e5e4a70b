import { isIP } from 'node:net'
import { Readable } from 'node:stream'
import type { ReadableStream as WebStream } from 'node:stream/web'
import type { McpHttpHandler } from '@modelcontextprotocol/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { changesAnything } from '../../contract/tokenScope.ts'
import { type Assistant, assistantOf } from '../../verbs/assistant.ts'
import {
  CONFIRMED_WITHIN,
  type Confirmations,
  MOST_WAITING,
  otherConfirmation,
  unknownConfirmation,
} from '../../verbs/confirmations.ts'
import { ApiError, type ErrorBody } from '../../verbs/errors.ts'
import { headersFor, type Reviewed, type Sender } from '../../verbs/request.ts'
import { plain } from '../../verbs/values.ts'
import { authenticate, isToken, sentKey } from '../core/authenticate.ts'
import type { Caller, CallerToken, Services } from '../core/context.ts'
import { forbidden, HttpError, notFound, unauthorized } from '../core/errors.ts'
import { consume, tellLeft } from '../core/rateLimit.ts'
import { addConfirmation, returnConfirmation, takeConfirmation } from '../domain/token/confirmations.ts'
import { OWN } from './addresses.ts'
import { BODY_LIMIT, BODY_TIME } from './bodies.ts'
import { tokenBucket } from './mount.ts'

/*
 * The tools for assistants over HTTP (MCP, streamable HTTP): the same as “fieldwork mcp” serves (verbs/).
 * Each message is served by itself, so any process may answer it, and there is no session that could be taken over.
 * A tool calls the API inside this process, with the assistant's own token: every check of a call applies.
 */

/** How long (ms) a call waits for its job: proxies end silent requests after a minute. */
const PATIENCE_MS = 50_000
/** Headers of the package's responses that are ours or the connection's to set. */
const OURS = new Set(['cache-control', 'connection', 'content-length', 'transfer-encoding'])
const TO_WRITE = 'a server with MCP=write, and a token with a scope that changes something'

/** Who asks, as found before the body is read. */
const callers = new WeakMap<FastifyRequest, Caller & { token: CallerToken }>()

/** Mounts the tools at /mcp; closed with MCP=off. */
export function mountAssistants(app: FastifyInstance, services: Services): void {
  const leaving = new AbortController()
  let handler: Promise<McpHttpHandler> | null = null
  const handlerOnce = () => {
    handler ??= handlerOf(services)
    return handler
  }
  app.addHook('preClose', async () => {
    leaving.abort()
    await (await handler)?.close()
  })
  const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
    callers.set(request, await callerOf(services, request, reply))
  }
  app.route({
    method: ['GET', 'DELETE'],
    url: OWN.assistants,
    onRequest,
    handler: () => {
      throw new HttpError(405, 'method', 'This address takes POST. It keeps no sessions and opens no streams.', { allow: 'POST' })
    },
  })
  app.post(
    OWN.assistants,
    { bodyLimit: BODY_LIMIT.batch, config: { bodyTime: BODY_TIME.usual }, onRequest },
    async (request, reply) => {
      const { body } = request
      if (!body || typeof body !== 'object' || Array.isArray(body))
        throw new HttpError(400, 'bad_message', 'Send one JSON-RPC message. Several in a list aren’t accepted.')
      const caller = callers.get(request)!
      const stop = new AbortController()
      reply.raw.once('close', () => stop.abort())
      const { settings } = services
      const webRequest = new Request(`${settings.publicUrl}${OWN.assistants}`, {
        method: 'POST',
        headers: textHeaders(request),
        signal: stop.signal,
      })
      const writes = settings.mcp === 'write' && caller.token.scopes.some(changesAnything)
      const assistant = assistantOf(senderOf(app, services, request), {
        writes,
        toWrite: TO_WRITE,
        confirmations: confirmationsOf(services, caller.token.id),
        patience: () => AbortSignal.any([AbortSignal.timeout(PATIENCE_MS), leaving.signal]),
      })
      const who = `the token “${plain(caller.token.name)}” of ${plain(caller.user?.email ?? '')}`
      const extra: Served = { assistant, who, writes }
      const authInfo = { token: '', clientId: String(caller.token.id), scopes: [...caller.token.scopes], extra: { ...extra } }
      return send(reply, await (await handlerOnce()).fetch(webRequest, { parsedBody: body, authInfo }))
    },
  )
}

/** What the package passes on from a request to the server that it makes for it. */
interface Served {
  assistant: Assistant
  who: string
  writes: boolean
}

/** The package's handler; it is loaded with the first assistant. */
async function handlerOf({ settings, log }: Services): Promise<McpHttpHandler> {
  const [{ createMcpHandler }, { instructionsOf, toolsOf }] = await Promise.all([
    import('@modelcontextprotocol/server'),
    import('../../verbs/tools.ts'),
  ])
  return createMcpHandler(
    ({ authInfo }) => {
      if (!authInfo?.extra) throw new Error('An assistant without a token')
      const { assistant, who, writes } = authInfo.extra as unknown as Served
      return toolsOf(assistant, instructionsOf({ url: settings.publicUrl, who, writes, toWrite: TO_WRITE }))
    },
    // The list of tools never changes, so there is nothing to subscribe to.
    { maxSubscriptions: 0, onerror: (error) => log.debug({ err: error }, 'an assistant’s message was refused') },
  )
}

/** Checks before the body is read: open at all, no other site's page, a valid token, its rate, and JSON. */
async function callerOf(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Caller & { token: CallerToken }> {
  if (services.settings.mcp === 'off') throw notFound('A server for assistants (MCP=off)')
  refuseOtherSites(services, request)
  const sent = sentKey(request)
  if (sent === null || !isToken(sent)) throw unauthorized('Assistants sign in with a token: Authorization: Bearer fwt_…')
  const caller = await authenticate(services, request)
  if (!caller.token) throw unauthorized('This token is unknown, revoked or expired.')
  await consume(services, [tokenBucket(services, caller.token.id)], tellLeft(reply))
  const { 'content-encoding': encoding, 'content-type': type = '' } = request.headers
  if (request.method === 'POST' && !/^application\/json *(;|$)/i.test(type))
    throw new HttpError(415, 'media_type', 'Send JSON: Content-Type: application/json.')
  if (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity')
    throw new HttpError(415, 'content_encoding', 'Compressed bodies aren’t accepted. Send it without Content-Encoding.')
  return caller as Caller & { token: CallerToken }
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/**
 * Refuses pages of other sites, also one whose name was pointed at this machine afterwards (DNS rebinding).
 * Programs send no Origin. Without PUBLIC_URL, names by which others could reach this machine prove nothing.
 */
function refuseOtherSites({ settings }: Services, { headers }: FastifyRequest): void {
  const { origin, host = '' } = headers
  const { publicUrl, publicUrlSet, corsOrigins } = settings
  const isLocal = (address: string) => URL.canParse(address) && LOOPBACK.test(new URL(address).hostname)
  const own = (address: string) =>
    URL.canParse(address) &&
    (new URL(address).origin === new URL(publicUrl).origin ||
      corsOrigins.includes(address) ||
      (!publicUrlSet && isLocal(address)))
  if (origin !== undefined && !own(origin)) throw forbidden('This request comes from a page of another site.')
  if (!publicUrlSet && isLocal(publicUrl) && !isLocal(`http://${host}`) && !isAddress(host))
    throw forbidden('This server is reached by another name than its own: set PUBLIC_URL.')
}

/** True for an IP address with or without a port: nobody else can give it to this machine. */
const isAddress = (host: string): boolean => isIP(host.replace(/:\d+$/, '').replace(/^\[|\]$/g, '')) > 0

const textHeaders = ({ headers }: FastifyRequest): Headers => {
  const text = new Headers()
  for (const [name, value] of Object.entries(headers))
    if (typeof value === 'string' && name !== 'authorization' && name !== 'cookie') text.set(name, value)
  return text
}

/** Calls the API inside this process, as the assistant's token and from its address. */
function senderOf(app: FastifyInstance, { settings }: Services, request: FastifyRequest): Sender {
  return {
    url: settings.publicUrl,
    async json({ method, url, body }, options = {}) {
      const headers = {
        authorization: request.headers.authorization!,
        accept: 'application/json',
        'user-agent': String(request.headers['user-agent'] ?? 'assistant'),
        ...headersFor(options),
      }
      const answer = await app
        .inject({ method: method as 'GET', url, headers, remoteAddress: request.ip, ...(body ? { payload: body } : {}) })
        .catch((error: { code?: string }) => {
          if (error.code !== 'FST_ERR_REOPENED_CLOSE_SERVER') throw error
          throw new ApiError(503, { message: 'The server is stopping. Please try again.', code: 'leaving' })
        })
      const value = parsed(answer.body)
      if (answer.statusCode >= 400) throw new ApiError(answer.statusCode, value as ErrorBody, answer.body)
      const received = new Headers()
      for (const [name, one] of Object.entries(answer.headers)) if (one !== undefined) received.set(name, String(one))
      return { value, headers: received }
    },
  }
}

function parsed(text: string): unknown {
  try {
    return text ? JSON.parse(text) : null
  } catch {
    return { message: 'The response isn’t JSON.' }
  }
}

/** Confirmations of one token, shared by all processes. */
function confirmationsOf(services: Services, token_id: number): Confirmations {
  return {
    add(digest, reviewed) {
      const row = { digest, versions: JSON.stringify(reviewed) }
      return addConfirmation(services, token_id, row, { within: CONFIRMED_WITHIN, most: MOST_WAITING })
    },
    async take(word, digest) {
      const taken = await takeConfirmation(services, token_id, word, digest)
      if (taken === 'unknown') throw unknownConfirmation()
      if (taken === 'other') throw otherConfirmation()
      const reinstate = () => returnConfirmation(services, { token_id, word, digest, ...taken })
      return { reviewed: JSON.parse(taken.versions) as Reviewed, reinstate }
    },
  }
}

/** Passes the package's response on; a stream of progress is sent as it comes. */
function send(reply: FastifyReply, answer: Response): FastifyReply {
  for (const [name, value] of answer.headers) if (!OURS.has(name)) reply.header(name, value)
  // Proxies would otherwise keep progress back until the end.
  if (answer.headers.get('content-type')?.startsWith('text/event-stream')) reply.header('x-accel-buffering', 'no')
  reply.code(answer.status)
  return answer.body ? reply.send(Readable.fromWeb(answer.body as WebStream)) : reply.send()
}
