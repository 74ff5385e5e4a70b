// Shared by the benches of calls: the real server on the mid marketplace, on either engine, over HTTP.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, type Database } from '../../server/db/connect.ts'
import { freePort } from '../support/ports.ts'
import { startServer } from '../support/server.ts'
import { sizedFolder, sizedPostgres } from '../support/sizes.ts'

/** A server to measure. `get` returns the ms from request to last byte; throws unless the status is 200. */
export type Served = {
  engine: 'sqlite' | 'postgres'
  get(path: string): Promise<number>
  json<T>(path: string): Promise<T>
  url: string
  /** The headers of a signed-in administrator. */
  headers: Readonly<Record<string, string>>
  /** The server's process. */
  pid: number
  /** How many statements the server ran since it was last asked. */
  statements(): Promise<number>
}

/** The sizes that can be measured. */
export type Size = 'demo' | 'mid' | 'large'

/**
 * Runs `work` with the server on a copy of the marketplace of a size, on SQLite and, where it starts, PostgreSQL.
 * `before` may change the copy; its result goes to `work`. `only` names one engine, or is empty.
 * `large` takes an hour to seed and tens of GB, so it is measured where `npm run seed -- --size large` left it:
 * in DATABASE_URL or DATA_DIR, without a copy.
 */
export async function onBothEngines<T>(
  before: (database: Database) => Promise<T>,
  work: (served: Served, made: T) => Promise<void>,
  only: string,
  size: Size = 'mid',
): Promise<void> {
  if (size === 'large') return onLarge(before, work)
  const folder = mkdtempSync(join(tmpdir(), 'fieldwork-bench-'))
  try {
    const data = only === 'postgres' ? '' : await sizedFolder(size, join(folder, 'sqlite'))
    if (data) await onOne('sqlite', connect({ file: join(data, 'fieldwork.db') }), { DATA_DIR: data }, before, work)
    if (only === 'sqlite') return
    const sized = await sizedPostgres(size)
    if ('reason' in sized) return console.log(`PostgreSQL left out: ${sized.reason}`)
    const { postgres, url } = sized
    try {
      await onOne('postgres', connect({ url }), { DATA_DIR: join(folder, 'postgres'), DATABASE_URL: url }, before, work)
    } finally {
      await postgres.stop()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function onLarge<T>(
  before: (database: Database) => Promise<T>,
  work: (served: Served, made: T) => Promise<void>,
): Promise<void> {
  const { engine, settings, open } = seededLarge()
  await onOne(engine, open(), settings, before, work)
}

/** The marketplace that `npm run seed -- --size large` left in DATABASE_URL or DATA_DIR; throws without either. */
export function seededLarge(): { engine: Served['engine']; settings: Record<string, string>; open(): Database } {
  const { DATABASE_URL: url, DATA_DIR: data } = process.env
  if (!data) throw new Error('Set DATA_DIR, and DATABASE_URL for PostgreSQL, to where `npm run seed -- --size large` was run.')
  if (url) return { engine: 'postgres', settings: { DATA_DIR: data, DATABASE_URL: url }, open: () => connect({ url }) }
  return { engine: 'sqlite', settings: { DATA_DIR: data }, open: () => connect({ file: join(data, 'fieldwork.db') }) }
}

async function onOne<T>(
  engine: Served['engine'],
  database: Database,
  settings: Record<string, string>,
  before: (database: Database) => Promise<T>,
  work: (served: Served, made: T) => Promise<void>,
): Promise<void> {
  const made = await before(database).finally(() => database.close())
  const port = await freePort()
  const server = await startServer(
    { ...settings, LOG_LEVEL: 'error', MEASURE_PORT: String(port) },
    'tests/bench/measuredServer.ts',
  )
  try {
    const headers = await signIn(server.url)
    const ask = async (path: string): Promise<{ ms: number; text: string }> => {
      const began = performance.now()
      const answer = await fetch(server.url + path, { headers })
      const text = await answer.text()
      const ms = performance.now() - began
      if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${text.slice(0, 500)}`)
      return { ms, text }
    }
    const json = async <A>(path: string): Promise<A> => JSON.parse((await ask(path)).text) as A
    const { url, pid } = server
    const get = async (path: string) => (await ask(path)).ms
    const statements = async () => Number(await (await fetch(`http://127.0.0.1:${port}`)).text())
    await work({ engine, get, json, url, headers, pid, statements }, made)
  } finally {
    await server.stop()
  }
}

async function signIn(url: string): Promise<Record<string, string>> {
  const answer = await fetch(`${url}/v3/portal/auth/sign_in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'admin@fieldwork.test', password: 'Fieldwork-1!' }),
  })
  if (!answer.ok) throw new Error(`Signing in: ${answer.status} ${await answer.text()}`)
  return Object.fromEntries(
    ['access-token', 'token-type', 'client', 'expiry', 'uid'].map((name) => [name, answer.headers.get(name) ?? '']),
  )
}

/** The first tenth of the rounds warms caches and compiler, and doesn't count. */
const WARM = 0.1

/** A quantile in ms, to two digits. */
export function quantile(times: readonly number[], share: number): number {
  const sorted = times.slice(Math.floor(times.length * WARM)).sort((a, b) => a - b)
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]! * 100) / 100
}
