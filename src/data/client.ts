import { calls } from 'virtual:calls'
import type { CallId, Output } from '../../contract/calls.ts'
import { type Api, ApiError } from './api.ts'

/** Who hears of calls that were made: the session of a 401, the caches of a write. */
export interface Listener {
  unauthorized(): void
  written(id: CallId): void
}
let listener: Listener = { unauthorized() {}, written() {} }

/** Says who hears; set once, at the start. */
export const hearCalls = (heard: Listener): void => {
  listener = heard
}

const JUST_NOW_MS = 2000
let wroteAt = Number.NEGATIVE_INFINITY
/** True when this page has just written something, and so has asked anew for what that changed. */
export const wroteJustNow = (): boolean => performance.now() - wroteAt < JUST_NOW_MS

type Values = Readonly<Record<string, unknown>>

/** The address of a call: path parameters filled, and the rest of the input as a query when `query`. Lists are `name[]`. */
export function addressOf(id: CallId, input: Values, query: boolean): { url: string; rest: Values } {
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

async function send(id: CallId, input: unknown, signal?: AbortSignal): Promise<unknown> {
  const [method] = calls[id]!
  const inQuery = method === 'GET' || method === 'DELETE'
  const { url, rest } = addressOf(id, (input ?? {}) as Values, inQuery)
  const body = inQuery ? undefined : JSON.stringify(rest)
  const headers = body === undefined ? HEADERS : { ...HEADERS, 'content-type': 'application/json' }
  let answer: Response
  try {
    answer = await fetch(url, { method, headers, body: body ?? null, credentials: 'same-origin', signal: signal ?? null })
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw unreachable(id)
  }
  return read(id, answer.status, await answer.text(), answer.headers.get('x-request-id'))
}

const unreachable = (id: CallId) =>
  new ApiError(0, 'unreachable', 'The server could not be reached. Please check the connection and try again.', { call: id })

function read(id: CallId, status: number, text: string, requestId: string | null): unknown {
  const body = parse(text)
  if (status >= 200 && status < 300) {
    if (calls[id]![0] !== 'GET') {
      wroteAt = performance.now()
      listener.written(id)
    }
    return body
  }
  // A wrong password is a 401 too, and no reason to leave the login.
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
    ? 'That was a little too often. Please wait a moment and try again.'
    : status >= 500
      ? 'The server could not do this just now. Nothing was lost; please try again.'
      : `The server refused this (${status}).`

/** The typed client; everything the workspace asks of the server goes through it. */
export const api: Api = {
  read: (id, input, signal) => send(id, input, signal) as Promise<never>,
  write: (id, input, options) => send(id, input, options?.signal) as Promise<never>,
  upload: (id, form, options = {}) => upload(id, form, options) as Promise<never>,
}

/** Multipart by XMLHttpRequest: `fetch` cannot say how much of a body has gone. */
function upload(
  id: CallId,
  form: FormData,
  { signal, onProgress }: { signal?: AbortSignal; onProgress?: (share: number) => void },
): Promise<unknown> {
  return new Promise<unknown>((done, failed) => {
    const request = new XMLHttpRequest()
    const path: Record<string, unknown> = {}
    for (const [name, value] of form) if (typeof value === 'string' && calls[id]![1].includes(`{${name}}`)) path[name] = value
    request.open(calls[id]![0], addressOf(id, path, false).url)
    for (const [name, value] of Object.entries(HEADERS)) request.setRequestHeader(name, value)
    request.upload.onprogress = (event) => event.lengthComputable && onProgress?.(event.loaded / event.total)
    request.onload = () => {
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

export type { Output }
