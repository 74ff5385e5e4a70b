import fc from 'fast-check'
import { expect, test } from '../support/e2e.ts'
import { fixedSeed } from '../support/seed-of-day.ts'
import { fastly, rebind, SPEEDS, sequences, slowly, wire } from './typist.ts'
import { login } from './verbs.ts'

/** No sequence starts after this many ms; the long run is `npm run torture -- typist`. */
const ENOUGH_MS = 60_000
const MOST = 8

test('a fast typist ends where a slow one ends, or is told what was dropped: never in between', async ({ page }) => {
  test.setTimeout(240_000)
  await login(page, 'admin', 'own')
  await page.goto('/dashboard/all-projects')
  const net = await wire(page)
  const seed = fixedSeed('TYPIST_SEED')
  const wrong: string[] = []
  const until = Date.now() + ENOUGH_MS
  let typed = 0
  for (const sequence of fc.sample(sequences, { seed, numRuns: MOST })) {
    if (Date.now() > until) break
    await rebind(page, sequence.rebound)
    const model = await slowly(page, net, sequence)
    for (const speed of SPEEDS) {
      const fault = await fastly(page, net, sequence, speed, model)
      if (fault) wrong.push(fault)
      typed++
    }
  }
  console.log(`typist: ${typed} runs, ${wrong.length} wrong (TYPIST_SEED=${seed})`)
  expect(wrong, `TYPIST_SEED=${seed}`).toEqual([])
})
