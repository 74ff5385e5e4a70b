import pino from 'pino'
import { afterAll } from 'vitest'
import type { Call } from '../../contract/call.ts'
import { type CallId, calls, type Input, type Output } from '../../contract/calls.ts'
import { buildApp } from '../../server/app.ts'
import type { House } from '../../server/context.ts'
import { transact } from '../../server/db/connect.ts'
import { closeHouse, openHouse } from '../../server/house.ts'
import { hashToken, randomToken } from '../../server/secrets.ts'
import { readSettings } from '../../server/settings.ts'
import { freshDatabase } from '../support/engine.ts'
import { makers } from './makers.ts'

/** An answer as a test reads it: a refusal's body has message, code and fields beside what the call would answer. */
export interface Answer<Id extends CallId = CallId> {
  status: number
  body: Output<Id> & { message: string; code: string; fields: Record<string, string>; allowed: string[] }
  headers: Record<string, unknown>
  text: string
}
type Headers = Record<string, string>

/** A caller: makes calls of the table with their own rights. */
export interface Person {
  headers: Headers
  call<Id extends CallId>(id: Id, input?: Partial<Input<Id>> & Record<string, unknown>, headers?: Headers): Promise<Answer<Id>>
  raw(method: string, url: string, body?: unknown, headers?: Headers): Promise<Answer>
}

/** A real server over a fresh, empty database of this run's engine, with an administrator and a client user of one client; closed after the file. */
export async function fieldwork(env: Record<string, string> = {}) {
  const settings = readSettings({
    ...(await freshDatabase()),
    NODE_ENV: 'test',
    DEMO: 'none',
    PUBLIC_URL: 'http://fieldwork.test',
    ...env,
  })
  const house = await openHouse(settings, pino({ level: process.env.LOG_LEVEL ?? 'error' }))
  const app = await buildApp(house)
  const make = makers(house)
  const client = await make.client({ name: 'Acme Beverage' })
  const admin = await make.user({ role: 'admin', email: 'admin@fieldwork.test', first_name: 'Ada', last_name: 'Admin' })
  const member = await make.user({
    role: 'client',
    email: 'client@fieldwork.test',
    first_name: 'Cleo',
    last_name: 'Client',
    clients: [client.id],
  })
  afterAll(async () => {
    await app.close()
    await closeHouse(house)
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
  const session = (user: { id: number; email: string }) => signedIn(house, user)
  const people = { admin: person(await session(admin)), client: person(await session(member)), stranger: person({}) }
  return {
    app,
    house,
    make,
    client,
    admin,
    member,
    db: house.database.db,
    as: (who: 'admin' | 'client' | 'stranger') => people[who],
    /** Signs somebody in, without a password. */
    signIn: async (user: { id: number; email: string }) => person(await session(user)),
    person,
    write: <T>(work: Parameters<typeof transact<T>>[1]) => transact(house.database, work),
  }
}
export type Fieldwork = Awaited<ReturnType<typeof fieldwork>>

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

/** A call's request: path parameters filled in, the rest in the query of a read and the body of a write. */
export function requestOf(id: CallId, input: Record<string, unknown>): { method: string; url: string; body?: unknown } {
  const row = calls[id] as Call
  const rest = { ...input }
  const path = row.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name]
    delete rest[name]
    return encodeURIComponent(String(value ?? 999_999_999))
  })
  if (row.method !== 'GET') return { method: row.method, url: path, body: rest }
  const query = new URLSearchParams(
    Object.entries(rest)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]): [string, string] => [name, String(value)]),
  ).toString()
  return { method: 'GET', url: query ? `${path}?${query}` : path }
}

async function signedIn(house: House, user: { id: number; email: string }): Promise<Headers> {
  const token = randomToken()
  const client = randomToken(9)
  const now = new Date()
  const expires = new Date(now.getTime() + 14 * 86_400_000)
  await transact(house.database, (tx) =>
    tx
      .insertInto('sessions')
      .values({
        user_id: user.id,
        client,
        token_hash: hashToken(token),
        admin_id: null,
        reason: null,
        user_agent: 'test',
        created_at: now.toISOString(),
        last_seen_at: now.toISOString(),
        expires_at: expires.toISOString(),
      })
      .execute(),
  )
  return {
    'access-token': token,
    'token-type': 'Bearer',
    client,
    expiry: String(Math.floor(expires.getTime() / 1000)),
    uid: user.email,
  }
}
