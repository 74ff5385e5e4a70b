import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, resolve } from 'node:path'
import type { Call } from '../../../contract/call.ts'
import { type CallId, calls } from '../../../contract/calls.ts'
import { RAISED_HEADER } from '../../../contract/headers.ts'
import { nounOf } from '../../../contract/nounOf.ts'
import { ANSWERS, FakeError, type SentFile } from './answers.ts'
import { type Marketplace, type Me, newMarketplace } from './marketplace.ts'

const WEB = resolve(import.meta.dirname, '../../../dist/web')
const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.woff2': 'font/woff2',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
}
/** Paths of calls; all others belong to the workspace. */
const API = /^\/(v1|v3\/portal|v3\/rewards|auth)\//

interface Route {
  id: CallId
  call: Call
  address: RegExp
  names: string[]
}
// Paths without parameters match first.
const routes: Route[] = (Object.entries(calls) as [CallId, Call][])
  .map(([id, call]) => ({
    id,
    call,
    names: [...call.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!),
    address: new RegExp(`^${call.path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '([^/]+)')}/?$`),
  }))
  .sort((a, b) => a.names.length - b.names.length)

/** The version that an edit raised, as the header names it; empty for other writes. */
function raisedBy(call: CallId, input: unknown, output: unknown): string {
  const [sent, made] = [input, (output as { data?: unknown }).data] as { id?: number; lock_version?: number }[]
  if (sent?.lock_version === undefined || made?.lock_version === undefined) return ''
  const noun = call.split('.')[0]!
  return `${nounOf(noun)?.of ?? noun}/${made.id}=${sent.lock_version}-${made.lock_version}`
}

/** A write: the call and its parsed input. */
export interface Write {
  id: CallId
  input: unknown
}

/**
 * Serves the built workspace over a fake api in this process, with responses from a marketplace in memory.
 * A call without a handler, and a response that breaks its schema in the contract, fail the test.
 */
export class FakeApi {
  market: Marketplace = newMarketplace()
  writes: Write[] = []
  faults: string[] = []
  /** True turns calls without a response into an error on the screen instead of a failure of the test. */
  lenient = false
  /** Errors that a test sets for calls, in place of their responses. */
  readonly refusals = new Map<CallId, { status: number; body: object }>()
  url = ''
  private undo = new Map<number, { call: CallId; market: Marketplace }>()
  private events = 0
  /** What a stream that connects late gets. */
  private latest: LiveEvent[] = []
  private readonly streams = new Set<ServerResponse>()
  private readonly server = createServer((request, response) => {
    this.answer(request, response).catch((error: Error) => {
      if (!this.lenient) this.faults.push(`${request.method} ${request.url}: ${error.stack}`)
      send(response, 500, { message: error.message, code: 'fault', fields: {} })
    })
  })

  async start(): Promise<void> {
    await new Promise<void>((done) => this.server.listen(0, '127.0.0.1', done))
    // With the usual five seconds, a slow test could meet a connection that is just being closed.
    this.server.keepAliveTimeout = 120_000
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections()
    await new Promise((done) => this.server.close(done))
  }

  /** Starts over with a new marketplace, signed in as an admin or client user. */
  begin(role: Me['role'] = 'admin'): void {
    this.market = newMarketplace(role)
    this.writes = []
    this.faults = []
    this.lenient = false
    this.refusals.clear()
    this.undo.clear()
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url!, this.url)
    if (!API.test(pathname)) return serve(pathname, response)
    const route = routes.find(({ call, address }) => call.method === request.method && address.test(pathname))
    if (route?.id === 'live.stream') return this.stream(request, response)
    const answer = route && ANSWERS[route.id]
    if (!answer && !(route && /^undo\./.test(route.id))) {
      if (!this.lenient) this.faults.push(`The fake api has no answer to ${route?.id ?? `${request.method} ${pathname}`}.`)
      return send(response, 501, { message: 'The fake api has no answer to this.', code: 'no_answer', fields: {} })
    }
    const { id, call, names, address } = route!
    const body = await bodyOf(request, call)
    const given: Record<string, unknown> = { ...valuesOf(searchParams), ...body.values }
    // Most writes support dry runs; some have a `dry` field of their own.
    const dry = 'dry' in (call.input as { shape?: object }).shape! ? undefined : given.dry
    if (dry) delete given.dry
    for (const [at, name] of names.entries()) given[name] = decodeURIComponent(address.exec(pathname)![at + 1]!)
    const input = call.input.safeParse(given)
    if (!input.success) {
      const fields = Object.fromEntries(input.error.issues.map(({ path, message }) => [path.join('.'), message]))
      return send(response, 422, { message: Object.values(fields)[0], code: 'invalid', fields })
    }
    const refused = this.refusals.get(id)
    if (refused) return send(response, refused.status, refused.body)
    const writes = call.method !== 'GET'
    const before = writes && (call.undo || dry) ? structuredClone(this.market) : null
    try {
      const output = answer
        ? (answer as (input: unknown, market: Marketplace, files: readonly SentFile[]) => unknown)(
            input.data,
            this.market,
            body.files,
          )
        : this.take(id, input.data as { id: number })
      const held = call.output.safeParse(output)
      if (!held.success) throw new Error(`The fake’s answer to ${id} breaks the contract: ${held.error.message}`)
      const headers: Record<string, string> = { 'x-live-last': String(this.events) }
      if (dry && before) {
        this.market = before
        return send(response, 200, output, headers)
      }
      if (writes) {
        this.writes.push({ id, input: input.data })
        const first = this.events + 1
        if (before) {
          this.undo.set(first, { call: id, market: before })
          this.market.last_undo = first
          headers['x-undo'] = String(first)
          const raised = raisedBy(id, input.data, output)
          if (raised) headers[RAISED_HEADER] = raised
        }
        this.tell(id, call)
        headers['x-live-own'] = `${first}-${this.events}`
      }
      send(response, 200, output, headers)
    } catch (refusal) {
      if (!(refusal instanceof FakeError)) throw refusal
      send(response, refusal.status, refusal.body)
    }
  }

  /** Undoes or redoes a write by exchanging the marketplace for the one before or after it. */
  private take(id: CallId, { id: write }: { id: number }): unknown {
    const other = this.undo.get(write)
    if (!other) throw new FakeError(409, 'changed_since', 'This can’t be undone any more.')
    const { call, market } = other
    this.undo.set(write, { call, market: this.market })
    this.market = market
    return { data: { id: write, call, undone: id === 'undo.take' }, message: 'Done' }
  }

  /** True once a page listens for events. */
  get isHeard(): boolean {
    return this.streams.size > 0
  }

  /** Sends live events of somebody else's change. */
  say(...nouns: string[]): void {
    for (const noun of nouns) this.send({ noun, own: false })
  }

  private send({ noun, own }: { noun: string; own: boolean }): void {
    const event = { id: ++this.events, noun, subject_id: 0, project_id: null, kind: 'put', own }
    this.latest.push(event)
    if (this.latest.length > MOST_EVENTS) this.latest.shift()
    for (const stream of this.streams) stream.write(blockOf(event))
  }

  /** Sends a write's live events. */
  private tell(id: CallId, { refreshes = [] }: Call): void {
    const own = id.split('.')[0]!
    const nouns = /^undo\./.test(id)
      ? ['project', 'client', 'note', 'account', 'partner', 'question', 'content', 'location', 'team', 'user', 'filter']
      : [nounOf(own)?.of ?? own, ...refreshes]
    for (const noun of nouns) this.send({ noun, own: true })
  }

  /** Opens a stream, with the events since the one that the page knows. */
  private stream({ headers }: IncomingMessage, response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
    const since = Number(headers['last-event-id'] ?? this.events)
    const later = this.latest.filter(({ id }) => id > since)
    const missed = later.length < this.events - since
    response.write(
      `event: hello\nid: ${missed ? this.events : since}\ndata: ${JSON.stringify({ cursor: this.events, missed })}\n\n`,
    )
    if (!missed) for (const event of later) response.write(blockOf(event))
    this.streams.add(response)
    response.on('close', () => this.streams.delete(response))
  }
}

/** How many events are kept for streams that connect late. */
const MOST_EVENTS = 200
interface LiveEvent {
  id: number
}
const blockOf = (event: LiveEvent): string => `id: ${event.id}\ndata: ${JSON.stringify(event)}\n\n`

function send(response: ServerResponse, status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers })
  response.end(JSON.stringify(body))
}

const valuesOf = (query: URLSearchParams): Record<string, unknown> =>
  Object.fromEntries(
    [...new Set(query.keys())].map((name) =>
      name.endsWith('[]') ? [name.slice(0, -2), query.getAll(name)] : [name, query.get(name)],
    ),
  )

/** Reads a JSON or multipart body; a wrapped form is unwrapped, as the server does. */
async function bodyOf(
  request: IncomingMessage,
  { wraps }: Call,
): Promise<{ values: Record<string, unknown>; files: SentFile[] }> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  const whole = Buffer.concat(pieces)
  const type = request.headers['content-type'] ?? ''
  if (!type.startsWith('multipart/')) return { values: JSON.parse(whole.toString() || '{}'), files: [] }
  const values: Record<string, unknown> = {}
  const files: SentFile[] = []
  for (const [name, value] of await new Response(whole, { headers: { 'content-type': type } }).formData()) {
    if (typeof value !== 'string') files.push({ name: value.name, size: value.size })
    else if (name === wraps) Object.assign(values, JSON.parse(value))
    else values[name] = value
  }
  return { values, files }
}

const files = new Map<string, Buffer>()
const fileOf = (path: string): Buffer => {
  const bytes = files.get(path) ?? readFileSync(join(WEB, path))
  files.set(path, bytes)
  return bytes
}

/** Serves a built file, the empty page for BLANK, and the workspace's page for every other path. */
function serve(path: string, response: ServerResponse): void {
  const type = TYPES[extname(path)]
  if (path === BLANK || !type) {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' })
    response.end(path === BLANK ? '<!doctype html><title>Blank</title>' : fileOf('index.html'))
    return
  }
  response.writeHead(200, { 'content-type': type, 'cache-control': 'public, max-age=31536000, immutable' })
  response.end(fileOf(path))
}
/** An empty page of the same origin, for clearing storage. */
export const BLANK = '/blank'
