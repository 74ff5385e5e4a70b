import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { How, Outcome } from '../../../scripts/torture/parts.ts'
import { deadlocksOf } from '../../support/postgres.ts'
import { randomOf } from '../random.ts'
import { startFleet } from './fleet.ts'
import { killInTurn } from './kills.ts'
import { makeNextRelease } from './release.ts'
import { rollOn } from './rolling.ts'
import { measureSizes } from './sizes.ts'
import { holdTogether, TOGETHER } from './together.ts'

/**
 * The part `many` of `npm run torture`: three servers on one PostgreSQL and one S3 behind a proxy act as one.
 * They lose nothing when killed in turn (`--rounds`), and the next release replaces them without a failed request.
 */
export async function tortureMany(how: How): Promise<Outcome> {
  const seed = how.number('seed', 0) || Math.floor(Math.random() * 1e9)
  const random = randomOf(seed)
  how.say(`seed ${seed}`)
  const env = await how.database()
  const fleet = await startFleet(env)
  const figures: Outcome['figures'] = {}
  const faults: string[] = []
  const began = performance.now()
  const add = (phase: string, outcome: Outcome) => {
    how.say(`${phase}: ${outcome.faults.length} broken, ${Math.round((performance.now() - began) / 1000)} s since the start`)
    for (const fault of outcome.faults.slice(0, 5)) how.say(`  ${fault}`)
    for (const [name, figure] of Object.entries(outcome.figures)) figures[`${phase}: ${name}`] = figure
    faults.push(...outcome.faults.map((fault) => `${phase}: ${fault}`))
  }
  try {
    const broken = await holdTogether(fleet)
    add('together', {
      figures: { 'promises held by three as by one': `${TOGETHER.length - broken.length} of ${TOGETHER.length}` },
      faults: broken,
    })
    add('kills', await killInTurn(fleet, how.number('rounds', 20), random, how.say))
    const next = makeNextRelease(mkdtempSync(join(env.DATA_DIR!, 'next-')))
    add('rolling', await rollOn(fleet, next, random, how.say))
    const { rows } = await sql<{ count: number }>`select deadlocks as count from pg_stat_database
      where datname = current_database()`.execute(fleet.database.db)
    figures['transactions ended because two waited for each other'] = rows[0]!.count
    if (rows[0]!.count) faults.push(`${rows[0]!.count} times two transactions waited for each other`)
    for (const deadlock of await deadlocksOf(env.DATABASE_URL!)) faults.push(`deadlock: ${deadlock}`)
  } finally {
    await fleet.stop()
  }
  add('sizes', { figures: await measureSizes(await how.database()), faults: [] })
  return { figures, faults }
}
