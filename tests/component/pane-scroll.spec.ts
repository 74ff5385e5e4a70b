import type { Page } from '@playwright/test'
import { keys, open, pane, ready } from '../e2e/verbs.ts'
import { expect, test } from '../support/component.ts'

/** How far the focused pane is scrolled, and how far it can be. */
const scrolled = (page: Page) =>
  pane(page)
    .locator('[data-pane-scroller]')
    .evaluate((element) => ({ top: Math.round(element.scrollTop), most: element.scrollHeight - element.clientHeight }))
const top = async (page: Page) => (await scrolled(page)).top

/** Waits until the browser's smooth scrolling ends. */
async function atRest(page: Page): Promise<void> {
  let before = -1
  const still = async () => {
    const now = await top(page)
    const same = now === before
    before = now
    return same
  }
  await expect.poll(still).toBe(true)
}

test('a pane without a list scrolls by the usual page keys and by a list’s keys', { tag: '@quick' }, async ({ page, api }) => {
  await page.setViewportSize({ width: 1000, height: 500 })
  await open(page, 'project', { id: api.market.projects[0]!.id }, { tab: 'overview' })
  await ready(page)
  expect((await scrolled(page)).most).toBeGreaterThan(300)
  await keys(page, 'PageDown')
  await expect.poll(() => top(page)).toBeGreaterThan(100)
  const screen = await top(page)
  await keys(page, 'j')
  await expect.poll(() => top(page)).toBeGreaterThan(screen)
  await keys(page, 'Shift+Space')
  await expect.poll(() => top(page)).toBeLessThan(screen)
  await keys(page, 'End')
  await expect.poll(async () => (await scrolled(page)).most - (await top(page))).toBeLessThanOrEqual(1)
  await keys(page, 'g g')
  await expect.poll(() => top(page)).toBe(0)
  await keys(page, 'Space Space k')
  await expect.poll(() => top(page)).toBeGreaterThan(0)
})

test('a record’s fields, past the last of them too, and a form scroll the same way', async ({ page, api }) => {
  await page.setViewportSize({ width: 1000, height: 520 })
  await open(page, 'project', { id: api.market.projects[0]!.id }, { tab: 'specifications' })
  await ready(page)
  await keys(page, 'j j j')
  await expect(page.locator(':focus')).toHaveAttribute('data-row', /./)
  await keys(page, 'g g Space')
  await expect.poll(() => top(page)).toBeGreaterThan(100)
  await expect(pane(page).locator('[data-inline]')).toHaveCount(0)
  await keys(page, 'Home')
  await expect.poll(() => top(page)).toBe(0)
  await keys(page, 'PageDown')
  await expect.poll(() => top(page)).toBeGreaterThan(100)
  await keys(page, 'End')
  await expect.poll(async () => (await scrolled(page)).most - (await top(page))).toBeLessThanOrEqual(1)

  await open(page, 'newSurveyRequest')
  await pane(page).getByLabel('Project name *').focus()
  // In a field, PageDown scrolls natively; Escape returns the other keys to the pane.
  await keys(page, 'PageDown')
  await expect.poll(() => top(page)).toBeGreaterThan(100)
  await atRest(page)
  await keys(page, 'Escape g g')
  await expect.poll(() => top(page)).toBe(0)
  await keys(page, 'Space j')
  await expect.poll(() => top(page)).toBeGreaterThan(100)
  await keys(page, 'End')
  await expect.poll(async () => (await scrolled(page)).most - (await top(page))).toBeLessThanOrEqual(1)
})
