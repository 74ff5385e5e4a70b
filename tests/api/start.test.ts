import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { RELEASE } from '../../server/core/release.ts'
import { connect } from '../../server/db/connect.ts'
import { migrate } from '../../server/db/migrate.ts'
import { DEMO_LOGINS } from '../../server/demo/people.ts'
import { seed } from '../../server/demo/seed.ts'
import { engine, freshDatabase } from '../support/engine.ts'
import { freePort } from '../support/ports.ts'
import { COMPILED, startServer, type TestServer } from '../support/server.ts'

// A start takes seconds, or twenty on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

const root = resolve(import.meta.dirname, '../..')

/** Runs `node server/main.ts` until it exits; returns the exit code (null if it had to be ended) and its output. */
async function runToEnd(
  settings: Record<string, string>,
  args = ['server/main.ts'],
): Promise<{ code: number | null; printed: string }> {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { PATH: process.env.PATH ?? '', PORT: String(await freePort()), ...COMPILED, ...settings },
  })
  let printed = ''
  const hear = (text: unknown) => {
    printed += String(text)
    if (printed.includes('Fieldwork is ready at')) child.kill('SIGKILL')
  }
  for (const stream of [child.stdout, child.stderr]) stream.on('data', hear)
  const code = await new Promise<number | null>((done) => child.once('close', done))
  return { code, printed }
}
const empty = async () => ({ ...(await freshDatabase()), DEMO: 'none' }) as Record<string, string>

// Settings, folder and port are handled alike on both engines, so one is enough.
describe.runIf(engine === 'sqlite')('starting', () => {
  let settings: Record<string, string>
  let server: TestServer
  /** A server with default settings, in a folder that a killed one left locked; each start takes seconds. */
  beforeAll(async () => {
    settings = { ...(await empty()), METRICS_PORT: String(await freePort()) }
    mkdirSync(settings.DATA_DIR!, { recursive: true })
    writeFileSync(join(settings.DATA_DIR!, 'server.lock'), '2147483')
    server = await startServer(settings)
  })
  afterAll(() => server?.stop())

  test('replaces a killed server’s lock, and responds to GET /healthz when ready', async () => {
    expect(server.log()).toContain('Fieldwork is ready at')
    expect(await (await fetch(`${server.url}/healthz`)).json()).toEqual({ status: 'ready', release: RELEASE })
  })

  test('serves figures for Prometheus on a port of their own, and none on the public one', async () => {
    await fetch(`${server.url}/v3/portal/projects`)
    const answer = await fetch(`http://127.0.0.1:${settings.METRICS_PORT}/metrics`)
    expect(answer.headers.get('content-type')).toContain('text/plain')
    const text = await answer.text()
    for (const line of [
      'fieldwork_call_duration_seconds_count{call="project.list",status="4xx"} 1',
      'fieldwork_database_up 1',
      `fieldwork_build_info{release="${RELEASE}",node="${process.version}"} 1`,
      'fieldwork_live_streams 0',
      'fieldwork_queue_lag_seconds{queue="mails"} 0',
      'fieldwork_sessions_active 0',
    ])
      expect(text.split('\n')).toContain(line)
    expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds /m)
    const others = [`${server.url}/metrics`, `http://127.0.0.1:${settings.METRICS_PORT}/`]
    for (const url of others) expect(await (await fetch(url)).text()).not.toContain('fieldwork_')
  })

  test('exports every figure that the dashboard and the alerts read', async () => {
    const text = await (await fetch(`http://127.0.0.1:${settings.METRICS_PORT}/metrics`)).text()
    const exported = new Set([...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name!))
    const folder = join(root, 'docs/monitoring')
    const read = ['grafana.json', 'alerts.yml'].flatMap((file) =>
      [...readFileSync(join(folder, file), 'utf8').matchAll(/\b(?:fieldwork|nodejs|process)_\w+/g)].map(([name]) => name),
    )
    expect(read.length).toBeGreaterThan(20)
    const missing = read.filter((name) => !exported.has(name.replace(/_(bucket|count|sum)$/, '')))
    // Only where replicas are configured.
    expect(missing.filter((name) => name !== 'fieldwork_replica_reads_total')).toEqual([])
  })

  test('writes a JSON object a line where stdout is no terminal', () => {
    for (const line of server.log().trim().split('\n')) expect(JSON.parse(line)).toMatchObject({ level: expect.any(Number) })
  })

  test('prints no demo account where there is no demo', () => {
    expect(server.log()).not.toContain('fieldwork.test')
  })

  test('says where it is reachable, and that no email is sent', async () => {
    const open = await startServer({ ...(await empty()), PUBLIC_URL: 'https://portal.test' })
    await open.stop()
    expect(open.log()).toContain('SMTP_URL is not set: this server sends no email.')
    expect(server.log()).not.toContain('SMTP_URL')
  })

  test('a second server on the same data folder says so and stops', async () => {
    const second = await runToEnd(settings)
    expect(second.code).toBe(1)
    expect(second.printed).toContain(`runs on ${settings.DATA_DIR}`)
  })

  test('says that a port is in use', async () => {
    const second = await runToEnd({ ...(await empty()), PORT: new URL(server.url).port, HOST: '127.0.0.1' })
    expect(second.printed).toContain('is taken by another program')
  })

  test('says that the port of its figures is in use', async () => {
    const second = await runToEnd({ ...(await empty()), METRICS_PORT: settings.METRICS_PORT!, HOST: '127.0.0.1' })
    expect(second.printed).toContain('set METRICS_PORT to another one')
  })

  test('exits cleanly on request', async () => {
    await server.stop()
    await expect(fetch(`${server.url}/healthz`)).rejects.toThrow()
    expect(server.log()).not.toContain('fieldwork.test')
  })

  test('an older release refuses a database changed beyond it by a newer one', async () => {
    const settings = await empty()
    const database = connect(
      settings.DATABASE_URL ? { url: settings.DATABASE_URL } : { file: join(settings.DATA_DIR!, 'fieldwork.db') },
    )
    await migrate(database)
    await database.db.updateTable('meta').set({ value: '9999-later' }).where('key', '=', 'needs_migration').execute()
    await sql`insert into kysely_migration (name, timestamp) values ('9999-later', '2030-01-01')`.execute(database.db)
    await database.close()
    const { code, printed } = await runToEnd(settings)
    expect(code).toBe(1)
    expect(printed).toContain('A newer release (9999-later) has changed the database, and this one can')
    expect(printed).not.toContain(' at ')
  })

  test.each([
    ['a port that needs a right', { PORT: '1' }, /may not listen on port 1: set PORT|Fieldwork is ready/],
    ['an address of another machine', { HOST: '203.0.113.1' }, /203\.0\.113\.1 is no address of this machine: set HOST/],
    ['an unknown level', { LOG_LEVEL: 'verbose' }, /LOG_LEVEL must be/],
    [
      'a setting that is nearly one',
      { TIMEZONE: 'UTC', PORT: 'x' },
      /TIMEZONE is no setting of Fieldwork\. Is TIME_ZONE meant\?/,
    ],
  ])('explains %s in a sentence', async (_, more, sentence) => {
    const { printed } = await runToEnd({ ...(await empty()), ...more })
    expect(printed).toMatch(sentence)
    expect(printed).not.toContain('    at ')
  })

  test('takes settings from a file, and says what keeps mails from being sent', async () => {
    const place = await empty()
    const file = join(place.DATA_DIR!, 'fieldwork.env')
    mkdirSync(place.DATA_DIR!, { recursive: true })
    writeFileSync(file, `DEMO=none\nSMTP_URL=smtp://127.0.0.1:1\nDATA_DIR='${place.DATA_DIR}'\nLOG_LEVEL=info`)
    const from = await startServer({ DATA_DIR: '', DEMO: '', LOG_LEVEL: '' }, 'server/main.ts', 60, ['--env-file', file])
    await vi.waitFor(() => expect(from.log()).toContain('Emails come from support@fieldwork.test, which no mail server takes'))
    await from.stop()
    expect(from.log()).toContain('Emails can’t be sent for now: the server of SMTP_URL doesn’t accept this one')
    expect(readdirSync(place.DATA_DIR!)).toContain('fieldwork.db')
    expect(from.log()).not.toContain('/healthz')
  })

  test('explains each invalid setting in a sentence', async () => {
    const { code, printed } = await runToEnd({
      PORT: 'many',
      TIME_ZONE: 'Mars/Olympus',
      DEMO: 'huge',
      DATABASE_URL: 'mysql://x',
      METRICS_PORT: 'x',
      METRICS_HOST: 'a b',
      HOST: 'a b',
    })
    expect(code).toBe(1)
    for (const name of ['METRICS_PORT', 'METRICS_HOST', 'PORT', 'TIME_ZONE', 'DEMO', 'DATABASE_URL', 'HOST'])
      expect(printed).toMatch(new RegExp(`^${name} must be`, 'm'))
    expect(printed).not.toContain('    at ')
  })
})

describe.runIf(engine === 'sqlite')('scripts of package.json', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> }
  const commands = [...new Set(Object.values(scripts).map((script) => /^node (\S+\.ts)/.exec(script)?.[1] ?? ''))].filter(Boolean)

  test('print their help, exit with 0 and start nothing', async () => {
    expect(commands.length).toBeGreaterThan(15)
    const place = await freshDatabase()
    const outcomes = await Promise.all(
      commands.map(async (script) => {
        const { code, printed } = await runToEnd({ DATA_DIR: place.DATA_DIR, DEMO: 'none' }, [script, '--help'])
        return { script, code, helps: /npm (run|start|test)/.test(printed), starts: /ready at/.test(printed) }
      }),
    )
    expect(outcomes).toEqual(commands.map((script) => ({ script, code: 0, helps: true, starts: false })))
    expect(existsSync(join(place.DATA_DIR, 'fieldwork.db'))).toBe(false)
  })

  test('end with the shell through which npm started them', async () => {
    const program = `import('./scripts/endWithParent.ts').then((m) => { m.endWithParent(); console.log(process.pid); setInterval(() => {}, 1e6) })`
    const shell = spawn('sh', ['-c', '"$0" -e "$1"; true', process.execPath, program], { cwd: root })
    const pid = Number(await new Promise((done) => shell.stdout.once('data', (text) => done(String(text)))))
    const runs = () => {
      try {
        return process.kill(pid, 0)
      } catch {
        return false
      }
    }
    expect(runs()).toBe(true)
    shell.kill('SIGTERM')
    await vi.waitFor(() => expect(runs()).toBe(false), { timeout: 10_000 })
  })
})

describe('a start reachable by others', () => {
  const reached: [string, Record<string, string>][] = [
    ['HOST', { HOST: '0.0.0.0' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'https://portal.test' }],
    ['TRUST_PROXY', { TRUST_PROXY: '1' }],
  ]
  test.runIf(engine === 'sqlite').each(reached)(
    'fills an empty database with demo data only on request: %s',
    async (name, more) => {
      const { code, printed } = await runToEnd({ ...(await freshDatabase()), ...more })
      expect(code).toBe(1)
      expect(printed).toContain(`Others can reach this server (${name}=`)
      expect(printed).toContain('Set DEMO=none and make the first administrator with `npm run admin -- you@example.com`')
      expect(printed).not.toContain('    at ')
    },
  )

  test.runIf(engine === 'postgres')('nor does one with DATABASE_URL, whose password is not printed', async () => {
    const { code, printed } = await runToEnd({ ...(await freshDatabase()) })
    expect(code).toBe(1)
    expect(printed).toContain('Others can reach this server (DATABASE_URL)')
    expect(printed).not.toContain('postgres://')
  })

  test.runIf(engine === 'sqlite')(
    'rejects demo passwords of a marketplace tried out before, and says so; DEMO=demo opens it, with a warning',
    async () => {
      const settings = (await freshDatabase()) as Record<string, string>
      const database = connect(
        settings.DATABASE_URL ? { url: settings.DATABASE_URL } : { file: join(settings.DATA_DIR!, 'fieldwork.db') },
      )
      await migrate(database)
      await seed(database, { size: 'test' })
      await database.close()
      const tries = async (more: Record<string, string>) => {
        const server = await startServer({ ...settings, DRAIN_SECONDS: '0', ...more })
        const answer = await fetch(`${server.url}/v3/portal/auth/sign_in`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ email: DEMO_LOGINS.admin, password: DEMO_LOGINS.password }),
        })
        const { code } = (await answer.json()) as { code?: string }
        await server.stop()
        return { status: answer.status, code, log: server.log() }
      }
      const shut = await tries({ TRUST_PROXY: '1', DEMO: '' })
      expect(shut).toMatchObject({ status: 401, code: 'demo_password' })
      expect(shut.log).toContain('nobody can sign in with it')
      expect(shut.log).not.toContain(DEMO_LOGINS.password)
      const open = await tries({ TRUST_PROXY: '1', DEMO: 'demo' })
      expect(open.status).toBe(200)
      expect(open.log).toContain('THIS MARKETPLACE IS OPEN TO ALL')
    },
  )
})
