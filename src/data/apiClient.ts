import { calls, loadCalls } from 'virtual:calls'
import type { CallId, Input, ReadId } from '../../contract/calls.ts'
import { RAISED_HEADER } from '../../contract/headers.ts'
import { beforeIdle } from '../ui/idle.ts'
import { type Api, ApiError, nameOfWrite, type WriteOptions } from './api.ts'
import { noteOwnVersions, withOwnVersion } from './ownVersions.ts'
import { noteServerTime } from './serverClock.ts'
import { refreshedBy } from './staleNouns.ts'

/** Called after calls: by a 401 to end the session, by a write to refresh caches. */
export interface Listener {
  unauthorized(): void
  written(id: CallId): void
}
let listener: Listener = { unauthorized() {}, written() {} }

/** Registers the listener, once at startup. */
export const onCalls = (added: Listener): void => {
  listener = added
}

/** Used by the live stream: this page's own writes, and where to start. */
let writing = 0
let begin: string | null = null
const own: { first: number; last: number; call: CallId }[] = []
/** True while a write awaits its response, since its events may arrive first. */
export const isWriting = (): boolean => writing > 0
/** True for an event of a write of this page, which has refreshed its nouns already. */
export const isOwnWrite = (event: { id: number; noun: string }): boolean =>
  own.some(({ first, last, call }) => event.id >= first && event.id <= last && refreshedBy(call).has(event.noun))
/** The last event before the user was read at startup; null if the server sent none. */
export const liveBegin = (): string | null => begin
let stream: { readonly id: string | null } = { id: null }
/** Lets reads name the live stream's position, so that no replica serves them that lacks what was announced. */
export const nameInReads = (at: typeof stream): void => {
  stream = at
}

const OWN_KEPT = 50
/** The last event that a response includes. */
const LIVE_LAST = 'x-live-last'
function noteLive(call: CallId, header: (name: string) => string | null): void {
  if (call === 'session.validate') begin = header(LIVE_LAST) ?? begin
  for (const range of header('x-live-own')?.split(', ') ?? []) {
    const [first, last] = range.split('-').map(Number)
    if (first && last) own.push({ first, last, call })
  }
  if (own.length > OWN_KEPT) own.splice(0, own.length - OWN_KEPT)
}

/** A write that its change set `id` can undo, with the name its caller gave it. */
export interface Undoable {
  id: number
  call: CallId
  input: unknown
  named?: string | undefined
}
let heardUndoable: (write: Undoable) => void = () => {}
/** Registers the listener for undoable writes made without a command. */
export const onUndoable = (added: typeof heardUndoable): void => {
  heardUndoable = added
}
/** A write that awaits its response; undo waits for it. */
export interface PendingCall {
  call: CallId
  /** When it was sent, by performance.now(). */
  at: number
  /** Its caller's handler of change sets, shared by all writes of a step. */
  undoable: WriteOptions['undoable']
  /** The change set that undoes it, once the server has responded. */
  id?: number
  /** Resolves to the error, or to undefined. */
  ended: Promise<unknown>
}
const onTheirWay = new Set<PendingCall>()
/** Returns this page's writes without a response, in the order they were sent. */
export const pendingCalls = (): readonly PendingCall[] => [...onTheirWay]

type Noting = WriteOptions & { undoable: (id: number) => void }

/** Makes a write, tracks it until its response, and passes on its change set under its current name. */
function followed(call: CallId, input: unknown, options: WriteOptions, make: (noting: Noting) => Promise<unknown>) {
  const named = nameOfWrite()
  const one: PendingCall = { call, at: performance.now(), undoable: options.undoable, ended: Promise.resolve() }
  const undoable = (id: number) => {
    one.id = id
    options.undoable ? options.undoable(id) : heardUndoable({ id, call, input, named })
  }
  const answer = make({ ...options, undoable })
  // Dry runs and undo itself leave nothing to undo.
  if (calls[call]?.[2] === null || call.startsWith('undo.')) return answer
  const end = (error?: unknown) => {
    onTheirWay.delete(one)
    return error
  }
  one.ended = answer.then(() => end(), end)
  onTheirWay.add(one)
  return answer
}

type Values = Readonly<Record<string, unknown>>

/** Builds a call's URL: fills path parameters, and puts the rest into a query when `query`. Arrays are `name[]`. */
function addressOf(id: CallId, input: Values, query: boolean): { url: string; rest: Values } {
  const rest: Record<string, unknown> = { ...input }
  const path = calls[id]![1].replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name]
    delete rest[name]
    if (value === undefined || value === null || value === '')
      throw new ApiError(0, 'no_parameter', `${id} needs ${name}`, { call: id })
    return encodeURIComponent(String(value))
  })
  if (!query) return { url: path, rest }
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(rest)) {
    if (Array.isArray(value)) for (const one of value) search.append(`${key}[]`, String(one))
    else if (value !== undefined && value !== null)
      search.append(key, typeof value === 'boolean' ? (value ? '1' : '0') : String(value))
  }
  const text = search.toString()
  return { url: text ? `${path}?${text}` : path, rest: {} }
}

const HEADERS = { accept: 'application/json', 'x-fieldwork': 'workspace' }

/** Hashes an attempt's input to 53 bits. The server also compares the whole input. */
function sumOf(text: string): string {
  let [a, b] = [0xdeadbeef, 0x41c6ce57]
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    a = Math.imul(a ^ code, 2654435761)
    b = Math.imul(b ^ code, 1597334677)
  }
  return `${(a >>> 0).toString(36)}.${(b >>> 0).toString(36)}`
}

/** The header that identifies a write by its attempt and its input. */
const keyOf = (attempt: string | undefined, id: CallId, input: unknown): Record<string, string> =>
  attempt ? { 'idempotency-key': `${attempt}.${sumOf(`${id} ${JSON.stringify(input)}`)}` } : {}

/** The reads since the user was read at startup and before the first live event, until `earlierReads` takes them. */
let earlier: { id: CallId; url: string }[] | undefined = []
/** Hands them over, once, and forgets early responses that nothing took. */
export function earlierReads(): NonNullable<typeof earlier> {
  const reads = earlier ?? []
  earlier = globalThis.earlyReads = undefined
  return reads
}

function request(id: CallId, input: unknown, { signal, attempt }: WriteOptions = {}): Promise<Response> {
  const [method] = calls[id]!
  const inQuery = method === 'GET' || method === 'DELETE'
  const { url, rest } = addressOf(id, (input ?? {}) as Values, inQuery)
  const body = inQuery ? undefined : JSON.stringify(rest)
  const seen = method === 'GET' && (stream.id ?? begin)
  const headers = {
    ...HEADERS,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(seen ? { 'x-live-seen': seen } : {}),
    ...keyOf(attempt, id, input),
  }
  const ask = () => fetch(url, { method, headers, body: body ?? null, credentials: 'same-origin', signal: signal ?? null })
  // What readEarly.ts has read is current until the first event or own write.
  if (method === 'GET' && seen === begin) {
    const early = globalThis.earlyReads?.[url]
    if (begin) earlier?.push({ id, url })
    if (early) {
      delete globalThis.earlyReads![url]
      // The stream begins where the user was read, and doesn't repeat what changed between an older response and that.
      return early.then((answer) => (Number(answer.headers.get(LIVE_LAST)) < Number(begin) ? ask() : answer))
    }
  } else globalThis.earlyReads = undefined
  return ask()
}

/** Converts an error: aborted calls keep theirs, all others mean that the server can't be reached. */
const broken = (id: CallId, error: unknown): unknown =>
  error instanceof ApiError || (error instanceof DOMException && error.name === 'AbortError') ? error : unreachable(id)

/** Makes sure that a call's row is loaded. Rows that the first screen doesn't need load when idle. */
const rowOf = async (id: CallId): Promise<void> => {
  try {
    await loadCalls()
  } catch {
    throw unreachable(id)
  }
}

async function send(id: CallId, input: unknown, options: WriteOptions = {}, dry = false): Promise<unknown> {
  let answer: Response
  let text: string
  if (!calls[id]) await rowOf(id)
  const writes = dry || calls[id]![0] === 'GET' ? 0 : 1
  writing += writes
  try {
    answer = await request(id, input, options)
    text = await answer.text()
  } catch (error) {
    throw broken(id, error)
  } finally {
    writing -= writes
  }
  noteLive(id, (name) => answer.headers.get(name))
  noteServerTime(answer.headers)
  noteOwnVersions(answer.headers.get(RAISED_HEADER), options.attempt)
  const undo = Number(answer.headers.get('x-undo'))
  if (undo) options.undoable?.(undo)
  return read(id, answer.status, text, answer.headers.get('x-request-id'), dry)
}

/** Streams a long response in pieces; errors throw as in other calls. */
export async function readBytes<Id extends ReadId>(
  id: Id,
  input: Input<Id>,
  signal?: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  if (!calls[id]) await rowOf(id)
  try {
    const answer = await request(id, input, signal ? { signal } : {})
    if (!answer.ok || !answer.body) read(id, answer.status, await answer.text(), answer.headers.get('x-request-id'))
    return piecesOf(answer.body!.getReader())
  } catch (error) {
    throw broken(id, error)
  }
}

async function* piecesOf(reader: ReadableStreamDefaultReader<Uint8Array>): AsyncGenerator<Uint8Array> {
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) yield piece.value
}

const unreachable = (id: CallId) =>
  new ApiError(0, 'unreachable', 'Can’t reach the server. Check your connection and try again.', { call: id })

function read(id: CallId, status: number, text: string, requestId: string | null, dry = false): unknown {
  const body = parse(text)
  if (status >= 200 && status < 300) {
    if (!dry && calls[id]![0] !== 'GET') listener.written(id)
    return body
  }
  // A wrong password is a 401 too, but no reason to end the session.
  if (status === 401 && id !== 'session.signIn') listener.unauthorized()
  const {
    message,
    code,
    fields,
    request_id,
    errors: _,
    ...more
  } = (body && typeof body === 'object' ? body : {}) as Record<string, unknown>
  throw new ApiError(
    status,
    typeof code === 'string' ? code : `http_${status}`,
    typeof message === 'string' ? message : sentenceOf(status),
    {
      fields: (fields ?? {}) as Record<string, string>,
      requestId: typeof request_id === 'string' ? request_id : requestId,
      more,
      call: id,
    },
  )
}

function parse(text: string): unknown {
  try {
    return text === '' ? null : JSON.parse(text)
  } catch {
    return text
  }
}

const sentenceOf = (status: number) =>
  status === 429
    ? 'Too many requests. Please wait a moment and try again.'
    : status >= 500
      ? 'The server couldn’t do this. Nothing was lost; please try again.'
      : `The server refused this (${status}).`

/** The typed client; every request of the workspace goes through it. */
export const api: Api = {
  read: (id, input, signal) => beforeIdle(send(id, input, signal ? { signal } : {}) as Promise<never>),
  write: (id, seen, options = {}) => {
    const input = withOwnVersion(id, seen, options.attempt)
    return followed(id, input, options, (noting) => send(id, input, noting)) as Promise<never>
  },
  dryRun: (id, input, signal) => send(id, { ...input, dry: 1 }, signal ? { signal } : {}, true) as Promise<never>,
  upload: (id, form, options = {}) =>
    followed(id, null, options, (noting) => upload(id, form, { ...options, ...noting })) as Promise<never>,
}

/** Sends multipart by XMLHttpRequest, because `fetch` can't report upload progress. */
async function upload(
  id: CallId,
  form: FormData,
  { signal, attempt, undoable, onProgress }: WriteOptions & { onProgress?: (share: number) => void },
): Promise<unknown> {
  if (!calls[id]) await rowOf(id)
  return new Promise<unknown>((done, failed) => {
    const request = new XMLHttpRequest()
    const path: Record<string, unknown> = {}
    for (const [name, value] of form) if (typeof value === 'string' && calls[id]![1].includes(`{${name}}`)) path[name] = value
    request.open(calls[id]![0], addressOf(id, path, false).url)
    const sent = [...form].map(([name, value]) => [name, typeof value === 'string' ? value : [value.name, value.size]])
    for (const [name, value] of Object.entries({ ...HEADERS, ...keyOf(attempt, id, sent) })) request.setRequestHeader(name, value)
    request.upload.onprogress = (event) => event.lengthComputable && onProgress?.(event.loaded / event.total)
    writing += 1
    request.onloadend = () => {
      writing -= 1
    }
    request.onload = () => {
      noteLive(id, (name) => request.getResponseHeader(name))
      noteOwnVersions(request.getResponseHeader(RAISED_HEADER))
      const undo = Number(request.getResponseHeader('x-undo'))
      if (undo) undoable?.(undo)
      try {
        done(read(id, request.status, request.responseText, request.getResponseHeader('x-request-id')))
      } catch (error) {
        failed(error as Error)
      }
    }
    request.onerror = () => failed(unreachable(id))
    request.onabort = () => failed(new DOMException('The upload was cancelled', 'AbortError'))
    signal?.addEventListener('abort', () => request.abort())
    request.send(form)
  })
}
