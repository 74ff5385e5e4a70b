import pino from 'pino'
import { beforeAll, describe, expect, test } from 'vitest'
import { readSettings } from '../../server/core/settings.ts'
import { closeServices, createServices } from '../../server/services.ts'
import { closeAfterFile } from '../support/after-file.ts'
import { engine, migratedDatabase } from '../support/engine.ts'
import { randomOf } from '../torture/random.ts'
import { attackConfirmations, attackMessages, attackPrompts } from '../torture/tokens/assistants.ts'
import { attackCalls, attackRevocation } from '../torture/tokens/calls.ts'
import { ATTACKED } from '../torture/tokens/part.ts'
import { openWorld, type World } from '../torture/tokens/world.ts'

/* The short form of `npm run torture -- tokens`, always with the same seed. */
const SEED = 20261127
/** Calls on PostgreSQL take much longer, and the conditions are the same. */
const [CALLS, COMMANDS] = engine === 'sqlite' ? [300, 100] : [100, 40]
let world: World
beforeAll(async () => {
  const settings = readSettings({
    ...(await migratedDatabase()),
    NODE_ENV: 'test',
    PUBLIC_URL: 'http://fieldwork.test',
    ...ATTACKED,
  })
  const both = [
    await createServices(settings, pino({ level: 'silent' })),
    await createServices(settings, pino({ level: 'silent' })),
  ]
  world = await openWorld(both)
  closeAfterFile(async () => {
    await world.close()
    for (const services of both) await closeServices(services)
  })
})

describe('attacked tokens', () => {
  test('open nothing beyond their scopes and limits', async () => {
    const { tally, faults } = await attackCalls(world, randomOf(SEED), CALLS)
    expect(faults).toEqual([])
    expect(tally.done).toBeGreaterThan(CALLS / 30)
  }, 90_000)

  test('end at once on every process when they are revoked in the middle of calls', async () => {
    expect(await attackRevocation(world, 3)).toEqual([])
  })
})

describe('attacked assistants', () => {
  test('hostile messages are refused, and the next one is answered', async () => {
    expect(await attackMessages(world)).toEqual([])
  })

  test('a confirmation works once, for its token, command and input, however it is forged or repeated', async () => {
    expect(await attackConfirmations(world, randomOf(SEED), 3)).toEqual([])
  })

  test('ids from a prompt reach nothing outside the token’s scope', async () => {
    expect(await attackPrompts(world, randomOf(SEED), COMMANDS)).toEqual([])
  }, 90_000)
})
