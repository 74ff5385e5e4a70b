import { createReadStream, openAsBlob } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { ApiError, type ErrorBody, UsageError } from '../verbs/errors.ts'
import { headersFor, type Request, type Sender, type SendOptions } from '../verbs/request.ts'
import { ExitError } from './errors.ts'
import type { Connection } from './settings.ts'

const MOST_TRIES = 5
/** The longest pause (seconds) a server may ask for before the program gives up. */
const LONGEST_WAIT = 120
const AGENT = 'fieldwork-command-line'
/** Milliseconds until a server must start to respond; a file may take longer after that. */
const TIMEOUT = 120_000

/** Calls a server's API with a token. */
export class Remote implements Sender {
  readonly #connection: Connection
  readonly #fetch: typeof fetch
  constructor(connection: Connection, fetcher: typeof fetch = fetch) {
    this.#connection = connection
    this.#fetch = fetcher
  }

  get url(): string {
    return this.#connection.url
  }

  /** True if there is a token to send. */
  get signedIn(): boolean {
    return this.#connection.token !== null
  }

  /** Sends a request, retrying while the server is busy; throws its errors. */
  async send(request: Request, options: SendOptions = {}): Promise<Response> {
    // Files and forms have no key, so they are sent again only if the server can't have processed them.
    const repeats = options.reads || (options.key !== undefined && !request.form && !request.lines)
    for (let attempt = 1; ; attempt++) {
      let answer: Response
      try {
        answer = await this.#once(request, options)
      } catch (error) {
        if (options.signal?.aborted || error instanceof UsageError) throw error
        const why = reasonOf(error)
        if (!repeats || attempt === MOST_TRIES) throw new ApiError(0, { message: `${this.url} can’t be reached: ${why}.` })
        await this.#wait(2 ** (attempt - 2), why, options)
        continue
      }
      if (answer.ok || answer.status === 304) return answer
      const { status } = answer
      const text = await answer.text()
      const refusal = new ApiError(status, errorBodyOf(text, status), text)
      const unsure = status === 502 || status === 504 || refusal.body.code === 'in_doubt'
      const busy = unsure ? repeats : status === 429 || status === 503
      const retryAfter = Number(answer.headers.get('retry-after') ?? Number.NaN)
      const seconds = Number.isFinite(retryAfter) ? retryAfter : 2 ** (attempt - 1)
      if (!busy || attempt === MOST_TRIES || seconds > LONGEST_WAIT) throw refusal
      await this.#wait(seconds, refusal.message, options)
    }
  }

  async #wait(seconds: number, why: string, { signal, waits }: SendOptions): Promise<void> {
    waits?.(seconds, why)
    await delay(seconds * 1000, undefined, { signal })
  }

  async #once(request: Request, options: SendOptions): Promise<Response> {
    const { signal } = options
    const { token } = this.#connection
    const begins = new AbortController()
    const late = setTimeout(() => begins.abort(new Error(`no response within ${TIMEOUT / 1000} seconds`)), TIMEOUT)
    try {
      const answer = await this.#fetch(`${this.url}${request.url}`, {
        method: request.method,
        headers: {
          accept: 'application/json, */*;q=0.5',
          'user-agent': AGENT,
          ...(token ? { authorization: `Bearer ${token}` } : {}),
          ...headersFor(options),
          ...(request.lines ? { 'content-type': 'application/x-ndjson' } : {}),
          ...(request.body ? { 'content-type': 'application/json' } : {}),
        },
        ...(await bodyOf(request)),
        // Redirects aren't followed, because the token is for this server only.
        redirect: 'manual',
        signal: signal ? AbortSignal.any([signal, begins.signal]) : begins.signal,
      })
      if (answer.status >= 300 && answer.status < 400 && answer.status !== 304)
        throw new UsageError(`${this.url} redirects to ${answer.headers.get('location') ?? 'elsewhere'}. Use that address.`)
      return answer
    } finally {
      clearTimeout(late)
    }
  }

  /** Sends a request and parses its JSON; `text` is the body as received. */
  async json(request: Request, options: SendOptions = {}): Promise<{ value: unknown; text: string; headers: Headers }> {
    const answer = await this.send(request, options)
    const text = await answer.text()
    try {
      return { value: text ? JSON.parse(text) : null, text, headers: answer.headers }
    } catch {
      throw new ExitError(`${this.url} didn’t respond with JSON. Is it a Fieldwork server?`)
    }
  }

  /** Downloads the file of a signed link, without sending the token. */
  async file(link: string, signal?: AbortSignal): Promise<Response> {
    const address = new URL(link, `${this.url}/`)
    const answer = await this.#fetch(address, { headers: { 'user-agent': AGENT }, signal: signal ?? null })
    if (!answer.ok) {
      const text = await answer.text()
      throw new ApiError(answer.status, errorBodyOf(text, answer.status), text)
    }
    return answer
  }
}

/** The body of a request; a file of lines is streamed. */
async function bodyOf({ body, form, lines }: Request): Promise<RequestInit> {
  if (lines && 'text' in lines) return { body: lines.text }
  if (lines) return { body: createReadStream(lines.path) as unknown as ReadableStream, duplex: 'half' } as RequestInit
  if (!form) return body ? { body: JSON.stringify(body) } : {}
  const data = new FormData()
  // Fields come first, because the server reads them before the files.
  for (const [name, value] of Object.entries(form.values)) data.append(name, value)
  for (const { path, name } of form.files) {
    const blob = await openAsBlob(path).catch((error: Error) => {
      throw new UsageError(`${path} can’t be read: ${error.message}`)
    })
    data.append(form.name, blob, name)
  }
  return { body: data }
}

/** The body of an error response; a proxy's HTML page isn't shown. */
function errorBodyOf(text: string, status: number): ErrorBody {
  try {
    const parsed = JSON.parse(text) as ErrorBody
    if (parsed && typeof parsed === 'object') return parsed
  } catch {
    // Not JSON: the response of a proxy in between.
  }
  return { message: `The server responded with ${status}.` }
}

const reasonOf = (error: unknown): string => {
  const { cause, message, code } = error as { cause?: { code?: string; message?: string }; message: string; code?: string }
  return cause?.message || cause?.code || code || message
}
