import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import pino from 'pino'
import type { Call } from '../../contract/call.ts'
import { type CallId, calls, type Input, type Output } from '../../contract/calls.ts'
import type { Services } from '../../server/core/context.ts'
import { readSettings } from '../../server/core/settings.ts'
import { type Tx, transact } from '../../server/db/connect.ts'
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
/** An empty page of the same origin, for clearing storage. */
export const BLANK = '/blank'
/** A request of the page to a call, as its body is read by the test's server. */
const IS_CALL = /^\/(v1|v3\/portal|v3\/rewards|auth)\//

const routes = (Object.entries(calls) as [CallId, Call][])
  .map(([id, call]) => ({
    id,
    call,
    names: [...call.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!),
    address: new RegExp(`^${call.path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '([^/]+)')}/?$`),
  }))
  .sort((a, b) => a.names.length - b.names.length)
const routeOf = (method: string, path: string) =>
  routes.find(({ call, address }) => call.method === method && address.test(path))

const settingsFor = (folder: string, url: string) =>
  readSettings({ DATA_DIR: folder, NODE_ENV: 'test', DEMO: 'none', PUBLIC_URL: url, TIME_ZONE: 'America/New_York' })
/** The server's log: its errors go to `faults`. */
const logTo = (faults: (line: string) => void) => pino({ level: 'error' }, { write: faults })

/** Writes the marketplace that every test begins with to a folder. */
export async function makeTemplate(folder: string): Promise<void> {
  const services = await createServices(
    settingsFor(folder, 'http://127.0.0.1'),
    logTo((line) => {
      throw new Error(line)
    }),
  )
  await fillMarketplace(services)
  await closeServices(services)
}

/** A real server in this process, on its own copy of the marketplace. */
interface Running {
  app: FastifyInstance
  services: Services
  make: ReturnType<typeof makers>
  folder: string
  sessions: Map<number, Record<string, string>>
}

/**
 * The server behind component tests: the real one, in this process.
 * A test that changed the database leaves the next one a server on a new copy.
 */
export class Portal {
  readonly market = MARKET
  writes: Write[] = []
  /** Errors of the server, each of which fails the test. */
  faults: string[] = []
  /** Errors that a test sets for calls, in place of their responses. */
  readonly refusals = new Map<CallId, { status: number; body: object }>()
  url = ''
  private readonly template: string
  private running: Running | undefined
  private changed = false
  private user: number = 1
  private heard = 0
  private readonly front = createServer((request, response) => {
    void this.answer(request, response).catch((error: Error) => {
      this.faults.push(`${request.method} ${request.url}: ${error.stack}`)
      response.destroy()
    })
  })

  constructor(template: string) {
    this.template = template
  }

  async start(): Promise<void> {
    await new Promise<void>((done) => this.front.listen(0, '127.0.0.1', done))
    // With the usual five seconds, a slow test could meet a connection that is just being closed.
    this.front.keepAliveTimeout = 120_000
    this.url = `http://127.0.0.1:${(this.front.address() as AddressInfo).port}`
  }

  async stop(): Promise<void> {
    this.front.closeAllConnections()
    await new Promise((done) => this.front.close(done))
    await this.close()
  }

  private async close(): Promise<void> {
    if (!this.running) return
    const { app, services, folder } = this.running
    this.running = undefined
    services.live.drain()
    await app.close()
    await closeServices(services)
    rmSync(folder, { recursive: true, force: true })
  }

  private async open(): Promise<Running> {
    const folder = mkdtempSync(join(this.template, '..', 'portal-'))
    copyFileSync(join(this.template, 'fieldwork.db'), join(folder, 'fieldwork.db'))
    const services = await createServices(
      settingsFor(folder, this.url),
      logTo((line) => void this.faults.push(line)),
    )
    const app = await buildApp(services)
    await app.ready()
    return { app, services, make: makers(services), folder, sessions: new Map() }
  }

  /** Starts over with a new marketplace, signed in as an administrator. */
  async begin(): Promise<void> {
    if (this.changed) await this.close()
    this.running ??= await this.open()
    this.changed = false
    this.writes = []
    this.faults = []
    this.refusals.clear()
    await this.as('admin')
  }

  /** Signs the page in as the administrator, or as a client user. */
  async as(role: 'admin' | 'client'): Promise<void> {
    this.user = role === 'admin' ? 1 : 6
    await this.headersOf(this.user)
  }

  private async headersOf(id: number): Promise<Record<string, string>> {
    const { services, sessions } = this.running!
    const known = sessions.get(id)
    if (known) return known
    const user = this.market.people.find((one) => one.id === id)!
    const headers = await signedIn(services, { id, email: `${user.first_name.toLowerCase()}@mail.test` })
    sessions.set(id, headers)
    return headers
  }

  /** Creates records directly in the database. */
  get make(): Running['make'] {
    this.changed = true
    return this.running!.make
  }

  /** The database, for what a test reads. */
  get db(): Services['database']['db'] {
    return this.running!.services.database.db
  }

  /** Changes the database directly. */
  async change<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    this.changed = true
    return await transact(this.running!.services.database, work)
  }

  /** Makes a call in another session of the administrator; throws if it is refused. */
  async call<Id extends CallId>(id: Id, input: Partial<Input<Id>> & Record<string, unknown>): Promise<Output<Id>> {
    const { app, services } = this.running!
    this.changed = true
    const { method, url, body } = requestOf(id, input)
    const answer = await app.inject({
      method: method as 'GET',
      url,
      headers: {
        ...(await signedIn(services, { id: 1, email: 'sara@mail.test' })),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { payload: body as object }),
    })
    if (answer.statusCode >= 400) throw new Error(`${id} answered ${answer.statusCode}: ${answer.body}`)
    return JSON.parse(answer.body) as Output<Id>
  }

  /** True once a page listens for live events. */
  get isHeard(): boolean {
    return this.heard > 0
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url!, this.url)
    if (pathname === BLANK) {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' })
      response.end('<!doctype html><title>Blank</title>')
      return
    }
    const running = this.running!
    if (IS_CALL.test(pathname)) {
      const route = routeOf(request.method!, pathname)
      const refused = route && this.refusals.get(route.id)
      if (refused) {
        request.resume()
        response.writeHead(refused.status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
        response.end(JSON.stringify(refused.body))
        return
      }
      request.headers.cookie = `fieldwork=${running.sessions.get(this.user)!['access-token']}`
      if (route?.id === 'live.stream') {
        this.heard++
        response.on('close', () => this.heard--)
      }
      if (route && route.call.method !== 'GET') {
        this.changed = true
        this.note(route, request, response)
      }
    }
    running.app.routing(request, response)
  }

  /** Notes a write once it succeeded. */
  private note({ id, call, names, address }: (typeof routes)[number], request: IncomingMessage, response: ServerResponse): void {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.pause()
    response.on('finish', () => {
      if (response.statusCode >= 400) return
      void this.parsed(id, call, Buffer.concat(pieces), request).then((given) => {
        if (!given) return
        for (const [at, name] of names.entries())
          given[name] = decodeURIComponent(address.exec(new URL(request.url!, this.url).pathname)![at + 1]!)
        const input = call.input.safeParse(given)
        this.writes.push({ id, input: input.success ? input.data : given })
      })
    })
  }

  private async parsed(_id: CallId, call: Call, body: Buffer, request: IncomingMessage): Promise<Record<string, unknown> | null> {
    const type = request.headers['content-type'] ?? ''
    const { searchParams } = new URL(request.url!, this.url)
    const values: Record<string, unknown> = Object.fromEntries(searchParams)
    if (type.startsWith('multipart/')) {
      for (const [name, value] of await new Response(body, { headers: { 'content-type': type } }).formData()) {
        if (typeof value !== 'string') continue
        if (name === call.wraps) Object.assign(values, JSON.parse(value))
        else values[name] = value
      }
    } else Object.assign(values, JSON.parse(body.toString() || '{}'))
    const own = 'dry' in (call.input as { shape?: object }).shape!
    if (!own && values.dry) return null
    return values
  }
}
void readFileSync
