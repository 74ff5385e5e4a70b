import { mkdtempSync } from 'node:fs'
import { createServer, connect as dial, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import pg from 'pg'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { readSettings } from '../../server/core/settings.ts'
import { connect } from '../../server/db/connect.ts'
import { heartbeat } from '../../server/db/pgListener.ts'
import { closeServices, createServices } from '../../server/services.ts'
import { engine } from '../support/engine.ts'
import { makers } from '../support/makers.ts'
import { type Postgres, startPostgres } from '../support/postgres.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { signedIn } from './calling.ts'
import { type Came, callsTo, listenTo } from './outside.ts'

/** The promise (docs/operating.md): every call gets a response within this many ms, whatever the database does. */
const PROMISED_MS = 15_000

describe.runIf(engine === 'postgres')('a PostgreSQL that goes away', () => {
  let postgres: Postgres
  let server: TestServer
  let world: { url: string; project: number; headers: Record<string, string> }
  beforeAll(async () => {
    const started = await startPostgres(undefined, { durable: true })
    if ('reason' in started) throw new Error(started.reason)
    postgres = started
    const url = await postgres.url('away')
    const env = { DATA_DIR: mkdtempSync(join(inject('scratch'), 'away-')), DATABASE_URL: url, DEMO: 'none', LOG_LEVEL: 'warn' }
    const services = await createServices(readSettings({ ...env, NODE_ENV: 'test' }), pino({ level: 'silent' }))
    const make = makers(services)
    const project = await make.project({ client_id: (await make.client()).id })
    world = {
      url,
      project: project.id,
      headers: await signedIn(services, await make.user({ role: 'admin', email: 'admin@fieldwork.test' })),
    }
    await closeServices(services)
    server = await startServer(env)
  })
  afterAll(async () => {
    await server?.kill()
    await postgres?.stop()
  })

  let serial = 0
  /** Writes and reads from eight clients until stopped; returns every response, and the notes by their outcome. */
  function traffic() {
    const { call } = callsTo(server.url, world.headers)
    const answers: Came[] = []
    const outcomes = { yes: [] as string[], no: [] as string[], perhaps: [] as string[] }
    let going = true
    const work = async (side: number) => {
      while (going) {
        const note = `note ${++serial}`
        const answer = side % 4 ? await call('note.create', { project_id: world.project, note }) : await call('project.list')
        answers.push(answer)
        if (side % 4) outcomes[answer.status === 200 ? 'yes' : answer.body.code === 'database_away' ? 'no' : 'perhaps'].push(note)
        if (answer.status !== 200) await after(20)
      }
    }
    const sides = Promise.all(Array.from({ length: 8 }, (_, side) => work(side)))
    const stop = async () => {
      going = false
      await sides
      return { answers, said: outcomes }
    }
    return { stop, answers }
  }

  /** Waits until requests succeed repeatedly. */
  async function flowing({ answers }: { answers: readonly Came[] }): Promise<void> {
    const from = answers.length
    await vi.waitFor(() => expect(answers.slice(from).filter((answer) => answer.status === 200).length).toBeGreaterThan(8), {
      timeout: 20_000,
      interval: 10,
    })
  }

  /** Compares the outcomes reported for notes with the notes that exist. */
  async function reckon(outcomes: { yes: string[]; no: string[]; perhaps: string[] }) {
    const database = connect({ url: world.url, poolSize: 1 })
    const notes = (await database.db.selectFrom('notes').select('note').execute()).map((row) => row.note)
    await database.close()
    const there = new Set(notes)
    expect(notes).toHaveLength(there.size)
    expect(outcomes.yes.filter((note) => !there.has(note))).toEqual([])
    // "Nothing was changed" must be true as well.
    expect(outcomes.no.filter((note) => there.has(note))).toEqual([])
  }
  const connectionsOf = async () => {
    const client = new pg.Client(world.url)
    await client.connect()
    const { rows } = await client.query<{ n: number }>(
      "select count(*)::int as n from pg_stat_activity where application_name = 'fieldwork'",
    )
    await client.end()
    return rows[0]!.n
  }
  const health = async () => (await callsTo(server.url, {}).ask('/healthz')).status
  const isBack = () => vi.waitFor(async () => expect(await health()).toBe(200), { timeout: 10_000 })
  const refusals = (answers: readonly Came[]) => answers.filter((answer) => answer.status !== 200)
  function expectHonest(answers: readonly Came[]) {
    const refused = refusals(answers)
    expect(refused.length).toBeGreaterThan(0)
    expect(new Set(refused.map((one) => `${one.status} ${one.body.code}`))).toSatisfy((kinds: Set<string>) =>
      [...kinds].every((kind) => kind === '503 database_away' || kind === '503 in_doubt'),
    )
    for (const one of refused) expect(Number(one.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(Math.max(...answers.map((one) => one.ms))).toBeLessThan(PROMISED_MS)
  }

  test('stopped and restarted: clear responses, nothing lost, live streams continue, no connection leaks', async () => {
    const ear = await listenTo(server.url, world.headers)
    const busy = traffic()
    await flowing(busy)
    await postgres.kill('immediate')
    await vi.waitFor(() => expect(refusals(busy.answers).length).toBeGreaterThan(20))
    await vi.waitFor(async () => expect(await health()).toBe(503))
    expect((await callsTo(server.url, {}).ask('/livez')).status).toBe(200)
    await after(800)
    await postgres.start()
    await isBack()
    await flowing(busy)
    const { answers, said: outcomes } = await busy.stop()
    expectHonest(answers)
    expect(answers.at(-1)!.status).toBe(200)
    await reckon(outcomes)
    const last = await callsTo(server.url, world.headers).call('note.create', { project_id: world.project, note: 'after it' })
    await vi.waitFor(() =>
      expect(ear.events.some((event) => event.noun === 'note' && event.subject_id === last.body.data.id)).toBe(true),
    )
    // The stream stayed open, explained the silence, and sent each event once, in order.
    expect(ear.open).toBe(true)
    expect(ear.said.filter((word) => word === 'away' || word === 'back')).toEqual(['away', 'back'])
    const ids = ear.events.map((event) => event.id)
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b))
    expect(ear.events.filter((event) => event.noun === 'note').length).toBeGreaterThanOrEqual(outcomes.yes.length + 1)
    ear.stop()
    expect(await connectionsOf()).toBeLessThanOrEqual(11)
    // A crash prints outside the log lines. A log line may quote pg as the cause of an unknown commit.
    expect(server.log()).not.toMatch(/unhandled|uncaught|^\w*Error:/im)
  }, 60_000)

  test('paused, so connections hang: every call gets a response, and work continues once it resumes', async () => {
    const busy = traffic()
    await flowing(busy)
    await postgres.pause()
    await vi.waitFor(() => expect(refusals(busy.answers).length).toBeGreaterThan(20), { timeout: PROMISED_MS })
    await after(500)
    await postgres.resume()
    await isBack()
    await flowing(busy)
    const { answers, said: outcomes } = await busy.stop()
    expectHonest(answers)
    expect(answers.at(-1)!.status).toBe(200)
    await reckon(outcomes)
    expect(await connectionsOf()).toBeLessThanOrEqual(11)
  }, 60_000)

  test.each([
    ['a role that may not sign in', 'alter role app nologin', 'alter role app login'],
    [
      'a database that admits nobody',
      'alter database refusing allow_connections false',
      'alter database refusing allow_connections true',
    ],
    ['a role at its limit of connections', 'alter role app connection limit 0', 'alter role app connection limit -1'],
  ])(
    'that refuses new connections is away until it no longer does: %s',
    async (_, refuse, admit) => {
      const admin = new pg.Client(postgres.adminUrl)
      await admin.connect()
      for (const statement of ['create role app login', 'create database refusing owner app']) await admin.query(statement)
      const url = new URL(postgres.adminUrl)
      Object.assign(url, { username: 'app', pathname: '/refusing' })
      const refusing = await startServer({
        ...{
          DATA_DIR: mkdtempSync(join(inject('scratch'), 'refused-')),
          DATABASE_URL: url.href,
          DEMO: 'none',
          LOG_LEVEL: 'warn',
        },
      })
      onTestFinished(async () => {
        await refusing.kill()
        for (const statement of [admit, 'drop database refusing with (force)', 'drop role app']) await admin.query(statement)
        await admin.end()
      })
      const { ask } = callsTo(refusing.url, {})
      const body = JSON.stringify({ email: 'a@b.test', password: 'x' })
      const headers = { 'content-type': 'application/json' }
      const many = () =>
        Promise.all(Array.from({ length: 12 }, () => ask('/v3/portal/auth/sign_in', { method: 'POST', body, headers })))
      const kinds = (answers: readonly Came[]) => new Set(answers.map(({ status, body }) => `${status} ${body.code}`))
      await admin.query(refuse)
      // Old connections end in time; the one that listens goes on.
      await admin.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'app' and query not like 'listen%' and query not like '%hears'",
      )
      const answers = await many()
      expect([...kinds(answers)]).toEqual(['503 database_away'])
      for (const one of answers) expect(Number(one.headers.get('retry-after'))).toBeGreaterThan(0)
      const sick = await ask('/healthz')
      expect([sick.status, sick.body.code, (await ask('/livez')).status]).toEqual([503, 'database_away', 200])
      await admin.query(admit)
      await vi.waitFor(async () => expect((await ask('/healthz')).status).toBe(200), { timeout: 10_000 })
      expect([...kinds(await many())].filter((kind) => !/^4/.test(kind))).toEqual([])
      expect(refusing.log()).not.toMatch(/unhandled|uncaught|^\w*Error:/im)
    },
    60_000,
  )

  test('that refuses new connections is away though open ones go on', async () => {
    const url = new URL(world.url)
    const admin = new pg.Client(postgres.adminUrl)
    await admin.connect()
    onTestFinished(() => admin.end())
    expect(await health()).toBe(200)
    await admin.query(`alter database ${url.pathname.slice(1)} allow_connections false`)
    const busy = traffic()
    await vi.waitFor(async () => expect(await health()).toBe(503), { timeout: 15_000 })
    await admin.query(`alter database ${url.pathname.slice(1)} allow_connections true`)
    await isBack()
    await flowing(busy)
    const { answers, said: outcomes } = await busy.stop()
    expect(answers.filter(({ status, body }) => status !== 200 && body.code !== 'database_away')).toEqual([])
    await reckon(outcomes)
  }, 60_000)

  test('is retried by a single loop with growing pauses', async () => {
    const { host, user } = new pg.Client(world.url)
    let open = true
    let dialled = 0
    const lines = new Set<Socket>()
    const proxy = createServer((line) => {
      dialled++
      if (!open) return line.destroy()
      const there = dial(`${host}/.s.PGSQL.5432`)
      lines.add(line)
      for (const side of [line, there]) side.on('error', () => {})
      line.pipe(there).pipe(line)
    })
    await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done))
    onTestFinished(() => void proxy.close())
    const { port } = proxy.address() as { port: number }
    const signals: boolean[] = []
    let heard = 0
    const stop = await heartbeat(
      { connectionString: `postgres://${user}@127.0.0.1:${port}/away` },
      { onNotify: () => heard++, onAvailability: (is) => signals.push(is), beat: () => {} },
    )
    expect(dialled).toBe(1)
    open = false
    const began = performance.now()
    for (const line of lines) line.destroy()
    await vi.waitFor(() => expect(dialled).toBeGreaterThan(5), { timeout: 15_000, interval: 5 })
    // 0, 100, 300, 700, 1500, 3100 ms: a second loop would double the attempts.
    expect(dialled).toBeLessThanOrEqual(4 + Math.log2(1 + (performance.now() - began) / 100))
    open = true
    await vi.waitFor(() => expect(heard).toBeGreaterThan(0), { timeout: 4000 })
    expect(signals.slice(0, -1).every((is) => !is)).toBe(true)
    expect(signals.at(-1)).toBe(true)
    await stop()
  }, 20_000)

  test.each([
    ['127.0.0.1:1', /can’t be reached: connect ECONNREFUSED 127\.0\.0\.1:1\.\s*$/],
    ['no-such-host.invalid', /The database of DATABASE_URL can’t be reached: getaddrinfo E\w+ no-such-host\.invalid\.\s*$/],
  ])('a server that can’t reach it says so and exits: %s', async (host, sentence) => {
    const env = { DATA_DIR: mkdtempSync(join(inject('scratch'), 'away-')), DATABASE_URL: `postgres://nobody@${host}/none` }
    await expect(startServer(env)).rejects.toThrow(sentence)
  })
})
