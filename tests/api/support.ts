import { join } from 'node:path'
import pino from 'pino'
import type { CallId, Input, Output } from '../../contract/calls.ts'
import { readSettings } from '../../server/core/settings.ts'
import { connect, type Database, transact } from '../../server/db/connect.ts'
import { buildApp } from '../../server/http/app.ts'
import { closeServices, createServices } from '../../server/services.ts'
import { closeAfterFile } from '../support/after-file.ts'
import { migratedDatabase } from '../support/engine.ts'
import { makers } from '../support/makers.ts'
import { requestOf, signedIn } from './calling.ts'

/** A response; an error's body has message, code and fields besides what the call would return. */
export interface Answer<Id extends CallId = CallId> {
  status: number
  body: Output<Id> & {
    message: string
    code: string
    fields: Record<string, string>
    field_codes: Record<string, string>
    allowed: string[]
  }
  headers: Record<string, unknown>
  text: string
}
type Headers = Record<string, string>

/** A caller who makes calls of the table with their own access rights. */
export interface Person {
  headers: Headers
  call<Id extends CallId>(id: Id, input?: Partial<Input<Id>> & Record<string, unknown>, headers?: Headers): Promise<Answer<Id>>
  raw(method: string, url: string, body?: unknown, headers?: Headers): Promise<Answer>
}

/**
 * A real server on an empty database of this engine, with an administrator and a client user; closed after the file.
 * Prints log lines of at least `level`.
 */
export async function fieldwork(env: Record<string, string> = {}, level = 'error') {
  const settings = readSettings({
    ...(await migratedDatabase()),
    NODE_ENV: 'test',
    DEMO: 'none',
    PUBLIC_URL: 'http://fieldwork.test',
    ...env,
  })
  const services = await createServices(settings, pino({ level: process.env.LOG_LEVEL ?? level }))
  const app = await buildApp(services)
  const make = makers(services)
  const client = await make.client({ name: 'Acme Beverage' })
  const admin = await make.user({ role: 'admin', email: 'admin@fieldwork.test', first_name: 'Ada', last_name: 'Admin' })
  const member = await make.user({
    role: 'client',
    email: 'client@fieldwork.test',
    first_name: 'Cleo',
    last_name: 'Client',
    clients: [client.id],
  })
  closeAfterFile(async () => {
    await app.close()
    await closeServices(services)
  })

  const person = (headers: Headers): Person => ({
    headers,
    raw: async (method, url, body, more = {}) => {
      const multipart = body instanceof Buffer || typeof body === 'string'
      const answer = await app.inject({
        method: method as 'GET',
        url,
        headers: { ...headers, ...(body !== undefined && !multipart ? { 'content-type': 'application/json' } : {}), ...more },
        ...(body === undefined ? {} : { payload: body as object }),
      })
      return { status: answer.statusCode, body: parsed(answer.body), headers: answer.headers, text: answer.body } as Answer
    },
    async call(id, input = {}, more) {
      const { method, url, body } = requestOf(id, input)
      return (await this.raw(method, url, body, more)) as never
    },
  })
  const session = (user: { id: number; email: string }) => signedIn(services, user)
  const people = { admin: person(await session(admin)), client: person(await session(member)), stranger: person({}) }
  return {
    app,
    services,
    make,
    client,
    admin,
    member,
    db: services.database.db,
    as: (who: 'admin' | 'client' | 'stranger') => people[who],
    /** Signs a user in without a password. */
    signIn: async (user: { id: number; email: string }) => person(await session(user)),
    person,
    write: <T>(work: Parameters<typeof transact<T>>[1]) => transact(services.database, work),
  }
}
export type Fieldwork = Awaited<ReturnType<typeof fieldwork>>

/** A connection beside the server, as another process has one; closed after the file. */
export function anotherConnection({ services: { settings } }: Fieldwork): Database {
  const { databaseUrl, dataDir } = settings
  const other = connect(databaseUrl ? { url: databaseUrl, poolSize: 2 } : { file: join(dataDir, 'fieldwork.db') })
  closeAfterFile(() => other.close())
  return other
}

/**
 * Leaves the messages of webhooks and the mails of news waiting, and keeps old ones.
 * Each later write would be sent to addresses where nobody answers, and again, for two fifths of such a file's time.
 * A mail of news could leave between two looks at everything stored.
 * `webhook.test.ts` and `news.test.ts` are about sending.
 */
export function withoutDeliveries({ services: { jobs } }: Fieldwork): void {
  jobs.define('webhook', {
    ...jobs.kind('webhook')!,
    prepare: async () => false,
    follows: async () => false,
    sweep: async () => undefined,
  })
  jobs.define('news', { ...jobs.kind('news')!, tick: async () => 0 })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
