import type { Page } from '@playwright/test'
import { href } from '../../src/routing/routes.ts'
import { cursorRow, drawn, field, keys, list, open, palette, pane, press, projects, toast } from '../e2e/verbs.ts'
import { expect, test } from '../support/component.ts'

// Commands load area by area. A command requested earlier, in whichever way, runs once its area has loaded.

const AREAS = /assets\/area-\w+-.*\.js/

/** Opens the project list on a page that is never idle; the areas' commands are held back until released. */
async function withoutAreas(page: Page, then: 'continue' | 'abort' = 'continue'): Promise<() => void> {
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

test('a key waits until the commands of its area have loaded, and so do the letters after it', async ({ page }) => {
  const come = await withoutAreas(page)
  await keys(page, 'a n')
  await page.keyboard.type('Jxj x*e')
  await drawn(page)
  await expect(palette(page)).toHaveCount(0)
  await expect(cursorRow(page)).toHaveAttribute('aria-rowindex', '2')
  come()
  await expect(field(page)).toHaveValue('Jxj x*e')
})

test('a list’s own keys don’t wait', async ({ page }) => {
  await withoutAreas(page)
  await page.keyboard.press('j')
  await expect(cursorRow(page)).toHaveAttribute('aria-rowindex', '3')
  await page.keyboard.press('x')
  await expect(pane(page).getByText('1 selected')).toBeVisible()
  expect(await areasOf(page)).not.toContain('people')
})

test('keys that begin like those of an area but lead elsewhere don’t wait', async ({ page }) => {
  await withoutAreas(page)
  await press(page, 'go.surveyProjects')
  await expect(pane(page).getByRole('heading', { level: 1, name: 'Survey projects' })).toBeVisible()
})

test('an administrator’s key does nothing for a client user, whether or not its area has loaded', async ({ page, api }) => {
  api.as('client')
  const come = await withoutAreas(page)
  await press(page, 'project.remove')
  await page.keyboard.press('j')
  come()
  await expect(cursorRow(page)).toHaveAttribute('aria-rowindex', '3')
  await expect(palette(page)).toHaveCount(0)
})

test('a row’s menu opens with all its commands', async ({ page }) => {
  const come = await withoutAreas(page)
  await cursorRow(page).locator('[data-row-menu]').click()
  await drawn(page)
  come()
  await expect(page.getByRole('menu').getByRole('menuitem', { name: /Clone project/ })).toBeVisible()
  await expect(page.getByRole('menu').getByRole('menuitem', { name: /Clear pending rewards/ })).toBeVisible()
})

test('the buttons for selected rows appear once their area has loaded', async ({ page }) => {
  const come = await withoutAreas(page)
  await page.keyboard.press('x')
  await expect(pane(page).getByText('1 selected')).toBeVisible()
  come()
  await expect(pane(page).getByRole('button', { name: /Invite partners/ })).toBeVisible()
})

test('a link’s command is filled in once its area has loaded', async ({ page }) => {
  const come = await withoutAreas(page)
  const [project] = await projects(page)
  await page.goto(`${href('project', { id: project!.id }, { tab: 'specifications' })}?do=note.create&note=By+a+link`)
  await expect(page.locator('main')).toBeVisible()
  await drawn(page)
  await expect(palette(page)).toHaveCount(0)
  come()
  await expect(palette(page)).toContainText('note')
  await expect(field(page)).toHaveValue('By a link')
})

test('an area that fails to load is reported, and the keys after it are the list’s again', { tag: '@quick' }, async ({
  page,
}) => {
  const fail = await withoutAreas(page, 'abort')
  await keys(page, 'a n')
  await page.keyboard.type('words')
  fail()
  await expect(toast(page, /words/)).toBeVisible()
  await page.keyboard.press('j')
  await expect(cursorRow(page)).toHaveAttribute('aria-rowindex', '3')
})
