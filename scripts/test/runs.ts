// `npm run test:runs [-- N] [--burner]`: runs `npm test` until N runs in a row passed without a second try.
// tests/runs.json keeps each run with its commit, so that a later call continues the count; a failure starts it again.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { helpIfAsked } from '../help.ts'

helpIfAsked('npm run test:runs [-- N] [--burner]: runs npm test until N runs in a row (10) passed without a second try.')

/** A run: minutes by the clock and of the processor, and what `tsc` takes there in seconds, for the machine's speed. */
type Run = {
  commit: string
  burner: boolean
  tsc: number
  minutes: number
  processor: number
  passed: number
  failed: number
  again: string[]
}

const root = resolve(import.meta.dirname, '../..')
const place = join(root, 'tests/runs.json')
const burner = process.argv.includes('--burner')
const wanted = Number(process.argv.slice(2).find((word) => /^\d+$/.test(word)) ?? 10)

for (let clean = streak(); clean.length < wanted; clean = streak()) {
  const run = once()
  writeFileSync(place, `${JSON.stringify([...runs(), run], null, 2)}\n`)
  console.log(`\n${wordsOf(run)}; ${streak().length} of ${wanted} clean runs\n`)
  if (run.failed > 0) process.exit(1)
}
for (const run of streak()) console.log(wordsOf(run))
const minutes = streak()
  .map((run) => run.minutes)
  .toSorted((a, b) => a - b)
console.log(`minimum ${minutes[0]}, median ${minutes[Math.floor(minutes.length / 2)]}, maximum ${minutes.at(-1)} minutes`)

function runs(): Run[] {
  return existsSync(place) ? JSON.parse(readFileSync(place, 'utf8')) : []
}

/** The runs since the last one that failed or needed a second try. */
function streak(): Run[] {
  const all = runs()
  return all.slice(all.findLastIndex((run) => run.failed > 0 || run.again.length > 0) + 1)
}

function once(): Run {
  const commit = execFileSync('git', ['describe', '--always', '--dirty', '--abbrev=10'], { cwd: root, encoding: 'utf8' }).trim()
  const before = performance.now()
  spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', '.', '--incremental', 'false'], { cwd: root })
  const tsc = performance.now() - before
  const fire = burner ? spawn(process.execPath, ['-e', 'while (true);'], { stdio: 'ignore' }) : undefined
  spawnSync(process.execPath, ['scripts/test.ts'], { cwd: root, stdio: 'inherit' })
  fire?.kill('SIGKILL')
  const { time, parts, failed, again } = JSON.parse(readFileSync(join(root, 'test-results/reports/summary.json'), 'utf8'))
  const sum = (key: string) => parts.reduce((total: number, part: Record<string, number>) => total + part[key]!, 0)
  const tenths = (milliseconds: number, unit: number) => Math.round((milliseconds / unit) * 10) / 10
  return {
    commit,
    burner,
    tsc: tenths(tsc, 1000),
    minutes: tenths(time, 60_000),
    processor: tenths(sum('processor'), 60_000),
    passed: sum('passed'),
    failed,
    again,
  }
}

function wordsOf(run: Run): string {
  const beside = run.burner ? ' beside a burner' : ''
  return `${run.minutes} minutes${beside} (processor ${run.processor}, tsc ${run.tsc} s): ${run.passed} passed, ${run.failed} failed, ${run.again.length} at the second try`
}
