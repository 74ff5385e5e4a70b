import { execFileSync, spawn } from 'node:child_process'
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { Part } from '../../../scripts/test/parts.ts'
import { endProcesses, leftover } from '../../support/leftovers.ts'
import { planted } from './every.ts'
import type { Fault } from './faults.ts'

/** A test that failed; without a file if its program failed outside every test. */
export type Failure = { file?: string; title: string }

/** Runs of a part's files: `bail` ends at the first failure, `minutes` ends what hangs. */
type Run = { part: Part; select: readonly string[]; bail: boolean; minutes: number; log: string }

/** The program that checks types, with its arguments. */
export const TYPES = ['node_modules/typescript/bin/tsc', '-p', '.']

/** Copies the commit of a checkout to a folder that is removed at the end, with the same packages. */
export function openTree(root: string): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'fieldwork-faults-')))
  leftover(() => rm(folder, { recursive: true, force: true }))
  execFileSync('git', ['clone', '--quiet', '--shared', root, folder])
  const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { workspaces: string[] }
  for (const packages of ['.', ...workspaces].map((home) => join(home, 'node_modules')))
    if (existsSync(join(root, packages))) symlinkSync(join(root, packages), join(folder, packages))
  return folder
}

/** Plants faults in a tree; returns the function that restores its files. */
export function plant(tree: string, faults: readonly Fault[]): () => void {
  const originals = new Map(faults.map(({ file }) => [file, readFileSync(join(tree, file), 'utf8')]))
  for (const fault of faults) writeFileSync(join(tree, fault.file), planted(fault, readFileSync(join(tree, fault.file), 'utf8')))
  return () => {
    for (const [file, text] of originals) writeFileSync(join(tree, file), text)
  }
}

/**
 * Returns the faults that don't compile, each with its first error.
 * All are checked at once, and again without those with an error in their file; halves, if the errors are elsewhere.
 */
export async function refused(tree: string, faults: readonly Fault[], log: string): Promise<Map<string, string>> {
  if (faults.length === 0) return new Map()
  const both = async (some: Fault[], others: Fault[]) =>
    new Map([...(await refused(tree, some, log)), ...(await refused(tree, others, log))])
  // Of two faults in one file, one could replace the other's text.
  const first = faults.filter(({ file }, at) => faults.findIndex((fault) => fault.file === file) === at)
  if (first.length < faults.length)
    return await both(
      first,
      faults.filter((fault) => !first.includes(fault)),
    )
  const restore = plant(tree, faults)
  const code = await execute(tree, TYPES, { log })
  restore()
  if (code === 0) return new Map()
  const errors = readFileSync(log, 'utf8').split('\n')
  if (faults.length === 1) return new Map([[faults[0]!.id, errors[0]!]])
  const own = new Map(
    faults.flatMap(({ id, file }) =>
      errors
        .filter((line) => line.startsWith(`${file}(`))
        .slice(0, 1)
        .map((line) => [id, line]),
    ),
  )
  if (own.size > 0)
    return new Map([
      ...own,
      ...(await refused(
        tree,
        faults.filter(({ id }) => !own.has(id)),
        log,
      )),
    ])
  const half = Math.ceil(faults.length / 2)
  return await both(faults.slice(0, half), faults.slice(half))
}

/** Runs a program of Node's in a tree, with its output in `log`; returns its exit code, or 'hung' after `minutes`. */
export async function execute(
  tree: string,
  [program, ...args]: string[],
  { log, minutes = 60, env = {} }: { log: string; minutes?: number; env?: Record<string, string> },
): Promise<number | 'hung'> {
  mkdirSync(dirname(log), { recursive: true })
  const output = openSync(log, 'w')
  const child = spawn(process.execPath, [join(tree, program!), ...args], {
    cwd: tree,
    env: { ...process.env, NO_COLOR: '1', ...env },
    stdio: ['ignore', output, output],
  })
  closeSync(output)
  let hung = false
  const timer = setTimeout(() => {
    hung = true
    endProcesses(child.pid)
    child.kill('SIGKILL')
  }, minutes * 60_000)
  const code = await new Promise<number>((done, failed) => {
    child.once('error', failed)
    child.once('exit', (status, signal) => {
      if (signal && !hung) failed(new Error(`${program} was ended by ${signal}`))
      else done(status ?? 1)
    })
  })
  clearTimeout(timer)
  return hung ? 'hung' : code
}

/** Runs a program in a copy without a fault, where it must pass. */
export async function must(tree: string, words: string[], log: string): Promise<void> {
  if ((await execute(tree, words, { log })) !== 0) throw new Error(`${words.join(' ')} fails without a fault: see ${log}`)
}

/** Runs these files of a part, and returns what failed. */
export async function failuresOf(tree: string, { part, select, bail, minutes, log }: Run): Promise<Failure[]> {
  const report = log.replace(/\.log$/, '.json')
  rmSync(report, { force: true })
  const options =
    part.report === 'vitest'
      ? ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...(bail ? ['--bail=1'] : [])]
      : ['--reporter=list,json', '--retries=0', ...(bail ? ['-x'] : [])]
  const env = { ...part.env, PLAYWRIGHT_JSON_OUTPUT_FILE: report }
  const code = await execute(tree, [part.program, ...part.args, ...options, ...select], { log, minutes, env })
  if (code === 'hung') return [{ title: `no end within ${minutes} minutes` }]
  if (code === 0) return []
  const json = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : undefined
  const failures = !json ? [] : part.report === 'vitest' ? ofVitest(json, tree) : ofPlaywright(json)
  return failures.length ? failures : [{ title: lastWords(log) }]
}

type VitestReport = {
  testResults: { name: string; status: string; assertionResults: { status: string; fullName: string }[] }[]
}

function ofVitest({ testResults }: VitestReport, tree: string): Failure[] {
  const files = testResults
    .filter(({ status }) => status === 'failed')
    .map(({ name, assertionResults }) => {
      const titles = assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName)
      return { file: relative(tree, name), titles }
    })
  // Files that the first failure interrupts are reported as failed, too, and may come before it.
  return files
    .toSorted((a, b) => Number(b.titles.length > 0) - Number(a.titles.length > 0))
    .flatMap(({ file, titles }) => (titles.length ? titles : ['(outside its tests)']).map((title) => ({ file, title })))
}

type Suite = { file: string; suites?: Suite[]; specs?: { title: string; tests: { status: string }[] }[] }

function ofPlaywright({ errors, suites }: { errors: { message?: string }[]; suites: Suite[] }): Failure[] {
  const specs = (one: Suite): NonNullable<Suite['specs']> => [...(one.specs ?? []), ...(one.suites ?? []).flatMap(specs)]
  // A suite's file, as a test may be written in a file that several import.
  const failed = suites.flatMap((suite) =>
    specs(suite)
      .filter(({ tests }) => tests.some(({ status }) => status === 'unexpected'))
      .map(({ title }) => ({ file: `/${suite.file}`, title })),
  )
  return [...failed, ...errors.map(({ message = '' }) => ({ title: stripVTControlCharacters(message).split('\n')[0]! }))]
}

/** The last line of a program's output, which failed without a failed test. */
function lastWords(log: string): string {
  const lines = readFileSync(log, 'utf8')
    .split('\n')
    .filter((line) => line.trim())
  return `failed outside every test: ${lines.find((line) => line.includes('Error')) ?? lines.at(-1) ?? 'without a word'}`.slice(
    0,
    200,
  )
}

/** The files of a part's tests, by their paths in the tree, as its runner lists them. */
export async function filesOf(tree: string, part: Part, log: string): Promise<string[]> {
  const report = log.replace(/\.log$/, '.json')
  const args =
    part.report === 'vitest'
      ? ['list', ...part.args.slice(1), '--filesOnly', `--json=${report}`]
      : [...part.args, '--list', '--pass-with-no-tests', '--reporter=json']
  const env = { ...part.env, PLAYWRIGHT_JSON_OUTPUT_FILE: report }
  const code = await execute(tree, [part.program, ...args], { log, env })
  if (code !== 0) throw new Error(`The tests of ${part.name} can't be listed: ${lastWords(log)}`)
  const json = JSON.parse(readFileSync(report, 'utf8'))
  const files: string[] =
    part.report === 'vitest'
      ? json.map(({ file }: { file: string }) => file)
      : json.suites.map(({ file }: { file: string }) => join(json.config.rootDir, file))
  return [...new Set(files)].map((file) => relative(tree, file))
}
