import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { leftover } from '../../support/leftovers.ts'
import { freePort } from '../../support/ports.ts'
import { canRun } from '../../support/postgres.ts'
import { etcdArguments, haproxyConfig, type Member, patroniConfig, pgbouncerConfig, portsOf } from './config.ts'

/** Everything a run leaves behind is below this folder, or is a process that names it. */
const ROOT = join(tmpdir(), 'fieldwork-cluster')
const PROGRAMS = ['/usr/bin/patroni', '/usr/bin/etcd', '/usr/sbin/haproxy', '/usr/sbin/pgbouncer']
const FILTER = '/usr/sbin/iptables'
const BINARIES = '/usr/lib/postgresql/15/bin'
const PACKAGES = 'Debian: apt-get install --no-install-recommends patroni etcd-server haproxy pgbouncer postgresql-15 iptables'
const DISK_MB = 700

/** A node: PostgreSQL under Patroni, and a member of etcd, on its own loopback address. */
export interface Node extends Member {
  data: string
  /** Kills both Patroni and PostgreSQL at once, as a power cut would; `start` brings the node back. */
  crash(): Promise<void>
  start(): void
  /** Drops every packet to and from the node; `join` ends that. */
  cut(): void
  join(): void
  stopEtcd(): Promise<void>
  startEtcd(): void
  /** Fills its disk to the last byte; null where no disk of its own could be mounted. */
  fillDisk: (() => void) | null
  freeDisk(): void
}

/** Three nodes with haproxy and PgBouncer before them. */
export interface Cluster {
  nodes: Node[]
  /** The settings of a server on it. */
  env: Record<string, string>
  /** The node that is the primary by Patroni's own answer, or null. */
  primary(): Promise<Node | null>
  /**
   * Waits until one primary and two streaming replicas are there; returns false after `ms`.
   * Where commits wait for a replica, it also waits until one is chosen.
   */
  whole(ms: number): Promise<boolean>
  /** The replica that commits wait for, or null. */
  synchronous(): Promise<Node | null>
  switchover(): Promise<void>
  /** Replaces a node's data by a copy of the primary's, as `patronictl reinit` does. */
  reinitialize(node: Node): Promise<void>
  /** The last lines that Patroni wrote on each node. */
  logs(): string
  /** Changes a setting that Patroni keeps for all nodes. */
  configure(change: object): Promise<void>
  /** A statement as the superuser on one node. */
  ask(node: Node, statement: string): Promise<Record<string, unknown>[]>
  restartPgBouncer(pauseMs: number): Promise<void>
  /** What runs, by version. */
  versions: string
  stop(): Promise<void>
}

/** A sentence that says why the cluster can't run on this machine, or null. */
export function whyNot(): string | null {
  if (process.platform !== 'linux') return 'it needs Linux'
  if (process.getuid?.() !== 0) return 'it needs root (accounts and packet filters of its own for three nodes)'
  const missing = [...PROGRAMS, FILTER, join(BINARIES, 'postgres')].filter((program) => !canRun(program))
  if (missing.length) return `${missing.join(', ')} missing (${PACKAGES})`
  try {
    execFileSync(FILTER, ['-w', '-S', 'OUTPUT'], { stdio: 'pipe' })
    return null
  } catch (error) {
    return `packets can't be filtered here: ${(error as Error).message.split('\n').at(1) ?? ''}`
  }
}

/** Sets up the cluster; `synchronous` makes every commit wait for one replica. */
export async function startCluster(synchronous: boolean): Promise<Cluster> {
  const children = new Set<ChildProcess>()
  const stop = leftover(async () => {
    for (const child of [...children]) child.kill('SIGKILL')
    await sweep()
  })
  try {
    return await setUp(synchronous, children, stop)
  } catch (error) {
    await stop()
    throw error
  }
}

async function setUp(isSynchronous: boolean, children: Set<ChildProcess>, stop: () => Promise<void>): Promise<Cluster> {
  await sweep()
  mkdirSync(ROOT)
  chmodSync(ROOT, 0o755)
  const [uid, group] = accountOf('postgres')
  const run = (name: string, program: string, given: string[], as: { uid?: number; gid?: number } = {}): ChildProcess => {
    const log = openSync(join(ROOT, `${name}.log`), 'a')
    const env = { PATH: `${BINARIES}:/usr/bin:/bin`, LC_ALL: 'C.UTF-8', TZ: 'UTC', HOME: ROOT, ETCD_UNSUPPORTED_ARCH: '' }
    const child = spawn(program, given, { ...as, cwd: ROOT, env, stdio: ['ignore', log, log] })
    children.add(child)
    child.once('close', () => children.delete(child))
    return child
  }
  const members = [1, 2, 3].map((nth) => ({
    name: `node${nth}`,
    address: `127.0.0.${10 + nth}`,
    folder: join(ROOT, `node${nth}`),
  }))
  const nodes = members.map((member, nth): Node => {
    const gid = 51_010 + nth
    const ownDisk = diskAt(member.folder)
    chownSync(member.folder, uid, gid)
    const data = join(member.folder, 'data')
    const config = join(ROOT, `${member.name}.json`)
    writeFileSync(config, JSON.stringify(patroniConfig(member, members, data, BINARIES, isSynchronous), null, 2))
    let [patroni, etcd]: (ChildProcess | undefined)[] = []
    const rules = [
      ['-d', member.address, '-m', 'owner', '--gid-owner', String(gid), '-j', 'ACCEPT'],
      ['-d', member.address, '-j', 'DROP'],
      ['-m', 'owner', '--gid-owner', String(gid), '-j', 'DROP'],
    ]
    return {
      ...member,
      data,
      async crash() {
        patroni?.kill('SIGKILL')
        const master = masterOf(data)
        if (master) signal([master], 'SIGSTOP')
        signal(master ? [...childrenOf(master), master] : [], 'SIGKILL')
      },
      start() {
        patroni = run(member.name, '/usr/bin/patroni', [config], { uid, gid })
      },
      cut: () => rules.forEach((rule) => void execFileSync(FILTER, ['-w', '-A', 'OUTPUT', ...rule])),
      join: () => rules.forEach((rule) => void execFileSync(FILTER, ['-w', '-D', 'OUTPUT', ...rule])),
      stopEtcd: () => ended(etcd, 'SIGKILL'),
      startEtcd() {
        etcd = run(`${member.name}-etcd`, '/usr/bin/etcd', etcdArguments(member, members), { uid, gid })
      },
      fillDisk: ownDisk ? () => writeUntilFull(join(member.folder, 'ballast')) : null,
      freeDisk: () => rmSync(join(member.folder, 'ballast'), { force: true }),
    }
  })
  for (const node of nodes) node.startEtcd()
  const ports = {
    primary: await freePort(),
    replicas: [await freePort(), await freePort(), await freePort()],
    pooled: await freePort(),
  }
  const haproxy = join(ROOT, 'haproxy.cfg')
  writeFileSync(haproxy, haproxyConfig(members, ports))
  const pgbouncer = join(ROOT, 'pgbouncer.ini')
  writeFileSync(pgbouncer, pgbouncerConfig(ports))
  const pooler = () => run('pgbouncer', '/usr/sbin/pgbouncer', [pgbouncer], { uid, gid: group })

  const primary = async () => {
    const found = await Promise.all(nodes.map(async (node) => ((await rest(node, '/primary')).status === 200 ? node : null)))
    return found.find((node) => node !== null) ?? null
  }
  const synchronous = async () => {
    const known = await Promise.all(nodes.map((node) => rest(node, '/synchronous')))
    return nodes.find((_, nth) => known[nth]!.status === 200) ?? null
  }
  const whole = async (ms: number) => {
    for (const until = Date.now() + ms; Date.now() < until; await delay(250)) {
      const known = await Promise.all(nodes.map((node) => rest(node, '/patroni')))
      const leaders = known.filter(({ body }) => body.state === 'running' && /^(master|primary)$/.test(String(body.role)))
      const streaming = (leaders[0]?.body.replication as { state: string }[] | undefined)?.filter(
        (one) => one.state === 'streaming',
      )
      // A primary lost before a replica is chosen has no successor: none is known to have every commit.
      const waitsFor = () => !isSynchronous || synchronous()
      if (leaders.length === 1 && streaming?.length === nodes.length - 1 && (await waitsFor())) return true
    }
    return false
  }
  const ask = async (node: Node, statement: string, database = 'postgres') => {
    const client = new pg.Client({
      host: node.address,
      port: portsOf.postgres,
      user: 'postgres',
      database,
      connectionTimeoutMillis: 5000,
    })
    client.on('error', () => {})
    await client.connect()
    try {
      return (await client.query(statement)).rows as Record<string, unknown>[]
    } finally {
      await client.end()
    }
  }
  nodes[0]!.start()
  for (const until = Date.now() + 60_000; !(await primary()); await delay(250))
    if (Date.now() > until) throw new Error(`no primary after a minute: ${tail('node1')} ${tail('node1-etcd')}`)
  for (const node of nodes.slice(1)) node.start()
  await ask(nodes[0]!, `create role fieldwork login`)
  await ask(nodes[0]!, `alter role fieldwork set statement_timeout = '60s'`)
  await ask(nodes[0]!, `create database fieldwork owner fieldwork template template0 locale 'C.UTF-8'`)
  if (!(await whole(60_000))) throw new Error(`the replicas don't stream: ${tail('node2')} ${tail('node3')}`)
  run('haproxy', '/usr/sbin/haproxy', ['-db', '-f', haproxy])
  let pool = pooler()
  const at = (port: number) => `postgres://fieldwork@127.0.0.1:${port}/fieldwork`
  await delay(3000)
  return {
    nodes,
    env: {
      DATABASE_URL: at(ports.pooled),
      DATABASE_LISTEN_URL: at(ports.primary),
      DATABASE_READ_URL: ports.replicas.map(at).join(' '),
    },
    primary,
    whole,
    synchronous,
    async switchover() {
      const from = await primary()
      const answer = await fetch(`http://${from!.address}:${portsOf.rest}/switchover`, {
        method: 'POST',
        body: JSON.stringify({ leader: from!.name }),
      })
      if (answer.status !== 200) throw new Error(`the switchover was refused: ${await answer.text()}`)
    },
    async reinitialize(node) {
      const url = `http://${node.address}:${portsOf.rest}/reinitialize`
      const answer = await fetch(url, { method: 'POST', body: JSON.stringify({ force: true }) })
      if (answer.status !== 200) throw new Error(`it can’t be made anew: ${await answer.text()}`)
    },
    logs: () => nodes.map(({ name }) => `${name}: ${tail(name)}`).join('\n'),
    async configure(change) {
      // Patroni answers 409 when the settings changed under it, as they do while etcd finds itself again.
      for (const until = Date.now() + 20_000; ; await delay(1000)) {
        const leader = await primary()
        const answer = await fetch(`http://${leader?.address ?? nodes[0]!.address}:${portsOf.rest}/config`, {
          method: 'PATCH',
          body: JSON.stringify(change),
        })
        if (answer.status === 200) break
        if (answer.status !== 409 || Date.now() > until) throw new Error(`the setting was refused: ${await answer.text()}`)
      }
      await delay(3000)
    },
    ask,
    async restartPgBouncer(pauseMs) {
      await ended(pool, 'SIGTERM')
      await delay(pauseMs)
      pool = pooler()
    },
    versions: `PostgreSQL ${String((await ask(nodes[0]!, 'show server_version'))[0]!.server_version)}, ${PROGRAMS.map(versionOf).join(', ')}`,
    stop,
  }
}

type Rest = { status: number; body: Record<string, unknown> }

async function rest(node: Member, path: string): Promise<Rest> {
  const answer = await fetch(`http://${node.address}:${portsOf.rest}${path}`, { signal: AbortSignal.timeout(2000) }).catch(
    () => null,
  )
  const body = (await answer?.json().catch(() => null)) as Rest['body'] | null
  return { status: answer?.status ?? 0, body: body ?? {} }
}

/** Ends what an earlier run left: packet rules, processes that name the folder, disks, the folder. */
async function sweep(): Promise<void> {
  const rules = execFileSync(FILTER, ['-w', '-S', 'OUTPUT'], { encoding: 'utf8' }).split('\n')
  for (const rule of rules.filter((line) => /127\.0\.0\.1[123]\/32|gid-owner 5101[012]\b/.test(line)))
    execFileSync(FILTER, ['-w', ...rule.replace('-A', '-D').split(' ')])
  for (;;) {
    const left = readdirSync('/proc')
      .map(Number)
      .filter((pid) => pid > 1 && pid !== process.pid && commandOf(pid).includes(`${ROOT}/`))
    if (!left.length) break
    signal(
      left.flatMap((pid) => [...childrenOf(pid), pid]),
      'SIGKILL',
    )
    await delay(100)
  }
  if (!existsSync(ROOT)) return
  for (const name of readdirSync(ROOT).filter((entry) => /^node\d$/.test(entry)))
    try {
      execFileSync('umount', ['-l', join(ROOT, name)], { stdio: 'ignore' })
    } catch {
      // It was no disk of its own.
    }
  rmSync(ROOT, { recursive: true, force: true })
}

const commandOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

function childrenOf(master: number): number[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).split('\n')
  return lines
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([, parent]) => parent === master)
    .map(([pid]) => pid!)
}

const masterOf = (data: string): number | null => {
  try {
    return Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]) || null
  } catch {
    return null
  }
}

function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids)
    try {
      process.kill(pid, name)
    } catch {
      // It has ended meanwhile.
    }
}

async function ended(child: ChildProcess | undefined, how: NodeJS.Signals): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return
  const closed = new Promise((resolve) => child.once('close', resolve))
  child.kill(how)
  await closed
}

function accountOf(name: string): [number, number] {
  const line = readFileSync('/etc/passwd', 'utf8').match(new RegExp(`^${name}:[^:]*:(\\d+):(\\d+):`, 'm'))
  if (!line) throw new Error(`this machine has no account ${name}`)
  return [Number(line[1]), Number(line[2])]
}

/** Makes a node's folder, as a disk of its own where one may be mounted. */
function diskAt(folder: string): boolean {
  mkdirSync(folder)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m,mode=0755`, 'tmpfs', folder], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

function writeUntilFull(file: string): void {
  try {
    execFileSync('dd', ['if=/dev/zero', `of=${file}`, 'bs=64k'], { stdio: 'ignore' })
  } catch {
    // dd ends with an error once the disk is full.
  }
}

const tail = (name: string): string => {
  const file = join(ROOT, `${name}.log`)
  return existsSync(file) ? readFileSync(file, 'utf8').slice(-1500) : ''
}

const versionOf = (program: string): string =>
  execFileSync(program, [program.endsWith('haproxy') ? '-v' : '--version'], { encoding: 'utf8' })
    .split('\n')[0]!
    .replace(/ \d{4}\/.*/, '')
