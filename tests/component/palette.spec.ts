import { call, cursorRow, field, goTo, keys, list, open, palette, rows, search } from '../e2e/verbs.ts'
import { expect, test } from '../support/component.ts'

declare global {
  interface Window {
    /** While true, every look at the clock takes five milliseconds. */
    slow: boolean
  }
}

test.describe('opening and closing', { tag: '@quick' }, () => {
  test('text typed before it has opened isn’t lost', async ({ page }) => {
    let come = () => {}
    const held = new Promise<void>((resolve) => {
      come = resolve
    })
    await page.route('**/assets/Palette-*.js', async (route) => {
      await held
      await route.continue()
    })
    await open(page, 'allProjects')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('partners')
    await expect(palette(page)).toHaveCount(0)
    come()
    await expect(field(page)).toHaveValue('partners')
  })

  test('Escape returns the focus to where it was', async ({ page }) => {
    await open(page, 'allProjects')
    await list(page)
    await search(page)
    await page.keyboard.press('Escape')
    await expect(palette(page)).toBeHidden()
    await list(page)
    const before = (await cursorRow(page).textContent()) ?? ''
    await keys(page, 'j')
    await expect(cursorRow(page)).not.toHaveText(before)
  })

  test('reopened while it closes, it keeps the focus', async ({ page }) => {
    await goTo(page, '/dashboard/all-projects')
    await list(page)
    await search(page)
    // In one task, like fast hands on a slow machine: Radix restores the focus only after a timer.
    await page.evaluate(async () => {
      const press = (key: string, ctrlKey = false) =>
        document.activeElement!.dispatchEvent(new KeyboardEvent('keydown', { key, ctrlKey, bubbles: true, cancelable: true }))
      press('Escape')
      for (let turn = 0; turn < 1000 && document.querySelector('[role=dialog]'); turn++) await null
      if (document.querySelector('[role=dialog]')) throw new Error('The palette did not close in its own task.')
      press('k', true)
    })
    await expect(field(page)).toBeFocused()
    await page.keyboard.type('clone')
    await expect(field(page)).toHaveValue('clone')
  })
})

test.describe('finding', { tag: '@quick' }, () => {
  test('records of a kind that only a newer version knows aren’t offered', async ({ page }) => {
    await page.route('**/palette/index*', async (route) => {
      const answer = await route.fetch()
      const index = await answer.json()
      index.put.push(['gadget', 7, 'Zanzibar', ''], ['client', 8, 'Zanzibari Ltd', ''])
      await route.fulfill({ response: answer, json: index })
    })
    await open(page, 'allProjects')
    await search(page, 'zanzibar')
    await expect(palette(page).locator('[data-row="entity:client:8"]')).toBeVisible()
    await expect(palette(page).locator('[data-row^="entity:"]')).toHaveCount(1)
  })

  test('a row that was found late is gone once its name has changed', async ({ page, api }) => {
    await open(page, 'allProjects')
    const { data: client } = await call(page, 'client.create', { name: 'Zanzibari Ltd' })
    await search(page, 'zanzibar')
    const found = rows(page).filter({ hasText: 'Zanzibari Ltd' })
    await expect(found).toBeVisible()
    await expect.poll(() => api.isHeard).toBe(true)
    // Each step of a search takes longer than all of it may block the page.
    await page.evaluate(() => {
      const now = performance.now.bind(performance)
      let ahead = 0
      window.slow = true
      performance.now = () => {
        if (window.slow) ahead += 5
        return now() + ahead
      }
    })
    await page.keyboard.type('i')
    await expect(found).toBeVisible()
    await page.evaluate(() => {
      window.slow = false
    })
    await call(page, 'client.edit', { id: client.id, name: 'Other Ltd' })
    await expect(found).toHaveCount(0)
  })

  test('a new name is found even if it couldn’t be read at first', async ({ page, api }) => {
    await open(page, 'allProjects')
    await search(page, 'zanzibari')
    await expect(palette(page)).toContainText('No results for “zanzibari”')
    await expect.poll(() => api.isHeard).toBe(true)
    let reads = 0
    await page.route('**/palette/index*', (route) => (reads++ ? route.continue() : route.fulfill({ status: 503, json: {} })))
    await call(page, 'client.create', { name: 'Zanzibari Ltd' })
    await expect.poll(() => reads).toBe(1)
    await expect(rows(page).filter({ hasText: 'Zanzibari Ltd' })).toBeVisible()
  })
})
