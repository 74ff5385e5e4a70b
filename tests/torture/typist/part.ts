import fc from 'fast-check'
import type { How, Outcome } from '../../../scripts/torture/parts.ts'
import { fastly, rebind, SPEEDS, sequences, slowly, wire } from '../../e2e/typist.ts'
import { login } from '../../e2e/verbs.ts'
import { startServer } from '../../support/server.ts'
import { openBrowser } from '../browser.ts'

/** The part `typist` of `npm run torture`: `--sequences`, slowly and at three speeds, from `--seed` (0: random). */
export async function tortureTypist(how: How): Promise<Outcome> {
  const seed = how.number('seed', 0) || Math.floor(Math.random() * 1e9)
  const numRuns = how.number('sequences', 100)
  how.say(`seed ${seed}: --seed ${seed} replays it`)
  const server = await startServer({ ...(await how.database()), DEMO: 'demo' }, undefined, 300)
  const browser = await openBrowser()
  const faults: string[] = []
  let typed = 0
  let dropped = 0
  try {
    const context = await browser.newContext({ baseURL: server.url, viewport: { width: 1440, height: 900 }, locale: 'en-US' })
    const page = await context.newPage()
    await page.goto('/login')
    await login(page, 'admin', 'own')
    await page.goto('/dashboard/all-projects')
    const net = await wire(page)
    for (const sequence of fc.sample(sequences, { seed, numRuns })) {
      await rebind(page, sequence.rebound)
      const model = await slowly(page, net, sequence)
      for (const speed of SPEEDS) {
        const fault = await fastly(page, net, sequence, speed, model)
        if (fault) faults.push(fault)
        typed++
        if (await page.locator('[data-sonner-toast]', { hasText: /(wasn|weren)’t used/ }).count()) dropped++
      }
      if (typed % 30 === 0) how.say(`${typed} runs, ${faults.length} wrong`)
    }
  } finally {
    await browser.close()
    await server.stop()
  }
  return { figures: { 'sequences typed fast': typed, 'of them partly or wholly dropped, and said': dropped }, faults }
}
