import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import type { Part } from './parts.ts'

/**
 * How a part ended: tests counted from the runner's report, `time` in milliseconds.
 * `failures` lists failed tests with the first line of the reason; `again` those that passed only on the second try.
 */
export type Outcome = {
  part: Part
  passed: number
  failed: number
  skipped: number
  time: number
  note?: string
  failures?: string[]
  again?: string[]
}

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
  return { part, ...counts, time }
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

type Counts = Omit<Outcome, 'part' | 'time'>

type VitestReport = {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  numTodoTests: number
  testResults: {
    name: string
    status: string
    message: string
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
  tests: { status: string; results: { errors: { message?: string }[] }[] }[]
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

/** Prints the table and, last, `N passed, N failed`; `incomplete` is true if a part ran no test. */
export function summary(outcomes: Outcome[], time: number): { failed: number; incomplete: boolean } {
  const sum = (key: 'passed' | 'failed' | 'skipped') => outcomes.reduce((total, outcome) => total + outcome[key], 0)
  console.log(
    `\n${'part'.padEnd(30)}${'passed'.padStart(8)}${'failed'.padStart(8)}${'skipped'.padStart(9)}${'time'.padStart(10)}`,
  )
  for (const { part, passed, failed, skipped, time, note } of outcomes) {
    const shown = part.report === 'none' ? ['', failed, ''] : [passed, failed, skipped]
    const [p, f, s] = shown.map(String) as [string, string, string]
    console.log(
      `${part.title.padEnd(30)}${p.padStart(8)}${f.padStart(8)}${s.padStart(9)}${seconds(time).padStart(10)}  ${note ?? ''}`.trimEnd(),
    )
  }
  const totals = [sum('passed'), sum('failed'), sum('skipped')].map(String) as [string, string, string]
  console.log(
    `${'all'.padEnd(30)}${totals[0].padStart(8)}${totals[1].padStart(8)}${totals[2].padStart(9)}${seconds(time).padStart(10)}\n`,
  )
  const list = (title: string, of: (outcome: Outcome) => string[] | undefined) => {
    const names = outcomes.flatMap((outcome) => (of(outcome) ?? []).map((name) => `  ${outcome.part.name} │ ${name}`))
    if (names.length > 0) console.log(`${title}:\n${names.join('\n')}\n`)
  }
  list('Passed only on the second try', ({ again }) => again)
  list('Failed', ({ failures }) => failures)
  console.log(`${sum('passed')} passed, ${sum('failed')} failed`)
  return { failed: sum('failed'), incomplete: outcomes.length === 0 }
}

/** Milliseconds as seconds with one decimal: `12.3 s`. */
export function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`
}
