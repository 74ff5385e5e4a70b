import { column, field, keys, list, open, pane, ready, run } from '../e2e/verbs.ts'
import { expect, test } from '../support/component.ts'

test('w z shows only the focused pane, and the same keys or Escape restore everything', { tag: '@quick' }, async ({ page }) => {
  await open(page, 'allProjects')
  await list(page)
  await keys(page, 'j o')
  await ready(page)
  const bars = [page.getByRole('banner'), page.getByRole('contentinfo'), page.locator('[role=tablist]').first(), column(page, 1)]
  for (const bar of bars) await expect(bar).toBeVisible()
  await keys(page, 'w z')
  for (const bar of bars) await expect(bar).toBeHidden()
  await expect(column(page, 2)).toBeVisible()
  await expect(page.locator('[data-announcer]')).toHaveText(/Only this pane is shown/)
  await keys(page, 'Alt+1 x')
  await expect(column(page, 1)).toBeVisible()
  await expect(column(page, 2)).toBeHidden()
  const picked = pane(page).locator('[role=row][aria-selected=true]')
  await expect(picked).toHaveCount(1)
  await keys(page, 'Escape')
  await expect(picked).toHaveCount(0)
  await expect(bars[0]!).toBeHidden()
  await keys(page, 'Escape')
  for (const bar of [...bars, column(page, 2)]) await expect(bar).toBeVisible()
  await expect(pane(page).getByRole('treegrid')).toBeFocused()
})

test('zen starts from the palette or a chord and ends by its button, with the focus in the pane; a reload ends it', async ({
  page,
  api,
}) => {
  await open(page, 'project', { id: api.market.projects[0]!.id }, { tab: 'overview' })
  await ready(page)
  await run(page, 'pane.zen')
  await expect(page.getByRole('banner')).toBeHidden()
  await page.getByRole('button', { name: 'Leave zen' }).click()
  await expect(page.getByRole('banner')).toBeVisible()
  await expect(page.locator('section[role=tabpanel]:focus')).toHaveCount(1)
  await keys(page, 'Alt+z')
  await expect(page.getByRole('banner')).toBeHidden()
  await keys(page, 'Escape')
  await expect(page.getByRole('banner')).toBeVisible()
  await keys(page, 'Alt+z')
  await expect(page.getByRole('banner')).toBeHidden()
  await page.reload()
  await expect(page.getByRole('banner')).toBeVisible()
})

test.describe('in a window of 390 px', () => {
  test.use({ viewport: { width: 390, height: 800 } })
  test('zen leaves only the pane, and Escape restores the rest', async ({ page, api }) => {
    await open(page, 'project', { id: api.market.projects[0]!.id }, { tab: 'overview' })
    await ready(page)
    await keys(page, 'Alt+z')
    await expect(page.getByRole('banner')).toBeHidden()
    await expect(page.getByRole('button', { name: 'Leave zen' })).toBeVisible()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    await keys(page, 'w b')
    await expect(field(page)).toBeFocused()
    await page.keyboard.type('specif')
    await keys(page, 'Enter')
    await expect(page).toHaveURL(/specifications/)
    await keys(page, 'Escape')
    await expect(page.getByRole('banner')).toBeVisible()
  })
})
