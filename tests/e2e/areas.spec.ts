import type { Page } from '@playwright/test'
import { expect, test } from '../support/e2e.ts'
import { drawn, list, login, open, rows } from './verbs.ts'

// Commands load area by area. A command requested earlier, in whichever way, runs once its area has loaded.
test.describe.configure({ mode: 'parallel' })

const AREAS = /assets\/area-\w+-.*\.js/

/** Opens the project list on a page that is never idle; the areas' commands are held back until released. */
async function withoutAreas(
  page: Page,
  who: 'admin' | 'client' = 'admin',
  then: 'continue' | 'abort' = 'continue',
): Promise<() => void> {
  await login(page, who)
  await page.addInitScript('window.requestIdleCallback = () => 0')
  let come = () => {}
  const held = new Promise<void>((resolve) => {
    come = resolve
  })
  await page.route(AREAS, async (route) => {
    await held
    await route[then]()
  })
  await open(page, 'allProjects')
  await list(page)
  return () => come()
}

const areasOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => performance.getEntriesByType('resource').flatMap(({ name }) => /area-(\w+?)-/.exec(name)?.[1] ?? []))

test('the first screen fetches no area’s commands', async ({ page }) => {
  await withoutAreas(page)
  expect(await areasOf(page)).toEqual([])
})

test('the palette opens with the commands of every area', async ({ page }) => {
  const come = await withoutAreas(page)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('inp')
  await drawn(page)
  come()
  await expect(rows(page, 'project.invitePartners').first()).toBeVisible()
})
