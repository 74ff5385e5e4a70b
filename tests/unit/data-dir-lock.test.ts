import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { acquireDataDir, DataDirLocked } from '../../server/core/dataDirLock.ts'

const LOCK = resolve(import.meta.dirname, '../../server/core/dataDirLock.ts')
/** As in two containers: each process takes itself for number 1. */
const PID_ONE = "data:text/javascript,Object.defineProperty(process, 'pid', { value: 1 })"
const WORK = `
import { acquireDataDir } from ${JSON.stringify(LOCK)}
try {
  const leave = acquireDataDir(process.argv[1], undefined, Number(process.argv[2]))
  process.on('exit', leave)
  console.log('holds it')
  process.stdin.on('data', () => process.exit(0)).on('end', () => process.exit(0))
} catch (error) {
  console.log(error.message)
}`

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'fieldwork-lock-'))
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  return made
}

/** Milliseconds between two looks of a holder, a tenth of the usual. */
const OFTEN = 50

/** Another process with id 1 that locks the folder, and its first line; it holds it until it is ended. */
async function container(at: string, looksMs = OFTEN) {
  const program = ['--no-warnings', '--import', PID_ONE, '--input-type=module', '--eval', WORK]
  const child = spawn(process.execPath, [...program, '--', at, String(looksMs)])
  onTestFinished(() => void child.kill('SIGKILL'))
  const line = await new Promise<string>((done) => child.stdout.once('data', (text) => done(String(text).trim())))
  const ended = async (how: 'SIGKILL' | 'end') => {
    const closed = new Promise((done) => child.once('close', done))
    if (how === 'end') child.stdin.end()
    else child.kill(how)
    if (child.exitCode === null) await closed
  }
  const error = new Promise<string>((done) => {
    let text = ''
    child.stderr.on('data', (part) => {
      text += part
    })
    child.once('close', () => done(text))
  })
  return { line, ended, error, signal: (name: NodeJS.Signals) => child.kill(name) }
}

test('a folder has one server, even if both take themselves for process 1 as in containers', async () => {
  const at = folder()
  const first = await container(at)
  expect(first.line).toBe('holds it')
  const second = await container(at)
  expect(second.line).toMatch(
    /^Another Fieldwork server \(process 1 on .+, since .+\) runs on .+\. Stop it first, or set DATA_DIR/,
  )
  await second.ended('end')
  expect(readFileSync(join(at, 'server.lock'), 'utf8')).toContain('process 1 on ')
  expect((await container(at)).line).toContain('Another Fieldwork server')
  await first.ended('SIGKILL')
  const after = await container(at)
  expect(after.line).toBe('holds it')
  await after.ended('end')
  expect(existsSync(join(at, 'server.lock'))).toBe(false)
  expect((await container(at)).line).toBe('holds it')
}, 30_000)

test('a process locks a folder once, and what an older release left there means nothing', () => {
  const at = folder()
  writeFileSync(join(at, 'server.lock'), String(process.pid))
  const acquire = () => acquireDataDir(at, undefined, OFTEN)
  const leave = acquire()
  expect(acquire).toThrow(DataDirLocked)
  leave()
  acquire()()
})

test.runIf(process.platform === 'linux')('a folder that can’t be written to is named with its reason', () => {
  expect(() => acquireDataDir('/proc/self', undefined, OFTEN)).toThrow(
    /^\/proc\/self can’t be locked \(.+\): it must be a folder on a local disk/,
  )
})

test('deleting the lock file deletes no lock: its holder puts it back, and a second server waits for that', async () => {
  const at = folder()
  // Longer than a process takes to start, so that it waits.
  const looks = 400
  const first = await container(at, looks)
  for (const names of [['server.lock.db'], ['server.lock.db', 'server.lock']]) {
    writeFileSync(join(at, 'fieldwork.db'), '')
    for (const name of names) rmSync(join(at, name))
    expect((await container(at, looks)).line).toContain('Another Fieldwork server (process 1 on ')
  }
  // One put in its place is no lock of the holder's either.
  rmSync(join(at, 'server.lock.db'))
  writeFileSync(join(at, 'server.lock.db'), '')
  await delay(3 * looks)
  expect((await container(at, looks)).line).toContain('Another Fieldwork server')
  await first.ended('end')
  expect((await container(at)).line).toBe('holds it')
}, 30_000)

test('a holder that slept while another took its folder stops with a sentence', async () => {
  const at = folder()
  const first = await container(at)
  first.signal('SIGSTOP')
  rmSync(join(at, 'server.lock.db'))
  const second = await container(at)
  expect(second.line).toBe('holds it')
  first.signal('SIGCONT')
  expect(await first.error).toContain('Another Fieldwork server (process 1 on ')
  expect(readFileSync(join(at, 'server.lock'), 'utf8')).toContain('process 1 on ')
  await second.ended('end')
}, 30_000)
