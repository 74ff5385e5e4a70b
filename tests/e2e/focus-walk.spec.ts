import { expect, test } from '../support/e2e.ts'
import { fixedSeed } from '../support/seed-of-day.ts'
import { sample, walk } from './focus-walk.ts'
import { login, open } from './verbs.ts'

/*
 * A fixed sample of all commands; `npm run torture -- focus` runs all of them, cancelled, completed and refused.
 */

const SHARE = 16
const ENOUGH_MS = 35_000

// A server of its own, because completed commands change the marketplace.
test.use({ settings: { LIMITS: 'writes_day=100000' } })

test('after each command, question, refusal and end the focus is where work continues', async ({ page }) => {
  test.setTimeout(ENOUGH_MS + 120_000)
  await login(page, 'admin', 'own')
  const seed = fixedSeed('FOCUS_SEED')
  const { wrong, runs } = await walk(page, sample(seed, SHARE), { seed, until: Date.now() + ENOUGH_MS })
  console.log(`focus: ${runs} commands, ${wrong.length} wrong (FOCUS_SEED=${seed})`)
  expect(wrong, `FOCUS_SEED=${seed}`).toEqual([])
})

test('a focus that is lost or misplaced when something closes is found', async ({ page }) => {
  await login(page, 'admin', 'own')
  const left = async () => (await walk(page, [['project.clone', 'left']], { seed: 3 })).wrong
  expect(await left()).toEqual([])
  // Checked once the palette is gone.
  await page.addInitScript(() =>
    document.addEventListener('focusin', ({ target }) => {
      const was = document.querySelector('[data-palette]')
      if (was) Object.assign(window, { asked: true })
      else if ((window as { asked?: boolean }).asked) setTimeout(() => (target as HTMLElement).blur())
    }),
  )
  expect((await left()).join()).toContain('on nothing')
  await open(page, 'clients')
})
