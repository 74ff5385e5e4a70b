import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { leftover } from '../../support/leftovers.ts'
import { freePort } from '../../support/ports.ts'
import { canRun } from '../../support/postgres.ts'

/** A PgBouncer in transaction mode before one database. */
export interface PgBouncer {
  /** The database's address through it. */
  url: string
  /** Its version, as it reports it. */
  version: string
  stop(): Promise<void>
}

const PROGRAMS = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/usr/local/bin/pgbouncer', '/opt/homebrew/bin/pgbouncer']
const STATEMENT_MS = 60_000

/**
 * Starts the machine's PgBouncer with `size` connections to the database at `direct` (a socket's address).
 * Returns the reason if it isn't installed. As root it runs as `nobody`, because it refuses root.
 */
export async function startPgBouncer(direct: string, size: number): Promise<PgBouncer | { reason: string }> {
  const program = PROGRAMS.find(canRun)
  if (!program) return { reason: 'PgBouncer is not installed (Debian: apt-get install pgbouncer)' }
  const target = new URL(direct)
  const name = decodeURIComponent(target.pathname.slice(1))
  const folder = mkdtempSync(join(tmpdir(), 'fieldwork-pgbouncer-'))
  // It runs as another user.
  chmodSync(folder, 0o755)
  const port = await freePort()
  const config = join(folder, 'pgbouncer.ini')
  writeFileSync(
    config,
    [
      '[databases]',
      `${name} = host=${target.searchParams.get('host')} dbname=${name} user=${target.username} connect_query='set statement_timeout = ${STATEMENT_MS}'`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = any',
      'pool_mode = transaction',
      `default_pool_size = ${size}`,
      'max_client_conn = 1000',
      'idle_transaction_timeout = 30',
    ].join('\n'),
    { mode: 0o644 },
  )
  const asRoot = process.getuid?.() === 0
  const child = spawn(program, [...(asRoot ? ['-u', 'nobody'] : []), config], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (printed += String(text)))
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const url = `postgres://${target.username}@127.0.0.1:${port}/${encodeURIComponent(name)}`
  const stop = leftover(async () => {
    child.kill('SIGTERM')
    await ended
    rmSync(folder, { recursive: true, force: true })
  })
  for (let attempt = 0; attempt < 50 && child.exitCode === null; attempt++) {
    if (await answers(url)) return { url, version: await versionOf(url), stop }
    await delay(100)
  }
  await stop()
  return { reason: `PgBouncer did not start: ${printed.trim().split('\n').slice(-3).join(' ')}` }
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client(url)
  try {
    await client.connect()
    await client.query('select 1')
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

/** The version from PgBouncer's own console. */
async function versionOf(url: string): Promise<string> {
  const console = new URL(url)
  console.pathname = '/pgbouncer'
  const client = new pg.Client(console.href)
  try {
    await client.connect()
    const { rows } = await client.query<{ version: string }>('show version')
    return rows[0]?.version ?? 'unknown'
  } catch {
    return 'unknown'
  } finally {
    await client.end().catch(() => {})
  }
}
