// The same calls to Fieldwork and to Directus, side by side in one run, as p50 and as ours / theirs:
// `node tests/peers/directus.bench.ts [--calls 200] [--rounds 3]`.
// Directus comes from the npm registry into a folder of `.cache/`, without an account, on SQLite with 3,000 flat rows.
// It runs on the machine's own Node, for which npm builds its add-ons, and not on the newer one of this project.
// If it can't be installed or started, the bench says so and measures nothing. It is no dependency of this project.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs, promisify } from 'node:util'
import type { Database } from '../../server/db/connect.ts'
import { atRest, underLoad } from '../bench/load.ts'
import { onBothEngines, type Served } from '../bench/served.ts'
import { freePort } from '../support/ports.ts'

const { values } = parseArgs({ options: { calls: { type: 'string', default: '200' }, rounds: { type: 'string', default: '3' } } })
const CALLS = Number(values.calls)
const ROUNDS = Number(values.rounds)
/** Not every registry has all parts of later ones. */
const VERSION = '12.4.0'
const home = resolve(import.meta.dirname, '../../.cache/peers')
const run = promisify(execFile)
/** The folders of programs without this project's own. */
const PATH = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes('node_modules'))
  .join(delimiter)

type Row = Record<string, string | number | null>
interface Peer {
  url: string
  headers: Record<string, string>
  stop(): void
}

/** Installs it once; returns the reason when that fails. */
async function installed(): Promise<string | null> {
  if (existsSync(join(home, 'node_modules/directus/package.json'))) return null
  mkdirSync(home, { recursive: true })
  writeFileSync(join(home, 'package.json'), JSON.stringify({ name: 'peers', version: '0.0.0', private: true }))
  try {
    console.log(`Installing Directus ${VERSION} into .cache/peers once …`)
    await run('npm', ['install', '--no-audit', '--no-fund', `directus@${VERSION}`, 'sqlite3'], {
      cwd: home,
      timeout: 600_000,
      env: { ...process.env, PATH },
    })
    return null
  } catch (error) {
    return (error as { stderr?: string; message: string }).stderr?.slice(-600) || String(error)
  }
}

async function directus(rows: readonly Row[]): Promise<Peer | string> {
  const port = await freePort()
  rmSync(join(home, 'data.db'), { force: true })
  const env = {
    PATH,
    HOME: process.env.HOME,
    ...{ HOST: '127.0.0.1', PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}`, LOG_LEVEL: 'error', TELEMETRY: 'false' },
    ...{ SECRET: 'of this bench alone, and of nobody', ADMIN_EMAIL: 'admin@example.com', ADMIN_PASSWORD: 'Fieldwork-1!' },
    ...{ DB_CLIENT: 'sqlite3', DB_FILENAME: join(home, 'data.db'), QUERY_LIMIT_MAX: '-1', NODE_ENV: 'production' },
  }
  const cli = join(home, 'node_modules/directus/cli.js')
  try {
    await run('node', [cli, 'bootstrap'], { cwd: home, env, timeout: 180_000 })
  } catch (error) {
    return (error as { stderr?: string; message: string }).stderr?.slice(-600) || String(error)
  }
  let printed = ''
  const child: ChildProcess = spawn('node', [cli, 'start'], { cwd: home, env, stdio: ['ignore', 'pipe', 'pipe'] })
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (text) => (printed += text))
  process.on('exit', () => child.kill('SIGKILL'))
  const url = `http://127.0.0.1:${port}`
  for (const until = Date.now() + 120_000; ; await delay(300)) {
    if ((await fetch(`${url}/server/ping`).catch(() => null))?.ok) break
    if (Date.now() > until || child.exitCode !== null) return `it did not start: ${printed.slice(-600)}`
  }
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  const ask = async (method: string, path: string, body?: unknown) => {
    const answer = await fetch(url + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text.slice(0, 300)}`)
    return text ? (JSON.parse(text) as { data: { access_token: string } }) : null
  }
  const signed = await ask('POST', '/auth/login', { email: 'admin@example.com', password: 'Fieldwork-1!' })
  headers.authorization = `Bearer ${signed!.data.access_token}`
  const kinds: Record<string, string> = { number: 'integer', string: 'string' }
  const fields = Object.entries(rows[0]!).map(([field, value]) =>
    field === 'id'
      ? { field, type: 'integer', meta: { hidden: true }, schema: { is_primary_key: true, has_auto_increment: true } }
      : { field, type: /_dt$/.test(field) ? 'date' : (kinds[typeof value] ?? 'string'), schema: {} },
  )
  // `accountability: all` is its history of changes and versions.
  await ask('POST', '/collections', { collection: 'projects', meta: { accountability: 'all' }, schema: {}, fields })
  for (let at = 0; at < rows.length; at += 500) await ask('POST', '/items/projects', rows.slice(at, at + 500))
  return { url, headers, stop: () => child.kill('SIGTERM') }
}

/** 3,000 projects as flat rows, with the fields of our list. */
async function rowsOf({ db }: Database): Promise<Row[]> {
  const rows = await db
    .selectFrom('projects')
    .innerJoin('clients', 'clients.id', 'projects.client_id')
    .select(['projects.id', 'projects.name', 'projects.description', 'clients.name as client', 'status', 'campaign_type'])
    .select(['ordered', 'delivered', 'cost_cents', 'start_dt', 'end_dt', 'projects.created_at', 'projects.updated_at'])
    .where('projects.deleted_at', 'is', null)
    .orderBy('projects.id', 'desc')
    .limit(3000)
    .execute()
  return rows.map((row) => ({ ...row, cost_cents: row.cost_cents ?? 0 }))
}

type Asking = (nth: number) => Promise<unknown>
const asking =
  ({ url, headers }: Pick<Peer, 'url' | 'headers'> | Served, method: string, path: string, body?: object) =>
  async () => {
    const answer = await fetch(url + path, {
      method,
      headers: body ? { ...headers, 'content-type': 'application/json' } : headers,
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text.slice(0, 300)}`)
    return text.length
  }

async function bench(served: Served, rows: Row[]): Promise<void> {
  const reason = await installed()
  const peer = reason ?? (await directus(rows).catch((error: unknown) => String(error)))
  if (typeof peer === 'string') return console.log(`Directus left out, nothing was measured:\n${peer}`)
  await atRest(served.pid)
  // Rows as the workspace's list reads them, without children.
  const ours = '/v3/portal/projects/all?per_page=50&brief=true&texts=false'
  const theirs = '/items/projects?limit=50&meta=filter_count'
  const { data: shown } = await served.json<{ data: { id: number }[] }>('/v3/portal/projects/all?per_page=200')
  const ids = shown.map(({ id }) => id)
  const words = ['tracker', 'brand', 'snack', 'mobile']
  const read = (one: (nth: number) => string, other: (nth: number) => string): [Asking, Asking] => [
    (nth) => asking(served, 'GET', one(nth))(),
    (nth) => asking(peer, 'GET', other(nth))(),
  ]
  const id = (nth: number) => ids[nth % ids.length]!
  const lines: [string, [Asking, Asking]][] = [
    [
      'list of 50',
      read(
        () => ours,
        () => `${theirs}&sort=-created_at`,
      ),
    ],
    [
      'list of 50, with children',
      read(
        () => '/v3/portal/projects/all?per_page=50',
        () => `${theirs}&sort=-created_at`,
      ),
    ],
    [
      'one record',
      read(
        (nth) => `/v3/portal/projects/${id(nth)}`,
        (nth) => `/items/projects/${id(nth)}`,
      ),
    ],
    [
      'write with history',
      [
        (nth) => asking(served, 'PUT', '/v3/portal/projects', { project: { id: id(nth), name: `Named ${nth}` } })(),
        (nth) => asking(peer, 'PATCH', `/items/projects/${id(nth)}`, { name: `Named ${nth}` })(),
      ],
    ],
    [
      'search',
      read(
        (nth) => `${ours}&search=${words[nth % 4]}`,
        (nth) => `${theirs}&sort=-created_at&search=${words[nth % 4]}`,
      ),
    ],
    [
      'sorted by end date',
      read(
        () => `${ours}&column=end_dt&order=desc`,
        () => `${theirs}&sort=-end_dt`,
      ),
    ],
    [
      'deep page',
      read(
        (nth) => `${ours}&page=${8 + (nth % 4)}`,
        (nth) => `${theirs}&sort=-created_at&page=${40 + (nth % 4)}`,
      ),
    ],
    [
      'filtered',
      read(
        () => `${ours}&status=active`,
        () => `${theirs}&sort=-created_at&filter[status][_eq]=active`,
      ),
    ],
  ]
  try {
    const found: Record<string, unknown>[] = []
    for (const callers of [1, 20])
      for (const [call, both] of lines) {
        const p50: [number[], number[]] = [[], []]
        const bytes = await Promise.all(both.map((one) => one(0)))
        // In turns, so that a busy moment affects both.
        for (let round = 0; round <= ROUNDS; round++)
          for (const side of [0, 1] as const) {
            const took = await underLoad(callers, CALLS, (nth) => both[side](nth + round * CALLS + callers))
            if (round > 0) p50[side].push(took.p50)
          }
        const middle = (times: number[]) => times.sort((a, b) => a - b)[times.length >> 1]!
        const [mine, other] = [middle(p50[0]), middle(p50[1])]
        const line = {
          call,
          callers,
          'ours, ms': mine,
          'theirs, ms': other,
          'ours / theirs': Math.round((100 * mine) / other) / 100,
        }
        found.push({ ...line, 'kB ours / theirs': bytes.map((size) => Math.round(Number(size) / 1000)).join(' / ') })
      }
    console.log(`Load ${loadavg()[0]!.toFixed(1)}; p50, the middle of ${ROUNDS} rounds of ${CALLS} calls in turns.`)
    console.table(found)
    console.log(
      'Not equal: our rows carry partners, team, trend, pacing and what may be done; theirs are 13 columns of one table. ' +
        'Our list has parents alone, so its last page is the 15th or so; theirs has all rows. Their write has a version and no live event or undo.',
    )
  } finally {
    peer.stop()
  }
}

await onBothEngines(rowsOf, bench, 'sqlite')
