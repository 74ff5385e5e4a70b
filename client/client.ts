import { CALLS, type Calls } from './calls.ts'

export { verifyWebhook, WebhookError, type WebhookMessage } from './webhook.ts'

/** Where the server is, and who calls. */
export interface ClientOptions {
  /** The address of the portal, with https unless it is this machine. */
  url: string
  /** A token; a key of intake is sent as one, too. */
  token: string
  /** Sends a request; `fetch` by default. */
  fetch?: typeof fetch
  /** How often a request is sent at most, 5 by default; it is repeated only where that is safe. */
  tries?: number
  /** The longest pause in seconds that a server may ask for, 120 by default. */
  longestWait?: number
}

/** How one call is sent. */
export interface CallOptions {
  signal?: AbortSignal
  /** A key of your own, with which a write that is sent again runs once; by default every write gets a new one. */
  idempotencyKey?: string
  /** Does everything but storing it. */
  dry?: boolean
  /** Files to send, in the call's form. */
  files?: readonly { name: string; content: Blob }[]
  /** A batch as lines of JSON, in place of its rows. */
  lines?: string | Blob
}

/** A refusal or a failure: decide by `code`, never by the sentence. */
export class FieldworkError extends Error {
  /** 0 if the server can't be reached. */
  readonly status: number
  readonly code: string
  /** A sentence for each wrong field, and its code. */
  readonly fields: Readonly<Record<string, string>>
  readonly fieldCodes: Readonly<Record<string, string>>
  readonly requestId: string
  /** The whole response. */
  readonly body: Readonly<Record<string, unknown>>
  constructor(status: number, body: Readonly<Record<string, unknown>>) {
    super(typeof body.message === 'string' ? body.message : `The server responded with ${status}.`)
    this.name = 'FieldworkError'
    this.status = status
    this.body = body
    this.code = String(body.code ?? '')
    this.fields = (body.fields ?? {}) as Record<string, string>
    this.fieldCodes = (body.field_codes ?? {}) as Record<string, string>
    this.requestId = String(body.request_id ?? '')
  }
}

/** The calls whose response is a list of records. */
export type ListId = { [Id in keyof Calls]: Calls[Id]['output'] extends { data: readonly unknown[] } ? Id : never }[keyof Calls]
/** A record of a list. */
export type Row<Id extends ListId> = Calls[Id]['output'] extends { data: readonly (infer R)[] } ? R : never

export interface Client {
  /** Makes a call and returns its response. */
  call<Id extends keyof Calls>(id: Id, input?: Calls[Id]['input'], options?: CallOptions): Promise<Calls[Id]['output']>
  /** Every record of a list, page by page: by cursor, so that none is left out that was there all the time. */
  each<Id extends ListId>(id: Id, input?: Calls[Id]['input'], options?: CallOptions): AsyncGenerator<Row<Id>>
}

const MOST_TRIES = 5
const LONGEST_WAIT = 120
const PER_PAGE = 500
const BUSY: readonly number[] = [429, 503]
/** Answers of what stands between: the request may have been done. */
const UNSURE: readonly number[] = [502, 504]

const textOf = (value: unknown): string =>
  typeof value === 'boolean' ? (value ? '1' : '0') : typeof value === 'object' ? JSON.stringify(value) : String(value)

function queryOf(values: Readonly<Record<string, unknown>>): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) {
    if (Array.isArray(value)) for (const one of value) search.append(`${name}[]`, textOf(one))
    else if (value !== undefined && value !== null) search.append(name, textOf(value))
  }
  return search.size ? `?${search}` : ''
}

/** The address, body and content type of a call. */
function requestOf(id: string, input: Readonly<Record<string, unknown>>, { dry, files, lines }: CallOptions) {
  const row = CALLS[id]
  if (!row) throw new TypeError(`There is no call “${id}”.`)
  const rest: Record<string, unknown> = { ...(row.generations ? { generation: 'any' } : {}), ...input }
  const path = row.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const text = String(rest[name] ?? '')
    delete rest[name]
    if (!text || /^\.{1,2}$/.test(text)) throw new TypeError(`${id} needs ${name}.`)
    return encodeURIComponent(text)
  })
  const tried = dry ? { dry: 1 } : {}
  if (row.method === 'GET') return { row, path: `${path}${queryOf({ ...rest, ...tried })}` }
  if (lines !== undefined)
    return { row, path: `${path}${queryOf({ ...rest, ...tried })}`, body: lines, type: 'application/x-ndjson' }
  if (files?.length && row.files) {
    const form = new FormData()
    // Fields come first, because the server reads them before the files.
    for (const [name, value] of Object.entries(rest))
      if (value !== undefined) form.append(name, value === null ? '' : textOf(value))
    for (const { name, content } of files) form.append(row.files, content, name)
    return { row, path: `${path}${queryOf(tried)}`, body: form }
  }
  return {
    row,
    path: `${path}${queryOf(tried)}`,
    ...(row.bodiless ? {} : { body: JSON.stringify(rest), type: 'application/json' }),
  }
}

const bodyOf = (text: string): Record<string, unknown> => {
  try {
    const parsed: unknown = JSON.parse(text)
    return parsed && typeof parsed === 'object' ? (parsed as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

/** Waits; rejects as soon as the signal is aborted. */
const pause = (seconds: number, signal?: AbortSignal): Promise<void> =>
  new Promise((done, fail) => {
    const stop = () => {
      clearTimeout(timer)
      fail(signal!.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      done()
    }, seconds * 1000)
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })

/** The cursor of the page behind a response; null after the last one. */
const cursorOf = (headers: Headers): string | null => {
  const next = /<[^<>]*[?&]cursor=([^&<>]*)[^<>]*>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
  return next === undefined ? null : decodeURIComponent(next)
}

/** Opens a client of a server's API for a token. */
export function createClient({ url, token, tries = MOST_TRIES, longestWait = LONGEST_WAIT, ...more }: ClientOptions): Client {
  const origin = new URL(url)
  if (origin.protocol !== 'https:' && !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(origin.hostname))
    throw new TypeError('Use https: others could read the token.')
  const base = origin.href.replace(/\/$/, '')
  const fetchOne = more.fetch ?? fetch

  async function send(id: string, input: Readonly<Record<string, unknown>>, options: CallOptions) {
    const { row, path, body, type } = requestOf(id, input, options)
    const key = row.writes && !options.dry ? (options.idempotencyKey ?? crypto.randomUUID()) : undefined
    // Files and lines have no key, so they are sent again only if the server can't have processed them.
    const repeats = !row.writes || options.dry === true || body === undefined || type === 'application/json'
    const headers = {
      ...{ accept: 'application/json', authorization: `Bearer ${token}` },
      ...(key === undefined ? {} : { 'idempotency-key': key }),
      ...(type === undefined ? {} : { 'content-type': type }),
    }
    for (let attempt = 1; ; attempt++) {
      const isLast = attempt >= tries
      let answer: Response
      try {
        const { signal = null } = options
        // Redirects aren't followed, because the token is for this server alone.
        answer = await fetchOne(`${base}${path}`, { method: row.method, headers, body: body ?? null, redirect: 'manual', signal })
      } catch (error) {
        if (options.signal?.aborted || !repeats || isLast)
          throw options.signal?.aborted ? error : new FieldworkError(0, { message: `${base} can’t be reached: ${String(error)}` })
        await pause(2 ** (attempt - 2), options.signal)
        continue
      }
      if (answer.ok) return answer
      const refusal = new FieldworkError(answer.status, bodyOf(await answer.text()))
      const asked = Number(answer.headers.get('retry-after') ?? Number.NaN)
      const seconds = Number.isFinite(asked) ? asked : 2 ** (attempt - 1)
      const isUnsure = UNSURE.includes(answer.status) || refusal.code === 'in_doubt'
      const isBusy = isUnsure ? repeats : BUSY.includes(answer.status)
      if (!isBusy || isLast || seconds > longestWait) throw refusal
      await pause(seconds, options.signal)
    }
  }

  return {
    async call(id, input = {}, options = {}) {
      const answer = await send(id, input as Record<string, unknown>, options)
      const text = await answer.text()
      return (text ? JSON.parse(text) : null) as never
    },
    async *each(id, input = {}, options = {}) {
      let cursor: string | null = null
      do {
        const place: Record<string, unknown> = cursor === null ? {} : { cursor, page: undefined }
        const answer = await send(id, { per_page: PER_PAGE, ...(input as Record<string, unknown>), ...place }, options)
        const { data } = (await answer.json()) as { data: readonly never[] }
        yield* data
        cursor = cursorOf(answer.headers)
      } while (cursor !== null)
    },
  }
}
