import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Insertable, Selectable } from 'kysely'
import pino from 'pino'
import type { Call } from '../../contract/call.ts'
import { type CallId, calls, type Input, type Output } from '../../contract/calls.ts'
import type { NewsKindId } from '../../contract/news.ts'
import type { Noun } from '../../contract/nouns.ts'
import { COOKIE } from '../../server/core/authenticate.ts'
import type { Services } from '../../server/core/context.ts'
import { readSettings } from '../../server/core/settings.ts'
import { type Tx, transact } from '../../server/db/connect.ts'
import type { Schema } from '../../server/db/schema.ts'
import { signMailLink } from '../../server/domain/news/mailLink.ts'
import { buildApp } from '../../server/http/app.ts'
import { closeServices, createServices } from '../../server/services.ts'
import { requestOf, signedIn } from '../api/calling.ts'
import { makers } from './makers.ts'
import { fillMarketplace, MARKET } from './marketplace.ts'

/** A write of the page: the call and its parsed input. */
export interface Write {
  id: CallId
  input: unknown
}
interface Refusal {
  status: number
  body: object
}
type Change = (output: never, input: never) => void
/** An empty page of the same origin, for clearing storage. */
export const BLANK = '/blank'
/** The workspace's own headers: without them each test began in a new process of the browser, a third of its cost. */
const ISOLATED = { 'cross-origin-opener-policy': 'same-origin', 'origin-agent-cluster': '?1' }
/** Paths of calls; all others belong to the workspace. */
const API = /^\/(v1|v3\/portal|v3\/rewards|auth)\//
const DATABASE = 'fieldwork.db'
/** The user who looks at the page, by role. */
const USERS = { admin: MARKET.people[0]!, client: MARKET.people[5]! }

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

type Headers = Record<string, string>
/** A server on its own copy of the marketplace. */
interface Running {
  app: FastifyInstance
  services: Services
  folder: string
  /** The session of the user who looks at the page, by role. */
  sessions: Map<keyof typeof USERS, Headers>
}
/** Tables of records with an id. */
type Table = { [T in keyof Schema]: Schema[T] extends { id: unknown } ? T : never }[keyof Schema] & 'projects'

/** Writes the marketplace that every test begins with to a file. */
export async function makeTemplate(file: string): Promise<void> {
  const portal = new Portal(file)
  await portal.start()
  await portal.begin()
  await fillMarketplace(portal)
  if (portal.faults.length) throw new Error(portal.faults.join('\n'))
  await portal.stop(file)
}

/**
 * The server behind the pages of component tests: the real one, in this process, with the user signed in.
 * A test that changed its marketplace leaves the next one a server on a new copy.
 */
export class Portal {
  readonly market = MARKET
  /** The page's writes that succeeded, without dry runs. */
  writes: Write[] = []
  /** Errors in the server's log, each of which fails the test. */
  faults: string[] = []
  /** Errors that a test sets for calls, in place of their responses. */
  readonly refusals = new Map<CallId, Refusal>()
  url = ''
  private readonly template: string
  private running: Running | undefined
  private isChanged = false
  private role: keyof typeof USERS = 'admin'
  private streams = 0
  private readonly changes = new Map<CallId, Change>()
  private readonly front = createServer((request, response) => {
    this.answer(request, response).catch((error: Error) => {
      this.faults.push(`${request.method} ${request.url}: ${error.stack}`)
      response.destroy()
    })
  })

  /** Over copies of a database file, or an empty database without it. */
  constructor(template: string) {
    this.template = template
  }

  async start(): Promise<void> {
    await new Promise<void>((done) => this.front.listen(0, '127.0.0.1', done))
    // With the usual five seconds, a slow test could meet a connection that is just being closed.
    this.front.keepAliveTimeout = 120_000
    this.url = `http://127.0.0.1:${(this.front.address() as AddressInfo).port}`
  }

  /** Stops, and copies the database to a file. */
  async stop(file?: string): Promise<void> {
    this.front.closeAllConnections()
    await new Promise((done) => this.front.close(done))
    await this.close(file)
  }

  private async close(file?: string): Promise<void> {
    if (!this.running) return
    const { app, services, folder } = this.running
    this.running = undefined
    await app.close()
    await closeServices(services)
    if (file) copyFileSync(join(folder, DATABASE), file)
    rmSync(folder, { recursive: true, force: true })
  }

  private async open(): Promise<Running> {
    const folder = mkdtempSync(join(dirname(this.template), 'portal-'))
    if (existsSync(this.template)) copyFileSync(this.template, join(folder, DATABASE))
    const settings = readSettings({
      ...{ DATA_DIR: folder, NODE_ENV: 'test', DEMO: 'none', PUBLIC_URL: this.url, TIME_ZONE: 'America/New_York' },
    })
    const log = pino({ level: 'error' }, { write: (line: string) => void this.faults.push(line) })
    const services = await createServices(settings, log)
    const app = await buildApp(services)
    await app.ready()
    return { app, services, folder, sessions: new Map() }
  }

  /** Starts over with a new marketplace, signed in as an administrator. */
  async begin(): Promise<void> {
    if (this.isChanged) await this.close()
    this.running ??= await this.open()
    this.isChanged = false
    this.writes = []
    this.faults = []
    this.refusals.clear()
    this.changes.clear()
    this.role = 'admin'
  }

  /** Signs in as the administrator or the client user, from the next request of the page. */
  as(role: keyof typeof USERS): void {
    this.role = role
  }

  /** The user who is signed in. */
  get me(): (typeof MARKET.people)[number] {
    return USERS[this.role]
  }

  /** The database, for reading. */
  get db(): Services['database']['db'] {
    return this.running!.services.database.db
  }

  /** Creates records, without history or live events. */
  get make(): ReturnType<typeof makers> {
    this.isChanged = true
    return makers(this.running!.services)
  }

  /** Changes the database, without history or live events. */
  async change<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    this.isChanged = true
    return await transact(this.running!.services.database, work)
  }

  /** Sets columns of a record, without history or live events. */
  async set<T extends keyof Schema>(table: T, id: number, values: Partial<Insertable<Schema[T]>>): Promise<void> {
    await this.change((tx) =>
      tx
        .updateTable(table as Table)
        .set(values as object)
        .where('id', '=', id)
        .execute(),
    )
  }

  /** Stores a file's content. */
  async saveFile(key: string, content: Buffer, mime: string): Promise<void> {
    this.isChanged = true
    await this.running!.services.files.put(key, content, mime)
  }

  /** A record as it is stored. */
  async row<T extends keyof Schema>(table: T, id: number): Promise<Selectable<Schema[T]>> {
    return (await this.db
      .selectFrom(table as Table)
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()) as unknown as Selectable<Schema[T]>
  }

  /** Makes a call as somebody else, an administrator in a session of their own; throws if it is refused. */
  async call<Id extends CallId>(id: Id, input: Partial<Input<Id>> & Record<string, unknown>): Promise<Output<Id>> {
    const { app, services } = this.running!
    this.isChanged = true
    const { method, url, body } = requestOf(id, input)
    const headers = await signedIn(services, { id: USERS.admin.id, email: emailOf(USERS.admin) })
    const answer = await app.inject({
      ...{ method: method as 'GET', url },
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { payload: body as object }),
    })
    if (answer.statusCode >= 400) throw new Error(`${id} answered ${answer.statusCode}: ${answer.body}`)
    return JSON.parse(answer.body) as Output<Id>
  }

  /** Tells pages that records of these nouns have changed. */
  async say(...nouns: Noun[]): Promise<void> {
    const { live } = this.running!.services
    const events = nouns.map((noun) => ({ noun, id: 0, audience: 'admin' as const }))
    const range = await this.change((tx) => live.append(tx, events, null, new Date().toISOString(), ''))
    live.wake(range![1])
  }

  /** Changes what a call returns to the page; the result must still be what the contract says. */
  shows<Id extends CallId>(id: Id, change: (output: Output<Id>, input: Input<Id>) => void): void {
    this.changes.set(id, change as Change)
  }

  /** The token in an email’s link that stops these kinds of news for the user who looks at the page. */
  stopToken(...kinds: NewsKindId[]): string {
    return signMailLink(this.running!, this.me.id, kinds).token
  }

  /** True once a page listens for live events. */
  get isHeard(): boolean {
    return this.streams > 0
  }

  private async session(): Promise<Headers> {
    const { services, sessions } = this.running!
    const user = this.me
    const headers = sessions.get(this.role) ?? (await signedIn(services, { id: user.id, email: emailOf(user) }))
    sessions.set(this.role, headers)
    return headers
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url!, this.url)
    const { app } = this.running!
    if (pathname === BLANK) {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache', ...ISOLATED })
      response.end('<!doctype html><title>Blank</title>')
      return
    }
    if (!API.test(pathname)) return app.routing(request, response)
    const route = routes.find(({ call, address }) => call.method === request.method && address.test(pathname))
    const refused = route && this.refusals.get(route.id)
    if (refused) {
      request.resume()
      return send(response, refused.status, refused.body)
    }
    // A page that has signed in by itself has its own.
    if (!request.headers.cookie?.includes(`${COOKIE}=`))
      request.headers.cookie = `${COOKIE}=${(await this.session())['access-token']}`
    if (!route) return app.routing(request, response)
    const change = this.changes.get(route.id)
    if (change) return this.changed(route, change, request, response)
    if (route.id === 'live.stream') {
      this.streams++
      response.on('close', () => this.streams--)
    } else if (route.call.method !== 'GET') {
      this.isChanged = true
      this.note(route, request, response)
    }
    app.routing(request, response)
  }

  private async changed(
    { id, call, ...route }: Route,
    change: Change,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const headers = { ...(request.headers as Headers), 'accept-encoding': 'identity' }
    const answer = await this.running!.app.inject({ method: 'GET', url: request.url!, headers })
    if (answer.statusCode !== 200) return send(response, answer.statusCode, JSON.parse(answer.body) as object)
    const output = JSON.parse(answer.body) as never
    change(output, this.inputOf({ id, call, ...route }, request, {}) as never)
    const held = call.output.safeParse(output)
    if (!held.success) throw new Error(`The answer to ${id} breaks the contract: ${held.error.message}`)
    const live = answer.headers['x-live-last']
    send(response, 200, output, live ? { 'x-live-last': String(live) } : {})
  }

  /** Notes a write once it has succeeded. */
  private note(route: Route, request: IncomingMessage, response: ServerResponse): void {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    // The server reads it from the beginning.
    request.pause()
    const arrived = new Promise<void>((done) => request.once('end', done))
    const sent = arrived.then(() => valuesOf(Buffer.concat(pieces), request.headers['content-type'] ?? '', route.call))
    response.on('finish', async () => {
      if (response.statusCode >= 400) return
      const input = this.inputOf(route, request, await sent)
      if (input) this.writes.push({ id: route.id, input })
    })
  }

  /** A request's input, parsed by the contract; null for a dry run. */
  private inputOf({ call, names, address }: Route, request: IncomingMessage, sent: Record<string, unknown>): unknown {
    const { pathname, searchParams } = new URL(request.url!, this.url)
    const values: Record<string, unknown> = { ...queryOf(searchParams), ...sent }
    if (values.dry && !('dry' in (call.input as { shape?: object }).shape!)) return null
    for (const [at, name] of names.entries()) values[name] = decodeURIComponent(address.exec(pathname)![at + 1]!)
    const parsed = call.input.safeParse(values)
    return parsed.success ? parsed.data : values
  }
}

const emailOf = ({ first_name }: { first_name: string }) => `${first_name.toLowerCase()}@mail.test`

const queryOf = (query: URLSearchParams): Record<string, unknown> =>
  Object.fromEntries(
    [...new Set(query.keys())].map((name) =>
      name.endsWith('[]') ? [name.slice(0, -2), query.getAll(name)] : [name, query.get(name)],
    ),
  )

/** A body's values; a wrapped form is unwrapped, as the server does, and files are left out. */
async function valuesOf(body: Buffer, type: string, { wraps }: Call): Promise<Record<string, unknown>> {
  if (type.startsWith('application/json')) return JSON.parse(body.toString() || '{}') as Record<string, unknown>
  if (!type.startsWith('multipart/')) return {}
  const values: Record<string, unknown> = {}
  for (const [name, value] of await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData()) {
    if (typeof value !== 'string') continue
    if (name === wraps) Object.assign(values, JSON.parse(value))
    else values[name] = value
  }
  return values
}

function send(response: ServerResponse, status: number, body: object, headers: Headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers })
  response.end(JSON.stringify(body))
}
