import { createServer, connect as dial, type Socket } from 'node:net'
import pg from 'pg'
import pino from 'pino'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { readSettings } from '../../server/core/settings.ts'
import { connect } from '../../server/db/connect.ts'
import { migrate } from '../../server/db/migrate.ts'
import { buildApp } from '../../server/http/app.ts'
import { closeServices, createServices } from '../../server/services.ts'
import { closeAfterFile } from '../support/after-file.ts'
import { engine, migratedDatabase } from '../support/engine.ts'
import { type Postgres, startPostgres } from '../support/postgres.ts'
import { callsTo, listenTo } from './outside.ts'
import { type Fieldwork, fieldwork } from './support.ts'

/** A type and a length, then the rest: a message of PostgreSQL that says it is ready for statements is `Z`. */
const HEAD = 5
const READY = 'Z'.charCodeAt(0)

/** Removes the messages of a sign-in from what a server sends; returns null until all of them have come. */
function afterSignIn(bytes: Buffer): Buffer | null {
  for (let at = 0; at + HEAD <= bytes.length; ) {
    const next = at + 1 + bytes.readUInt32BE(at + 1)
    if (next > bytes.length) return null
    if (bytes[at] === READY) return bytes.subarray(next)
    at = next
  }
  return null
}

/**
 * A pooler in front of several PostgreSQL, on a port of this machine.
 * Its clients keep their connections while it leads them to another server, and lose what their session was.
 */
async function startPooler(first: Postgres) {
  const socketOf = ({ adminUrl }: Postgres) => `${new pg.Client(adminUrl).host}/.s.PGSQL.5432`
  let target = first
  const switches = new Set<() => void>()
  const server = createServer((client) => {
    let hello: Buffer | undefined
    let behind: Socket
    const lead = (to: Postgres, isFirst: boolean) => {
      const there = dial(socketOf(to))
      let greeting: Buffer | null = isFirst ? null : Buffer.alloc(0)
      behind = there
      there.on('error', () => client.destroy()).on('close', () => behind === there && client.destroy())
      there.on('data', (bytes) => {
        if (!greeting) return void client.write(bytes)
        greeting = Buffer.concat([greeting, bytes])
        const rest = afterSignIn(greeting)
        if (!rest) return
        greeting = null
        client.write(rest)
      })
      if (hello) there.write(hello)
    }
    const follow = () => {
      const former = behind
      lead(target, false)
      former.destroy()
    }
    lead(target, true)
    switches.add(follow)
    client
      .on('error', () => {})
      .on('close', () => {
        switches.delete(follow)
        behind.destroy()
      })
    client.on('data', (bytes) => {
      hello ??= bytes
      behind.write(bytes)
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  closeAfterFile(() => new Promise((done) => server.close(done)))
  return {
    url: (database: string) => `postgres://postgres@127.0.0.1:${(server.address() as { port: number }).port}/${database}`,
    /** Leads everybody to another server. */
    switchTo(other: Postgres) {
      target = other
      for (const follow of switches) follow()
    },
  }
}

describe.runIf(engine === 'postgres')('a server whose listening connection goes through a pooler', () => {
  let primary: Postgres
  let replica: Postgres
  let pooler: Awaited<ReturnType<typeof startPooler>>
  let fw: Fieldwork
  let url: string
  /** Another process on the same database, which listens to the primary itself. */
  let other: ReturnType<typeof callsTo>
  beforeAll(async () => {
    const started = await startPostgres()
    if ('reason' in started) throw new Error(started.reason)
    primary = started
    closeAfterFile(() => primary.stop())
    const DATABASE_URL = await primary.url('demoted')
    const database = connect({ url: DATABASE_URL })
    await migrate(database)
    await database.close()
    replica = await primary.standby()
    closeAfterFile(() => replica.stop())
    pooler = await startPooler(primary)
    fw = await fieldwork({ DATABASE_URL, DATABASE_LISTEN_URL: pooler.url('demoted') }, 'fatal')
    url = await fw.app.listen({ port: 0, host: '127.0.0.1' })
    const env = { ...(await migratedDatabase()), DATABASE_URL, NODE_ENV: 'test', DEMO: 'none' }
    const services = await createServices(readSettings(env), pino({ level: 'silent' }))
    const app = await buildApp(services)
    closeAfterFile(async () => {
      await app.close()
      await closeServices(services)
    })
    other = callsTo(await app.listen({ port: 0, host: '127.0.0.1' }), fw.as('admin').headers)
  }, 120_000)

  /** Listens from now on; `arrives` waits for all that has been written since, each event once and in order. */
  async function listen() {
    const from = await fw.services.live.last()
    const ear = await listenTo(url, fw.as('admin').headers)
    onTestFinished(ear.stop)
    const arrives = async () => {
      const written = (await fw.services.live.since(from)).map(({ id }) => id)
      await vi.waitFor(() => expect(ear.events.at(-1)?.id).toBe(written.at(-1)), { timeout: 15_000, interval: 20 })
      expect(ear.events.map(({ id }) => id)).toEqual(written)
      expect(ear.open).toBe(true)
      return written.length
    }
    return { ear, arrives }
  }
  const write = async (name: string) => expect((await other.call('client.create', { name })).status).toBe(200)

  test('gives it up where it leads to a replica, and gets every event once when it leads to a primary again', async () => {
    const { ear, arrives } = await listen()
    await write('Before')
    expect(await arrives()).toBe(1)
    pooler.switchTo(replica)
    for (let at = 0; at < 5; at++) await write(`Meanwhile ${at}`)
    await vi.waitFor(() => expect(ear.said).toContain('away'), { timeout: 15_000, interval: 20 })
    pooler.switchTo(primary)
    await vi.waitFor(() => expect(ear.said).toContain('back'), { timeout: 15_000, interval: 20 })
    await write('After')
    expect(await arrives()).toBe(7)
  }, 60_000)

  test('notices that it has lost its session between two beats, and gets every event once', async () => {
    const { arrives } = await listen()
    await write('Before it')
    expect(await arrives()).toBe(1)
    pooler.switchTo(replica)
    pooler.switchTo(primary)
    await write('After it')
    expect(await arrives()).toBe(2)
  }, 60_000)
})
