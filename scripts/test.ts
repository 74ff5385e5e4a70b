// `npm test [-- part …]` runs what a change usually breaks, `npm run test:all [-- part …]` everything there is.
// Up to three parts run at a time; a table, the slowest files and totals follow.
// `--resume` skips what passed on the same files.
import { existsSync, rmSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { startPostgres } from '../tests/support/postgres.ts'
import { helpIfAsked } from './help.ts'
import { type Part, partsOf } from './test/parts.ts'
import { filesOf, passedBefore, remember } from './test/resume.ts'
import { type Outcome, runPart, seconds, spent, summary } from './test/run.ts'

helpIfAsked(
  `npm test [-- part …]       what a change usually breaks\nnpm run test:all           everything\n\n  --resume  skips what passed on the same files\n\nParts: ${partsOf(
    true,
  )
    .map((part) => part.name)
    .join(', ')}`,
)

/** One more than the cores: API tests spend a fifth of their time waiting for timers, processes and disks. */
const LANES = 3
const root = resolve(import.meta.dirname, '..')
const reports = resolve(root, 'test-results/reports')
const ci = ['1', 'true'].includes(process.env.CI ?? '')

const flags = process.argv.slice(2).filter((word) => word.startsWith('--'))
const requested = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const whole = flags.includes('--all')
const every = partsOf(whole)
const wrong = [
  ...requested.filter((name) => !every.some((part) => part.name === name)),
  ...flags.filter((flag) => flag !== '--all' && flag !== '--resume'),
]
if (wrong.length > 0) {
  console.error(`There is no part ${wrong.join(', ')}. Parts: ${every.map((part) => part.name).join(', ')}; option: --resume.`)
  process.exit(2)
}
const chosen = requested.length ? every.filter((part) => requested.includes(part.name)) : every

const files = whole ? filesOf(root) : undefined
const outcomes = new Map<string, Outcome>(files && flags.includes('--resume') ? passedBefore(root, files, chosen) : [])
const parts = chosen.filter((part) => !outcomes.has(part.name))
for (const name of outcomes.keys()) console.log(`${name} passed before, on the same files.`)

const began = performance.now()
rmSync(reports, { recursive: true, force: true })
await runAll()

const total = summary(
  chosen.flatMap((part) => outcomes.get(part.name) ?? []),
  { time: performance.now() - began, reports, whole },
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
          if (files) remember(root, files, outcome)
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
  const missing = Object.keys(part.needs ?? {}).filter((program) => !onPath(program))
  if (missing.length) {
    const packages = missing.map((program) => part.needs![program])
    return notRun(part, `${missing.join(' and ')} isn’t installed (apt-get install ${packages.join(' ')})`)
  }
  if (!part.postgres || process.env.TEST_POSTGRES_URL) return await runPart(part, { root, reports, env: {} })
  const started = await startPostgres(undefined, { brief: true })
  if ('reason' in started) return notRun(part, `PostgreSQL could not be started here: ${started.reason}`)
  const outcome = await runPart(part, { root, reports, env: { TEST_POSTGRES_URL: started.adminUrl } })
  // PostgreSQL's own work counts once it has ended.
  const before = spent()
  await started.stop()
  return { ...outcome, processor: outcome.processor + spent() - before }
}

function onPath(program: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)))
}

function notRun(part: Part, reason: string): Outcome {
  const line = '!'.repeat(100)
  console.log(`${line}\nNOT RUN: ${part.title}. ${reason}\n${line}`)
  const must = ci && part.postgres === true
  const note = must ? 'must run in CI' : `did not run: ${reason.split('\n')[0]}`
  return { part, passed: 0, failed: must ? 1 : 0, skipped: 0, time: 0, processor: 0, note }
}

process.on('SIGINT', () => {
  console.log(`\nStopped after ${seconds(performance.now() - began)}.`)
  process.exit(130)
})
