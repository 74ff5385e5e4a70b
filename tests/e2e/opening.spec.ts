import type { Locator, Page } from '@playwright/test'
import { expect, test } from '../support/e2e.ts'
import { drawn, keys, list, login, open, pane, press, ready } from './verbs.ts'

// A loaded screen must show in its first frame: React delays what follows a visible fallback by 300 ms.
test.beforeEach(({ page }) => login(page))

declare global {
  interface Window {
    fallbacks: string[]
  }
}

/** Records every placeholder that is added to a pane from now on, however briefly. */
async function watchFallbacks(page: Page): Promise<void> {
  await page.evaluate(() => {
    window.fallbacks = []
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes) {
        for (const node of addedNodes) {
          if (!(node instanceof Element)) continue
          const found = node.matches('[data-loading]') ? node : node.querySelector('[data-loading]')
          if (found?.closest('[role=tabpanel]')) window.fallbacks.push(found.closest('[role=tabpanel]')!.id)
        }
      }
    }).observe(document.body, { subtree: true, childList: true })
  })
}
const fallbacks = (page: Page) => page.evaluate(() => window.fallbacks)

test('a reopened project shows its figures without a placeholder', async ({ page }) => {
  await open(page, 'allProjects')
  await list(page)
  await keys(page, 'Enter')
  await ready(page)
  const figures = pane(page).locator('[data-anchor=key]')
  await expect(figures).toContainText('%')
  await press(page, 'tab.close')
  await list(page)
  await watchFallbacks(page)
  await keys(page, 'Enter')
  await expect(figures).toContainText('%')
  expect(await fallbacks(page)).toEqual([])
})

const titleOf = async (heading: Locator) => (await heading.textContent()) ?? ''

/** Each list with its keys, and whether a row's record has a screen of its own. */
const LISTS = [
  ['go.allProjects', 'All projects', true],
  ['go.clients', 'Clients', true],
  ['go.surveys', 'Surveys', true],
  ['go.usersInfo', 'Users', false],
  ['go.rewards', 'Rewards', true],
  ['go.brands', 'All brands', true],
] as const

for (const [go, title, opens] of LISTS)
  test(`${title}: a reopened list and record show what they have without a placeholder`, async ({ page }) => {
    const heading = pane(page).getByRole('heading', { level: 1 })
    // Starts from another screen, from which the keys lead to the list.
    await open(page, 'jobs')
    await press(page, go)
    await list(page)
    await expect(heading).toHaveText(title)
    if (opens) {
      await keys(page, 'Enter')
      await expect(heading).not.toHaveText(title)
      await ready(page)
    }
    // A record replaces its list if that was a preview.
    for (let shown = await titleOf(heading); shown !== 'Jobs'; shown = await titleOf(heading)) {
      await press(page, 'tab.close')
      await expect(heading).not.toHaveText(shown)
      await ready(page)
    }
    await watchFallbacks(page)
    await press(page, go)
    await expect(heading).toHaveText(title)
    await list(page)
    expect(await fallbacks(page)).toEqual([])
    if (!opens) return
    await keys(page, 'Enter')
    await expect(heading).not.toHaveText(title)
    await expect(heading).toHaveText(/\S/)
    await ready(page)
    expect(await fallbacks(page)).toEqual([])
  })

test('another project waits only for its record, not again for its tab’s code', async ({ page }) => {
  await open(page, 'allProjects')
  await list(page)
  await keys(page, 'Enter')
  await ready(page)
  await press(page, 'tab.close')
  await list(page)
  await keys(page, 'j')
  await drawn(page)
  await watchFallbacks(page)
  await keys(page, 'Enter')
  await expect(pane(page).locator('[data-anchor=key]')).toContainText('%')
  expect((await fallbacks(page)).length).toBeLessThanOrEqual(1)
})
