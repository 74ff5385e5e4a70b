// `npm test [-- part …]`: runs every check and test, up to three parts at a time, and prints a table and totals.
import { rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Postgres, startPostgres } from '../tests/support/postgres.ts'
import { PARTS, type Part } from './test/parts.ts'
import { type Outcome, runPart, seconds, summary } from './test/run.ts'

/** One more than the cores: API tests spend a fifth of their time waiting for timers, processes and disks. */
const LANES = 3
const root = resolve(import.meta.dirname, '..')
const reports = resolve(root, 'test-results/reports')
const ci = ['1', 'true'].includes(process.env.CI ?? '')

const requested = process.argv.slice(2)
const unknown = requested.filter((name) => !PARTS.some((part) => part.name === name))
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(', ')}. Parts: ${PARTS.map((part) => part.name).join(', ')}.`)
  process.exit(2)
}
const parts = requested.length ? PARTS.filter((part) => requested.includes(part.name)) : PARTS

let postgres: Postgres | undefined
const outcomes = new Map<string, Outcome>()
const began = performance.now()
rmSync(reports, { recursive: true, force: true })
await runAll()
await postgres?.stop()

const total = summary(
  parts.flatMap((part) => outcomes.get(part.name) ?? []),
  performance.now() - began,
)
process.exit(total.failed > 0 || total.incomplete ? 1 : 0)

/** Starts each part in order, once its predecessors are done and enough lanes are free. */
async function runAll(): Promise<void> {
  const waiting = [...parts]
  const running = new Map<string, Promise<void>>()
  let free = LANES
  while (waiting.length > 0 || running.size > 0) {
    const next = waiting.findIndex((part) => part.lanes <= free && (part.after ?? []).every(isDone))
    // Parts that need two lanes keep their place in line; nothing smaller may overtake them forever.
    if (next >= 0 && waiting.slice(0, next).every((part) => !(part.after ?? []).every(isDone))) {
      const [part] = waiting.splice(next, 1) as [Part]
      free -= part.lanes
      running.set(
        part.name,
        run(part).then((outcome) => {
          outcomes.set(part.name, outcome)
          running.delete(part.name)
          free += part.lanes
        }),
      )
    } else await Promise.race(running.values())
  }
}

function isDone(name: string): boolean {
  return outcomes.has(name) || !parts.some((part) => part.name === name)
}

async function run(part: Part): Promise<Outcome> {
  const env: Record<string, string> = {}
  if (part.postgres) {
    const started = process.env.TEST_POSTGRES_URL ? undefined : await startPostgres(undefined, { brief: true })
    if (started && 'reason' in started) return withoutPostgres(part, started.reason)
    postgres = started
    if (started) env.TEST_POSTGRES_URL = started.adminUrl
  }
  return await runPart(part, { root, reports, env })
}

function withoutPostgres(part: Part, reason: string): Outcome {
  const line = '!'.repeat(100)
  console.log(`${line}\nNOT RUN: ${part.title}. PostgreSQL could not be started here: ${reason}\n${line}`)
  const note = ci ? 'must run in CI' : `did not run: ${reason.split('\n')[0]}`
  return { part, passed: 0, failed: ci ? 1 : 0, skipped: 0, time: 0, note }
}

process.on('SIGINT', () => {
  console.log(`\nStopped after ${seconds(performance.now() - began)}.`)
  process.exit(130)
})
