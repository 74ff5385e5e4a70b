import { isUtf8 } from 'node:buffer'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ruleOf } from '../../contract/access.ts'
import type { Call } from '../../contract/call.ts'
import type { CallId } from '../../contract/calls.ts'
import { count } from '../../contract/format.ts'
import { HttpError, invalid } from '../core/errors.ts'
import { otherBytes } from '../core/input.ts'
import { yieldTurn } from '../core/yieldTurn.ts'

const KB = 1024
const MB = 1024 * KB

/** The largest bodies in bytes (docs/decisions/guards.md); uploaded files have their own limits. */
export const BODY_LIMIT = {
  /** Public calls. */
  public: 16 * KB,
  /** JSON of all other calls. */
  usual: 256 * KB,
  /** A batch as JSON; larger ones are sent as NDJSON. */
  batch: MB,
  /** A file's rows as JSON, sent by administrators. */
  long: 16 * MB,
  /** A batch as NDJSON, read line by line. */
  lines: 64 * MB,
  /** URL-encoded forms, and their pairs: Node's parser is slower than linear for many. */
  form: 32 * KB,
  pairs: 100,
} as const

/** Multiples of BODY_SECONDS in which a body must arrive. */
export const BODY_TIME = { usual: 1, lines: 5, upload: 15 } as const

/** A larger JSON body is parsed in its own turn of the event loop, so that many at once don't block it. */
const SMALL = 16 * KB

/** More values than any call accepts (10,000 ids, a batch of 500 rows), which would block the event loop. */
const MOST_VALUES = { usual: 15_000, batch: 150_000, long: 700_000 } as const

const LINES = ['application/x-ndjson', 'application/ndjson', 'application/jsonl', 'application/x-jsonlines']
const FORM = 'application/x-www-form-urlencoded'

/** The largest JSON body of a call, in bytes. */
export const bodyLimitOf = (id: CallId, row: Call): number =>
  row.long ? BODY_LIMIT.long : row.lines ? BODY_LIMIT.batch : ruleOf(id).who === 'public' ? BODY_LIMIT.public : BODY_LIMIT.usual

/** Multiple of BODY_SECONDS in which a call's body must arrive. */
export const bodyTimeOf = (row: Call): number =>
  row.as === 'multipart' ? BODY_TIME.upload : row.lines || row.long ? BODY_TIME.lines : BODY_TIME.usual

/** True if a body follows the headers. */
export const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

const tooLarge = (limit: number) =>
  new HttpError(413, 'too_large', `The request is too large: this call takes at most ${sized(limit)}.`)
const sized = (bytes: number): string => (bytes < MB ? `${Math.round(bytes / KB)} KB` : `${Math.round(bytes / MB)} MB`)

/** Checks a body by its headers before reading it: 415 for a compressed or wrong type, 413 for an announced size. */
export function refuseBody(id: CallId, row: Call, request: FastifyRequest): void {
  if (!hasBody(request)) return
  if (row.bodiless) {
    leaveUnread(request)
    return
  }
  const { 'content-encoding': encoding, 'content-type': type = '', 'content-length': length } = request.headers
  if (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity')
    throw new HttpError(415, 'content_encoding', 'Compressed bodies aren’t accepted. Send it without Content-Encoding.')
  const kind = type.split(';')[0]!.trim().toLowerCase()
  if (kind.startsWith('multipart/') && row.as !== 'multipart')
    throw new HttpError(415, 'media_type', 'This call doesn’t accept files. Send JSON.')
  if (LINES.includes(kind) && !row.lines) throw new HttpError(415, 'media_type', 'This call doesn’t accept NDJSON. Send JSON.')
  // Fastify reads text, but no call has a use for it: the fields in it would be ignored.
  if (kind === 'text/plain') throw new HttpError(415, 'media_type', 'This call doesn’t accept plain text. Send JSON.')
  if (kind.startsWith('multipart/')) return
  const limit = LINES.includes(kind)
    ? BODY_LIMIT.lines
    : Math.min(bodyLimitOf(id, row), kind === FORM ? BODY_LIMIT.form : Number.POSITIVE_INFINITY)
  if (Number(length) > limit) throw tooLarge(limit)
}

/** Without these headers, Fastify reads no body. */
function leaveUnread({ headers }: FastifyRequest): void {
  for (const name of ['content-type', 'content-length', 'transfer-encoding', 'content-encoding']) delete headers[name]
}

/**
 * How bodies are parsed: JSON (empty means {}), forms, and NDJSON, which stays a stream for calls with `lines`.
 * Drops `__proto__` and `constructor.prototype`; invalid JSON is a 400.
 */
export function readBodies(app: FastifyInstance): void {
  app.removeContentTypeParser('application/json')
  const parse = app.getDefaultJsonParser('remove', 'remove')
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    if (!isUtf8(bytes as Buffer)) return done(new HttpError(400, 'bad_json', 'The body is not UTF-8.'))
    const text = bytes.toString('utf8')
    const read = () =>
      parse(request, text, (error, body) =>
        error ? done(new HttpError(400, 'bad_json', 'The body is not valid JSON.')) : done(null, body),
      )
    if (text === '') return done(null, {})
    if (text.length <= SMALL) return read()
    const { bodyLimit } = request.routeOptions
    const most = MOST_VALUES[bodyLimit > BODY_LIMIT.batch ? 'long' : bodyLimit > BODY_LIMIT.usual ? 'batch' : 'usual']
    if (holdsMore(text, most)) return done(invalid('body', `The body holds more than ${count(most)} values`))
    void yieldTurn().then(read)
  })
  app.addContentTypeParser(FORM, { parseAs: 'string' }, (_request, body, done) => {
    const text = body as string
    if (Buffer.byteLength(text) > BODY_LIMIT.form) return done(tooLarge(BODY_LIMIT.form))
    if (text.split('&', BODY_LIMIT.pairs + 1).length > BODY_LIMIT.pairs)
      return done(new HttpError(413, 'too_large', `A form takes at most ${BODY_LIMIT.pairs} fields: send JSON.`))
    const fields = Object.fromEntries(new URLSearchParams(text))
    const [fault] = Object.entries(fields).flatMap(([field, value]) => otherBytes(field, value) ?? [])
    done(fault ?? null, fields)
  })
  app.addContentTypeParser(LINES, (_request, stream, done) => done(null, Readable.from(bounded(stream), { objectMode: false })))
}

const [QUOTE, ESCAPE, COMMA, BRACE, BRACKET] = [...'"\\,{['].map((letter) => letter.charCodeAt(0))

/** True if a JSON text holds more than `most` values, counted by separators without parsing. */
function holdsMore(text: string, most: number): boolean {
  let values = 0
  let quoted = false
  for (let at = 0; at < text.length; at++) {
    const letter = text.charCodeAt(at)
    if (letter === QUOTE) quoted = !quoted
    else if (quoted) at += letter === ESCAPE ? 1 : 0
    else if ((letter === COMMA || letter === BRACE || letter === BRACKET) && ++values > most) return true
  }
  return false
}

/** The unread NDJSON body of a call with `lines`; null for any other body. */
export const linesOf = (request: FastifyRequest): Readable | null => (request.body instanceof Readable ? request.body : null)

/** Fails with a 413 beyond the limit. */
async function* bounded(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let length = 0
  for await (const piece of stream) {
    length += piece.length
    if (length > BODY_LIMIT.lines) throw tooLarge(BODY_LIMIT.lines)
    yield piece
  }
}
