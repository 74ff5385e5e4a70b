import { type ChildProcess, spawn } from 'node:child_process'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { leftover } from './leftovers.ts'
import { freePort } from './ports.ts'

const root = resolve(import.meta.dirname, '../..')
const nodeMajor = Number(process.versions.node.split('.')[0])
const node = nodeMajor >= 24 ? process.execPath : join(root, 'node_modules/.bin/node')

/** A real server in its own process; `log` is its output. */
export type TestServer = {
  url: string
  pid: number
  log(): string
  stop(): Promise<void>
  /** Kills it as a power cut would. */
  kill(): Promise<void>
}

/** Halves the start of a process, which reuses modules stripped of types and compiled. */
export const COMPILED = { NODE_COMPILE_CACHE: join(root, '.cache/compile') }

const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/**
 * Starts `node server/main.ts`, or another program, on a free port; returns when /healthz is 200, within a minute.
 * Filling a marketplace may take longer on a busy machine.
 */
export async function startServer(
  settings: Record<string, string>,
  program = 'server/main.ts',
  seconds = 60,
  args: readonly string[] = [],
): Promise<TestServer> {
  for (let attempt = 1; ; attempt++) {
    const server = await tryServer(settings, await freePort(), [program, ...args], seconds)
    if (typeof server !== 'string') return server
    if (attempt === 3 || !/EADDRINUSE|is taken by another program/.test(server))
      throw new Error(`The server did not start. It printed:\n${server}`)
  }
}

async function tryServer(
  settings: Record<string, string>,
  port: number,
  program: readonly string[],
  seconds: number,
): Promise<TestServer | string> {
  // The machine's own settings (DATABASE_URL, SMTP_URL …) never reach a test.
  const { PATH, HOME, TMPDIR } = process.env
  const url = `http://127.0.0.1:${port}`
  const env = {
    ...without({ PATH, HOME, TMPDIR }),
    PORT: String(port),
    HOST: '127.0.0.1',
    PUBLIC_URL: url,
    // Explicit, as a test may open its server to others.
    DEMO: 'demo',
    ...COMPILED,
    ...settings,
  }
  const child = spawn(node, [...program], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
  running.add(child)
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (printed += text))
  const ended = new Promise<void>((done) => {
    child.once('close', () => {
      running.delete(child)
      done()
    })
  })
  const stop = async () => {
    if (running.has(child)) child.kill('SIGTERM')
    const late = setTimeout(() => child.kill('SIGKILL'), 10_000)
    await ended
    clearTimeout(late)
  }
  const kill = async () => {
    child.kill('SIGKILL')
    await ended
  }
  void ended.then(leftover(kill))
  for (const deadline = Date.now() + seconds * 1000; Date.now() < deadline; await delay(50)) {
    if (!running.has(child)) return printed || `nothing, and ended with code ${child.exitCode}`
    const answer = await fetch(`${url}/healthz`).catch(() => undefined)
    if (answer?.status === 200) return { url, pid: child.pid!, log: () => printed, stop, kill }
  }
  await stop()
  return `${printed}\n(not ready after ${seconds} seconds)`
}

function without(env: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined))
}
