import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import type { Part } from './parts.ts'

/**
 * How a part ended: tests counted from the runner's report, `time` and `processor` time in milliseconds.
 * `failures` lists failed tests with the first line of the reason; `again` those that passed only on the second try.
 */
export type Outcome = {
  part: Part
  passed: number
  failed: number
  skipped: number
  time: number
  processor: number
  note?: string
  failures?: string[]
  again?: string[]
  /** Each test file with its time in milliseconds. */
  files?: [name: string, time: number][]
}

const SLOWEST = 15

type Place = { root: string; reports: string; env: Record<string, string> }

/** Runs one part, prefixes its output with its name, and counts its tests. */
export async function runPart(part: Part, { root, reports, env }: Place): Promise<Outcome> {
  const began = performance.now()
  const report = join(reports, `${part.name}.json`)
  mkdirSync(reports, { recursive: true })
  const colors = process.stdout.isTTY ? { FORCE_COLOR: '1' } : { NO_COLOR: '1' }
  const child = spawn(process.execPath, [join(root, part.program), ...part.args, ...reporters(part, report)], {
    cwd: root,
    env: { ...process.env, ...colors, ...part.env, ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: report },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  say(part, `started: ${part.title}`)
  const last: string[] = []
  const output = Promise.all([relay(part, child.stdout, last), relay(part, child.stderr, last)])
  let processor = 0
  child.once('exit', () => {
    processor = spent() - accounted
    accounted += processor
  })
  const code = await new Promise<number>((done) => {
    child.once('error', (problem) => {
      say(part, problem.message)
      done(1)
    })
    child.once('close', (status) => done(status ?? 1))
  })
  await output
  const time = performance.now() - began
  const counts = withReason(count(part, report, code), last)
  say(part, `${counts.failed > 0 ? 'FAILED' : 'done'} after ${seconds(time)}`)
  return { part, ...counts, time, processor }
}

/** The processor time that ended parts were charged with. */
let accounted = 0

/** Milliseconds of processor time of all ended child processes and their descendants; 0 where Linux doesn't say. */
export function spent(): number {
  if (!existsSync('/proc/self/stat')) return 0
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]!.split(' ')
  // cutime and cstime, in hundredths of a second (proc(5)).
  return (Number(fields[13]) + Number(fields[14])) * 10
}

function reporters(part: Part, report: string): string[] {
  if (part.report === 'vitest') return ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  return part.report === 'playwright' ? ['--reporter=list,json'] : []
}

/** Prints each line, and keeps the last ones in `last`. */
async function relay(part: Part, stream: Readable, last: string[]): Promise<void> {
  for await (const line of createInterface({ input: stream })) {
    say(part, line)
    if (line.trim()) last.push(stripVTControlCharacters(line))
    if (last.length > 200) last.shift()
  }
}

/** A program that failed although no test did gave its reason in its output, such as an unhandled error. */
function withReason(counts: Counts, last: readonly string[]): Counts {
  if (counts.failed === 0 || counts.failures?.length) return counts
  const from = last.findIndex((line) => line.includes('Unhandled Error'))
  return { ...counts, failures: from >= 0 ? last.slice(from, from + 25) : last.slice(-25) }
}

function say(part: Part, line: string): void {
  process.stdout.write(`${part.name.padEnd(8)} │ ${line}\n`)
}

type Counts = Omit<Outcome, 'part' | 'time' | 'processor'>

type VitestReport = {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  numTodoTests: number
  testResults: {
    name: string
    status: string
    message: string
    startTime: number
    endTime: number
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[]
  }[]
}

type PlaywrightReport = {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number }
  errors: { message?: string }[]
  suites: Suite[]
}
type Suite = { suites?: Suite[]; specs?: Spec[] }
type Spec = {
  file: string
  line: number
  title: string
  tests: { status: string; results: { duration: number; errors: { message?: string }[] }[] }[]
}

/** A part fails if a test fails, its program fails, or it ran no test. */
function count(part: Part, report: string, code: number): Counts {
  if (part.report === 'none')
    return { passed: 0, failed: code === 0 ? 0 : 1, skipped: 0, note: code === 0 ? 'ok' : `exit code ${code}` }
  if (!existsSync(report)) return { passed: 0, failed: 1, skipped: 0, note: 'left no report' }
  const json = JSON.parse(readFileSync(report, 'utf8'))
  const counts = part.report === 'vitest' ? ofVitest(json) : ofPlaywright(json)
  if (counts.passed + counts.failed === 0) return { ...counts, failed: 1, note: 'ran no test' }
  if (code !== 0 && counts.failed === 0) return { ...counts, failed: 1, note: `exit code ${code}` }
  return counts
}

function ofVitest(json: VitestReport): Counts {
  const failing = (file: VitestReport['testResults'][number]) => file.assertionResults.filter((test) => test.status === 'failed')
  // A file that couldn't be loaded, or whose `afterAll` failed.
  const outside = json.testResults.filter((file) => file.status === 'failed' && failing(file).length === 0)
  return {
    passed: json.numPassedTests,
    failed: json.numFailedTests + outside.length,
    skipped: json.numPendingTests + json.numTodoTests,
    ...(outside.length > 0 && { note: `${outside.length} file(s) failed outside their tests` }),
    failures: [
      ...outside.map((file) => named(`${relative(process.cwd(), file.name)} (outside its tests)`, file.message)),
      ...json.testResults.flatMap((file) =>
        failing(file).map((test) => named(`${relative(process.cwd(), file.name)} › ${test.fullName}`, test.failureMessages[0])),
      ),
    ],
    files: json.testResults.map((file) => [relative(process.cwd(), file.name), file.endTime - file.startTime]),
  }
}

function ofPlaywright({ stats, errors, suites }: PlaywrightReport): Counts {
  const ended = (status: string) => specsOf(suites).filter((spec) => spec.tests.some((test) => test.status === status))
  const nameOf = (spec: Spec) => named(`${spec.file}:${spec.line} › ${spec.title}`, reasonOf(spec))
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected + errors.length,
    skipped: stats.skipped,
    failures: [...errors.map((error) => named('before any test', error.message)), ...ended('unexpected').map(nameOf)],
    again: ended('flaky').map(nameOf),
    files: [...Map.groupBy(specsOf(suites), (spec) => spec.file)].map(([file, specs]) => [
      file,
      specs.flatMap((spec) => spec.tests.flatMap((test) => test.results)).reduce((sum, { duration }) => sum + duration, 0),
    ]),
  }
}

function specsOf(suites: readonly Suite[]): Spec[] {
  return suites.flatMap((suite) => [...(suite.specs ?? []), ...specsOf(suite.suites ?? [])])
}

function reasonOf(spec: Spec): string | undefined {
  return spec.tests.flatMap((test) => test.results.flatMap((result) => result.errors))[0]?.message
}

/** A test's name with the first line of its error. */
function named(test: string, message = ''): string {
  const [first = ''] = stripVTControlCharacters(message).split('\n')
  return first ? `${test}: ${first.slice(0, 240)}` : test
}

/** How a run went as a whole: its time in milliseconds, and the folder of reports to which the summary is written. */
type Run = { time: number; reports: string; whole: boolean }

/** Prints the table and, last, `N passed, N failed`; `incomplete` is true if a part ran no test. */
export function summary(outcomes: Outcome[], { time, reports, whole }: Run): { failed: number; incomplete: boolean } {
  const sum = (key: 'passed' | 'failed' | 'skipped' | 'processor') => outcomes.reduce((total, outcome) => total + outcome[key], 0)
  const line = (cells: readonly (string | number)[], note = '') =>
    console.log(
      `${cells.map((cell, at) => (at ? String(cell).padStart(10) : String(cell).padEnd(38))).join('')}  ${note}`.trimEnd(),
    )
  console.log()
  line(['part', 'passed', 'failed', 'skipped', 'time', 'processor'])
  for (const { part, passed, failed, skipped, time, processor, note } of outcomes)
    line(
      [part.title, ...(part.report === 'none' ? ['', failed, ''] : [passed, failed, skipped]), seconds(time), seconds(processor)],
      note,
    )
  line(['all', sum('passed'), sum('failed'), sum('skipped'), seconds(time), seconds(sum('processor'))])
  const list = (title: string, of: (outcome: Outcome) => string[] | undefined) => {
    const names = outcomes.flatMap((outcome) => (of(outcome) ?? []).map((name) => `  ${outcome.part.name} │ ${name}`))
    if (names.length > 0) console.log(`\n${title}:\n${names.join('\n')}`)
    return names
  }
  const files = outcomes.flatMap(({ part, files = [] }) => files.map(([name, time]) => ({ part, name, time })))
  console.log('\nThe slowest files:')
  for (const { part, name, time } of files.toSorted((a, b) => b.time - a.time).slice(0, SLOWEST))
    console.log(`  ${seconds(time).padStart(8)} ${part.name} │ ${name}`)
  const again = list('Passed only on the second try', ({ again }) => again)
  list('Failed', ({ failures }) => failures)
  console.log(`\n${sum('passed')} passed, ${sum('failed')} failed`)
  const figures = outcomes.map(({ part: { name }, passed, failed, skipped, time, processor }) => {
    return { name, passed, failed, skipped, time, processor }
  })
  writeFileSync(join(reports, 'summary.json'), JSON.stringify({ whole, time, failed: sum('failed'), again, parts: figures }))
  return { failed: sum('failed'), incomplete: outcomes.length === 0 }
}

/** Milliseconds as seconds with one decimal: `12.3 s`. */
export function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`
}
