import pino from 'pino'
import type { How, Outcome } from '../../../scripts/torture/parts.ts'
import { readSettings } from '../../../server/core/settings.ts'
import { closeServices, createServices } from '../../../server/services.ts'
import { randomOf } from '../random.ts'
import { attackConfirmations, attackMessages, attackPrompts } from './assistants.ts'
import { attackCalls, attackRevocation } from './calls.ts'
import { openWorld } from './world.ts'

/** The environment of a server under attack: changes by assistants are open, and no rate limit ends it early. */
export const ATTACKED = { DEMO: 'none', MCP: 'write', LIMITS: 'token_minute=1000000,writes_day=1000000,keys=100000' }

/**
 * The part `tokens` of `npm run torture`, against two processes on one database.
 * Tokens of every kind make `--requests` calls aimed at what they can't reach, and assistants attack confirmations.
 */
export async function tortureTokens(how: How): Promise<Outcome> {
  const requests = how.number('requests', 20_000)
  const rounds = how.number('rounds', 50)
  const seed = how.number('seed', 0) || Math.floor(Math.random() * 1e9)
  how.say(`seed ${seed}`)
  const random = randomOf(seed)
  const settings = readSettings({ ...(await how.database()), ...ATTACKED })
  const both = [
    await createServices(settings, pino({ level: 'silent' })),
    await createServices(settings, pino({ level: 'silent' })),
  ]
  const world = await openWorld(both)
  try {
    const { tally, faults } = await attackCalls(world, random, requests)
    how.say(`${tally.requests} calls: ${tally.done} done, ${tally.refused} refused`)
    faults.push(...(await attackRevocation(world, rounds)))
    faults.push(...(await attackMessages(world)))
    faults.push(...(await attackConfirmations(world, random, rounds)))
    how.say('confirmations were attacked')
    faults.push(...(await attackPrompts(world, random, requests)))
    return {
      figures: {
        'calls with tokens': tally.requests,
        'of these done': tally.done,
        refused: tally.refused,
        'tokens revoked in the middle of calls': rounds,
        'confirmations attacked': rounds,
        'commands of assistants': requests,
      },
      faults,
    }
  } finally {
    await world.close()
    for (const services of both) await closeServices(services)
  }
}
