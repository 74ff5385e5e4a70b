import type { Page } from '@playwright/test'
import { expect, test } from '../support/e2e.ts'
import { drawn, keys, list, login, open, pane, press, ready } from './verbs.ts'

// A loaded screen must show in its first frame: React delays what follows a visible fallback by 300 ms.
test.beforeEach(({ page }) => login(page))

declare global {
  interface Window {
    fallbacks: string[]
  }
}

/** Records every placeholder added to a pane from now on, however brief. */
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

test('a project that was open before shows its figures without a placeholder', async ({ page }) => {
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

test('a list that was open before shows its rows without a placeholder', async ({ page }) => {
  await open(page, 'clients')
  await list(page)
  await press(page, 'go.allProjects')
  await expect(pane(page).getByRole('heading', { level: 1 })).toHaveText('All projects')
  await list(page)
  await press(page, 'tab.previous')
  await press(page, 'tab.close')
  await list(page)
  await watchFallbacks(page)
  await press(page, 'go.clients')
  await expect(pane(page).getByRole('heading', { level: 1 })).toHaveText('Clients')
  await list(page)
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
