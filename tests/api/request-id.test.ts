import pg from 'pg'
import pino from 'pino'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { readSettings } from '../../server/core/settings.ts'
import { closeServices, createServices } from '../../server/services.ts'
import { engine, migratedDatabase } from '../support/engine.ts'
import { makers } from '../support/makers.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { signedIn } from './calling.ts'

let server: TestServer
let user: number
let headers: Record<string, string>
let databaseUrl: string | undefined

beforeAll(async () => {
  const place = { ...(await migratedDatabase()), DEMO: 'none' }
  databaseUrl = place.DATABASE_URL
  const services = await createServices(readSettings({ ...place, NODE_ENV: 'test' }), pino({ level: 'silent' }))
  const admin = await makers(services).user({ role: 'admin' })
  user = admin.id
  headers = await signedIn(services, admin)
  await closeServices(services)
  server = await startServer({ ...place, TRUST_PROXY: '1', LOG_LEVEL: 'info' })
})
afterAll(() => server?.kill())

const list = (id?: string) =>
  fetch(`${server.url}/v3/portal/clients`, { headers: { ...headers, ...(id && { 'x-request-id': id }) } })
/** The lines of the server's log about requests. */
const logged = () =>
  server
    .log()
    .split('\n')
    .filter((line) => line.includes('"msg":"request"'))
    .map((line) => JSON.parse(line) as Record<string, unknown>)

test('the id by which a proxy logs a request is in our response and log, with the call and who made it', async () => {
  const answer = await list('proxy-7f3a.1')
  expect([answer.status, answer.headers.get('x-request-id')]).toEqual([200, 'proxy-7f3a.1'])
  const line = () => logged().find(({ reqId }) => reqId === 'proxy-7f3a.1')
  await vi.waitFor(() => expect(line()).toMatchObject({ user, call: 'client.list', status: 200 }))
})

test('an id that isn’t one is replaced', async () => {
  for (const id of ['*/ select 1', 'short', 'x'.repeat(65)]) {
    const { headers } = await list(id)
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  }
})

test.runIf(engine === 'postgres')('PostgreSQL shows which request a statement belongs to', async () => {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  onTestFinished(() => client.end())
  // Another statement of the server may follow on the same connection, so it may take a second request.
  await vi.waitFor(async () => {
    await list('proxy-sql-1')
    const { rows } = await client.query<{ query: string }>(
      `select query from pg_stat_activity where application_name = 'fieldwork' and datname = current_database()`,
    )
    const tag = `/* request proxy-sql-1 user ${user} */ `
    expect(rows.filter(({ query }) => query.startsWith(tag))).not.toEqual([])
  })
})
