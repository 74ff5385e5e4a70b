import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { engine, freshDatabase } from '../support/engine.ts'
import { type Fleet, startFleet } from '../torture/many/fleet.ts'
import { TOGETHER } from '../torture/many/together.ts'

/** SQLite is for one process; `npm run torture -- many` adds kills and a rolling restart. */
describe.runIf(engine === 'postgres')('three processes behind a proxy', () => {
  let fleet: Fleet
  beforeAll(async () => {
    fleet = await startFleet((await freshDatabase()) as Record<string, string>)
  })
  afterAll(async () => {
    await fleet?.stop()
  })

  test('start at once on an empty database, and all respond', async () => {
    const answers = await Promise.all(fleet.urls().map((url) => fetch(`${url}/healthz`)))
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200])
  })

  for (const { name, hold } of TOGETHER) test(name, () => hold(fleet), 60_000)
})
