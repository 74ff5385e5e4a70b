// `npm run dev`: the API, restarted on changes, behind the workspace with hot reload. Ctrl+C ends both.
import { type ChildProcess, spawn } from 'node:child_process'
import { join, resolve } from 'node:path'
import { endWithParent } from './endWithParent.ts'
import { helpIfAsked } from './help.ts'

helpIfAsked('npm run dev: the API (PORT, 4000), restarted on changes, behind the workspace with hot reload (WEB_PORT, 5173).')

if (process.env.npm_lifecycle_event) endWithParent()

const root = resolve(import.meta.dirname, '..')
const port = process.env.PORT ?? '4000'
const webPort = process.env.WEB_PORT ?? '5173'
const web = `http://127.0.0.1:${webPort}`

const children: ChildProcess[] = [
  start(['--watch', '--watch-preserve-output', 'server/main.ts'], {
    PORT: port,
    PUBLIC_URL: process.env.PUBLIC_URL ?? web,
    // A developer's database gets demo data, on PostgreSQL too.
    DEMO: process.env.DEMO ?? 'demo',
  }),
  start([join(root, 'node_modules/vite/bin/vite.js'), '--clearScreen', 'false'], {
    API_URL: `http://127.0.0.1:${port}`,
    WEB_PORT: webPort,
  }),
]
console.log(`The workspace with hot reload: ${web} (its API: port ${port})`)

let ending = false
for (const child of children) child.once('exit', (code) => end(code ?? 0))
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => end(0))

function start(args: string[], env: Record<string, string>): ChildProcess {
  // Each gets its own process group, so that only this process receives Ctrl+C and ends both in order.
  return spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: true,
  })
}

async function end(code: number): Promise<void> {
  if (ending) return
  ending = true
  await Promise.all(children.map(stop))
  process.exit(code)
}

function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return Promise.resolve()
  const group = -child.pid
  return new Promise((resolve) => {
    const late = setTimeout(() => process.kill(group, 'SIGKILL'), 5000)
    child.once('exit', () => {
      clearTimeout(late)
      resolve()
    })
    process.kill(group, 'SIGTERM')
  })
}
