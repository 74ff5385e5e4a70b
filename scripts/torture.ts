// `npm run torture [-- part …] [--engine sqlite|postgres|both] [--<option> <number>]`: tests too long for `npm test`.
// It prints measurements; the exit code depends only on broken guarantees, never on times.
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Engine } from '../server/db/connect.ts'
import { leftover, removeLeftovers } from '../tests/support/leftovers.ts'
import { type Postgres, startPostgres } from '../tests/support/postgres.ts'
import { helpIfAsked } from './help.ts'
import { endCleanly } from './torture/ending.ts'
import { type How, type Outcome, PARTS, type Part } from './torture/parts.ts'

helpIfAsked(`npm run torture [-- part …] [--engine sqlite|postgres|both]: tests too long for npm test.\n\n${listOfParts()}`)

const options = Object.fromEntries(
  ['engine', ...PARTS.flatMap((part) => Object.keys({ ...part.options, ...part.words }))].map((name) => [
    name,
    { type: 'string' as const },
  ]),
)
const parsed = (() => {
  try {
    return parseArgs({ options, allowPositionals: true })
  } catch (error) {
    return giveUp((error as Error).message)
  }
})()
const values = parsed.values as Record<string, string | undefined>
const unknown = parsed.positionals.filter((name) => !PARTS.some((part) => part.name === name))
if (unknown.length) giveUp(`There is no part ${unknown.join(', ')}.`)
const parts = parsed.positionals.length ? PARTS.filter((part) => parsed.positionals.includes(part.name)) : PARTS
const engines = enginesOf(values.engine ?? 'both')

for (const name of PARTS.flatMap((part) => Object.keys(part.options))) numberOf(name)

const unlessEnding = endCleanly()
let postgres: Postgres | undefined
let serial = 0
let broken = 0
for (const part of parts) for (const engine of engines) if (!part.only || part.only === engine) broken += await run(part, engine)
console.log(`\n${broken ? `${broken} promises broken` : 'Every promise was kept'}`)
process.exit(broken ? 1 : 0)

async function run(part: Part, engine: Engine): Promise<number> {
  console.log(`\n${part.name} on ${engine}: ${part.about}`)
  const began = performance.now()
  const how: How = {
    engine,
    database: () => freshDatabase(engine),
    number: (name, otherwise) => numberOf(name) ?? otherwise,
    word: (name, otherwise) => values[name] ?? otherwise,
    say: (line) => console.log(`  ${line}`),
  }
  const outcome: Outcome = await part
    .run(how)
    .catch((error: Error) => ({ figures: {}, faults: [`the part ended with an error: ${error.stack}`] }))
  await unlessEnding()
  outcome.faults.push(...(await removeLeftovers()))
  await unlessEnding()
  postgres = undefined
  for (const [name, figure] of Object.entries(outcome.figures)) console.log(`  ${name.padEnd(44)} ${figure}`)
  for (const fault of outcome.faults.slice(0, 20)) console.log(`  BROKEN ${fault}`)
  if (outcome.faults.length > 20) console.log(`  … and ${outcome.faults.length - 20} more`)
  console.log(`  after ${((performance.now() - began) / 1000).toFixed(1)} s: ${outcome.faults.length} broken`)
  return outcome.faults.length
}

async function freshDatabase(engine: Engine): Promise<Record<string, string>> {
  // A few users do in minutes what thousands do in a day.
  const folder = mkdtempSync(join(tmpdir(), 'fieldwork-torture-'))
  leftover(() => rm(folder, { recursive: true, force: true }))
  const settings = { DATA_DIR: folder, LIMITS: 'writes_day=100000000,exports_day=1000000' }
  if (engine === 'sqlite') return settings
  if (!postgres) {
    const started = await startPostgres()
    if ('reason' in started) throw new Error(`PostgreSQL could not be started here: ${started.reason}`)
    postgres = started
  }
  return { ...settings, DATABASE_URL: await postgres.url(`torture_${++serial}`) }
}

function numberOf(name: string): number | undefined {
  const text = values[name]
  if (text === undefined) return undefined
  const number = Number(text)
  return Number.isFinite(number) && number >= 0 ? number : giveUp(`--${name} needs a number, not "${text}".`)
}

function enginesOf(text: string): Engine[] {
  if (text === 'both') return ['sqlite', 'postgres']
  return text === 'sqlite' || text === 'postgres' ? [text] : giveUp(`--engine is sqlite, postgres or both, not "${text}".`)
}

function giveUp(sentence: string): never {
  console.error(`${sentence}\n${listOfParts()}`)
  process.exit(2)
}

function listOfParts(): string {
  const list = PARTS.map(
    (part) =>
      `  ${part.name.padEnd(8)} ${Object.entries({ ...part.options, ...part.words })
        .map(([name, value]) => `--${name} ${value}`)
        .join(' ')}`,
  )
  return `Parts and their options:\n${list.join('\n')}`
}
