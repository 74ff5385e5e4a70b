import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { engine } from '../support/engine.ts'

const root = resolve(import.meta.dirname, '../..')

interface Process {
  pid: number
  command: string
}

/** Every process below one, however deep. */
function descendantsOf(ancestor: number): Process[] {
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,stat=,args='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line))
    .filter((row) => row !== null && !row[3]!.startsWith('Z'))
    .map((row) => ({ pid: Number(row![1]), parent: Number(row![2]), command: row![4]! }))
  const below = (parent: number): Process[] =>
    rows.filter((row) => row.parent === parent).flatMap((row) => [row, ...below(row.pid)])
  return below(ancestor).filter(({ command }) => !command.startsWith('ps '))
}

/** Whether a process is still there under the same command: another may have got its number. */
function isAlive({ pid, command }: Process): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').join(' ').trim() === command && !isZombie(pid)
  } catch {
    return false
  }
}
const isZombie = (pid: number) => /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))

/** Starts a part of the torture whose temporary files are in a folder of their own. */
function torture(...args: string[]) {
  const folder = mkdtempSync(join(inject('scratch'), 'torture-'))
  const { PATH, HOME } = process.env
  const child = spawn(process.execPath, ['scripts/torture.ts', ...args], { cwd: root, env: { PATH, HOME, TMPDIR: folder } })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (printed += text))
  const ended = new Promise<number | null>((done) => child.once('close', done))
  const started = new Map<number, Process>()
  onTestFinished(() => {
    for (const one of [...started.values()].filter(isAlive)) process.kill(one.pid, 'SIGKILL')
    child.kill('SIGKILL')
  })
  return {
    child,
    ended,
    printed: () => printed,
    /** Waits until it runs a process of each kind, and remembers all that it started. */
    runs: (...commands: RegExp[]) =>
      vi.waitFor(
        () => {
          const now = descendantsOf(child.pid!)
          for (const one of now) started.set(one.pid, one)
          for (const command of commands)
            expect(now.find((one) => command.test(one.command)) ?? `no ${command}: ${printed}`).toBeInstanceOf(Object)
        },
        { timeout: 60_000, interval: 20 },
      ),
    /** What is left of it: processes that run, and files of its own folder. */
    left: () => [...[...started.values()].filter(isAlive).map(({ command }) => command), ...readdirSync(folder)],
    mounts: () =>
      readFileSync('/proc/mounts', 'utf8')
        .split('\n')
        .filter((line) => line.includes(folder)),
  }
}

const part = engine === 'sqlite' ? ['crash', '--kill', 'disk'] : ['crash', '--kill', 'pause']
const parts = engine === 'sqlite' ? [/crash\/server\.ts/] : [/crash\/server\.ts/, /bin\/postgres /]

/** One each, as a run takes some seconds; they are handled alike. */
const signal = engine === 'sqlite' ? 'SIGTERM' : 'SIGINT'

test.runIf(process.platform === 'linux')(
  `a torture that gets ${signal} leaves no process, mount or folder behind`,
  async () => {
    const run = torture(...part, '--engine', engine, '--rounds', '30')
    await run.runs(...parts)
    run.child.kill(signal)
    const code = await run.ended
    expect(run.left()).toEqual([])
    expect(run.mounts()).toEqual([])
    expect(code, run.printed()).toBe(128 + constants.signals[signal])
  },
  90_000,
)
