import { cursorRow, drawn, keys, list, open, palette, pane, press, ready, run, search, select } from '../e2e/verbs.ts'
import { expect, test } from '../support/component.ts'

test('“Next page” keeps the focus on the last page, and opens no record', { tag: '@quick' }, async ({ page }) => {
  await open(page, 'allProjects')
  await list(page)
  const next = pane(page).getByRole('button', { name: /^Next page/ })
  await expect(next).not.toHaveAttribute('aria-disabled')
  await next.focus()
  for (let at = 0; at < 4; at++) await page.keyboard.press('Enter')
  await expect(next).toHaveAttribute('aria-disabled', 'true')
  await expect(next).toBeFocused()
  await expect(page).toHaveURL(/all-projects/)
  const box = (await next.boundingBox())!
  expect(Math.min(box.width, box.height)).toBeGreaterThanOrEqual(24)
})

test('a click on a header sorts and scrolls to the top, figures largest first, from further down too', { tag: '@quick' }, async ({
  page,
}) => {
  await open(page, 'allProjects')
  await list(page)
  // Not the last row, which the new order may put first.
  await keys(page, 'Shift+G k k k k k')
  const grid = pane(page).getByRole('treegrid')
  await expect.poll(() => grid.evaluate((one) => one.scrollTop)).toBeGreaterThan(0)
  await pane(page).locator('[data-head=ordered] button').first().click()
  await expect(page).toHaveURL(/sort=-ordered/)
  await ready(page)
  await expect(cursorRow(page)).toHaveAttribute('aria-rowindex', '2')
  await expect.poll(() => grid.evaluate((one) => one.scrollTop)).toBe(0)
  await expect(page).not.toHaveURL(/page=/)
  await expect(cursorRow(page)).toBeInViewport()
})

test('an arrow in a menu moves at once, so that an immediate Enter takes the right item', async ({ page }) => {
  await open(page, 'allProjects')
  await list(page)
  await press(page, 'list.sort')
  const menu = page.getByRole('menu', { name: 'Sort' })
  await expect(menu.getByRole('menuitemradio').first()).toBeFocused()
  await expect(menu.getByRole('menuitemradio').nth(1)).toHaveText('Project')
  // In one task, as on a busy page, which may still hold keys back for what opened and replays them in order.
  await page.evaluate(() => {
    for (const key of ['ArrowDown', 'Enter'])
      document.activeElement!.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
  })
  await expect(page).toHaveURL(/sort=-?name/)
})

test('so does a second arrow in the same task, and a letter goes to its item at once', async ({ page }) => {
  await open(page, 'allProjects')
  await list(page)
  await press(page, 'list.sort')
  const options = page.getByRole('menu', { name: 'Sort' }).getByRole('menuitemradio')
  await expect(options.first()).toBeFocused()
  await drawn(page)
  const items = await options.allTextContents()
  /** Presses several keys in one task, as on a busy page. */
  const pressed = (...names: string[]) =>
    page.evaluate((names) => {
      for (const key of names)
        document.activeElement!.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
    }, names)
  await pressed('ArrowDown', 'ArrowDown', 'ArrowUp', 'ArrowDown', 'Enter')
  await expect(page).toHaveURL(/sort=/)
  await expect(page).not.toHaveURL(/sort=-?name/)
  await page.goto(page.url().replace(/\?.*/, ''))
  await list(page)
  await press(page, 'list.sort')
  await expect(options.first()).toBeFocused()
  await drawn(page)
  // Handled late, Enter would choose the first item, which is the default order.
  await pressed(items[1]!.trim()[0]!.toLowerCase(), 'Enter')
  await expect(page).toHaveURL(/sort=/)
})

test('a long menu of choices narrows while typing, and Enter takes the first', { tag: '@quick' }, async ({ page }) => {
  await open(page, 'allProjects')
  await list(page)
  await press(page, 'list.sort')
  const menu = page.getByRole('menu', { name: 'Sort' })
  await expect(menu.locator(':focus')).toHaveCount(1)
  await page.keyboard.type('cost')
  await expect(menu.locator('[role^=menuitem]')).toHaveCount(1)
  await keys(page, 'Enter')
  await expect(page).toHaveURL(/sort=-?cost/)
})

test('the palette finds a list’s sort orders and columns by name, and “clear filters”', { tag: '@quick' }, async ({ page }) => {
  await open(page, 'allProjects')
  await list(page)
  const take = async (words: string, title: RegExp) => {
    await search(page, words)
    await select(page, page.locator('[data-palette] [role=option]', { hasText: title }))
    await keys(page, 'Enter')
    await expect(palette(page)).toHaveCount(0)
  }
  const cost = pane(page).getByRole('columnheader', { name: /^Cost/ })
  await take('sort by cost', /^Sort: Cost/)
  await expect(page).toHaveURL(/sort=-?cost/)
  await expect(cost).toHaveCount(1)
  await take('hide column cost', /^Column: Cost/)
  await expect(cost).toHaveCount(0)
  await take('column cost', /^Column: Cost/)
  await expect(cost).toHaveCount(1)
  await take('clear filters', /^Clear filters/)
  await expect(page).not.toHaveURL(/sort=/)
})

test('a list reopened in another pane begins at the row where it was left', async ({ page }) => {
  await open(page, 'clients')
  await list(page)
  await keys(page, 'j j')
  const row = (await cursorRow(page).textContent())!
  await press(page, 'tab.close')
  await keys(page, 'g c')
  await list(page)
  await expect(cursorRow(page)).toHaveText(row)
  await keys(page, 'g g')
  await expect(cursorRow(page)).not.toHaveText(row)
})

test.describe('at 320 px', () => {
  test.use({ viewport: { width: 320, height: 640 } })

  test('the count of a list keeps its number beside the buttons', async ({ page, api }) => {
    await open(page, 'project', { id: 527 }, { tab: 'rewardCenter' })
    await list(page)
    const counted = pane(page)
      .locator('[aria-live]', { hasText: `${api.market.rewards.length} rewards` })
      .first()
    const shown = await counted.evaluate((whole) => {
      const box = whole.getBoundingClientRect()
      const range = document.createRange()
      range.setStart(whole.firstChild!, 0)
      range.setEnd(whole.firstChild!, 1)
      const first = range.getBoundingClientRect()
      return first.right <= box.right + 1 && first.bottom <= box.bottom + 1 && box.right <= innerWidth
    })
    expect(shown).toBe(true)
  })
})

test('an empty date filter shows its whole format', async ({ page }) => {
  await page.setViewportSize({ width: 1024, height: 768 })
  await open(page, 'activityUsers', { activity_id: 7 })
  const dates = pane(page).getByPlaceholder('MM/DD/YYYY')
  await expect(dates).toHaveCount(2)
  const cut = await dates.first().evaluate((field: HTMLInputElement) => {
    // A placeholder can't be measured, a value can.
    field.value = field.placeholder
    return field.scrollWidth - field.clientWidth
  })
  expect(cut).toBe(0)
})

test('a list hides its search box and remembers it for itself; / and its own command show it again', async ({ page }) => {
  await open(page, 'clients')
  await list(page)
  const box = () => pane(page).locator('[data-command="list.search"], input[type=search]')
  await expect(box()).toHaveCount(1)
  await pane(page).getByRole('button', { name: 'Hide search' }).click()
  await expect(box()).toHaveCount(0)
  await page.reload()
  await list(page)
  await expect(pane(page).getByRole('button', { name: 'Show search' })).toBeVisible()
  await expect(box()).toHaveCount(0)
  await keys(page, '/')
  await expect(pane(page).getByRole('searchbox')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(box()).toHaveCount(0)
  await open(page, 'client', { id: 101 }, { tab: 'teams' })
  await list(page)
  await expect(box()).toHaveCount(1)
  await run(page, 'list.toggleSearch')
  await expect(box()).toHaveCount(0)
  await open(page, 'clients')
  await list(page)
  await search(page, 'Show search')
  await page.keyboard.press('Enter')
  await expect(box()).toHaveCount(1)
})
