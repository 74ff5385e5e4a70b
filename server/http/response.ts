import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, brotliCompressSync, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Call } from '../../contract/call.ts'
import { nounOf } from '../../contract/nounOf.ts'

/** Smaller responses fit into two packets uncompressed. */
const LEAST = 2048
/** Larger ones are compressed outside the event loop. */
const AT_ONCE = 512 * 1024

/**
 * True if a call's response may be compressed: it never contains a secret.
 * Compressed beside text that an attacker chose, a secret could leak through the response's length (BREACH).
 */
export const mayCompress = (id: string, row: Pick<Call, 'secret' | 'secretPath'>): boolean =>
  !row.secret && !row.secretPath && !nounOf(id.split('.')[0]!)?.secrets

const takes = (request: FastifyRequest, encoding: 'br' | 'gzip'): boolean =>
  String(request.headers['accept-encoding'] ?? '')
    .split(',')
    .some((one) => {
      const [name, ...parameters] = one
        .toLowerCase()
        .split(';')
        .map((part) => part.trim())
      return name === encoding && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
    })

/** The lowest quality yields a twelfth of the bytes, for less processor time than sending them takes. */
const brotli = (size: number) => ({
  params: { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_SIZE_HINT]: size },
})

/** A weak ETag of a response's content. */
const etagOf = (body: Buffer): string => `W/"${createHash('sha1').update(body).digest('base64url').slice(0, 22)}"`

/** True if an If-None-Match header contains this ETag; compared weakly (RFC 9110, 13.1.2). */
function isKept(header: string | undefined, etag: string): boolean {
  if (!header) return false
  const etags = header.split(',').map((one) => one.trim().replace(/^W\//, ''))
  return etags.includes('*') || etags.includes(etag.replace(/^W\//, ''))
}

/** Adds a header to the ones that a response varies by. */
function vary(reply: FastifyReply, header: string): void {
  const before = reply.getHeader('vary')
  reply.header('vary', before ? `${before}, ${header}` : header)
}

/**
 * Sends a call's result as JSON, compressed if the client accepts it, it is allowed and worth it.
 * With `named`, a read gets an ETag, and a client that has this version gets a 304.
 */
export async function sendAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: unknown,
  { squeezes, named = false }: { squeezes: boolean; named?: boolean },
): Promise<FastifyReply> {
  // Sent as bytes, because writing a string to a socket takes ten times as long.
  if (answer === null || typeof answer !== 'object' || Buffer.isBuffer(answer) || 'pipe' in answer) return reply.send(answer)
  const body = Buffer.from(JSON.stringify(answer))
  reply.header('content-type', 'application/json; charset=utf-8')
  if (squeezes) vary(reply, 'accept-encoding')
  if (named) {
    const etag = etagOf(body)
    reply.header('etag', etag)
    if (isKept(request.headers['if-none-match'], etag)) return reply.code(304).send()
  }
  if (!squeezes) return reply.send(body)
  if (body.length < LEAST) return reply.send(body)
  if (takes(request, 'br')) {
    reply.header('content-encoding', 'br')
    const how = brotli(body.length)
    return reply.send(body.length <= AT_ONCE ? brotliCompressSync(body, how) : await promisify(brotliCompress)(body, how))
  }
  if (!takes(request, 'gzip')) return reply.send(body)
  reply.header('content-encoding', 'gzip')
  return reply.send(await promisify(gzip)(body, { level: 1 }))
}

/** A text that never changes while the server runs, with its ETag and its compressed forms. */
export interface PreparedText {
  type: string
  etag: string
  plain: Buffer
  br: Buffer
  gzip: Buffer
}

/** Compresses a text once, and better than a response that is made for one request. */
export async function prepareText(text: string, type: string): Promise<PreparedText> {
  const plain = Buffer.from(text)
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length }
  const [br, gzipped] = await Promise.all([promisify(brotliCompress)(plain, { params }), promisify(gzip)(plain)])
  return { type, etag: etagOf(plain), plain, br, gzip: gzipped }
}

/** Sends a prepared text, or a 304 to a client that has it; caches ask each time. */
export function sendPrepared(request: FastifyRequest, reply: FastifyReply, text: PreparedText): FastifyReply {
  reply.header('cache-control', 'no-cache').header('etag', text.etag).type(text.type)
  vary(reply, 'accept-encoding')
  if (isKept(request.headers['if-none-match'], text.etag)) return reply.code(304).send()
  const encoding = takes(request, 'br') ? 'br' : takes(request, 'gzip') ? 'gzip' : null
  if (encoding) reply.header('content-encoding', encoding)
  return reply.send(text[encoding ?? 'plain'])
}
