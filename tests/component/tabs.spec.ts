import { columns, keys, list, open, pane, ready, selected } from '../e2e/verbs.ts'
import { expect, test } from '../support/component.ts'

test('a tab of a record is a link: the middle button opens it behind, Ctrl beside, and its menu has the commands', {
  tag: '@quick',
}, async ({ page }) => {
  await open(page, 'project', { id: 530 }, { tab: 'specifications' })
  const screens = page.getByRole('tablist', { name: 'Open screens' }).getByRole('tab')
  const overview = pane(page).getByRole('tab', { name: 'Overview' })
  await expect(overview).toHaveAttribute('href', '/dashboard/project-info/530/dashboard')
  await overview.click({ button: 'middle' })
  await expect(screens).toHaveCount(2)
  await expect(pane(page).getByRole('tab', { name: 'Specifications' })).toHaveAttribute('aria-selected', 'true')
  await overview.click({ button: 'right' })
  const menu = page.getByRole('menu', { name: 'All actions for Overview' })
  await expect(menu.getByRole('menuitem', { name: 'Copy link', exact: true })).toBeVisible()
  await expect(overview).toHaveAttribute('aria-selected', 'true')
  await keys(page, 'Escape')
  await expect(overview).toBeFocused()
  await keys(page, 'Space')
  await expect(overview).toHaveAttribute('aria-selected', 'true')
  await pane(page)
    .getByRole('tab', { name: 'History' })
    .click({ modifiers: ['ControlOrMeta'] })
  await expect(columns(page)).toHaveCount(2)
})

test('a tab of the open screens is a link, the middle button closes it, and the menu key opens its commands', {
  tag: '@quick',
}, async ({ page }) => {
  await page.goto('/dashboard/clients')
  await ready(page)
  const link = (await list(page)).getByRole('link').first()
  await link.click({ button: 'middle' })
  const screens = page.getByRole('tablist', { name: 'Open screens' }).getByRole('tab')
  await expect(screens).toHaveCount(2)
  await expect(screens.nth(0)).toHaveAttribute('href', '/dashboard/clients')
  await screens.nth(1).click({ button: 'right' })
  await expect(screens.nth(1)).toHaveAttribute('aria-selected', 'true')
  await ready(page)
  await page.getByRole('menuitem', { name: 'Keep tab open' }).press('Escape')
  await expect(screens.nth(1)).toBeFocused()
  await keys(page, 'Shift+F10')
  await page.getByRole('menuitem', { name: 'Close all other tabs' }).click()
  await expect(screens).toHaveCount(1)
  await page.keyboard.press('Alt+Shift+T')
  await expect(screens).toHaveCount(2)
  await screens.first().click({ button: 'middle' })
  await expect(screens).toHaveCount(1)
})

test('cut text is shown whole in a card, on hover and on focus; it stays under the pointer, and Escape closes it', async ({
  page,
  api,
}) => {
  const name = 'A very long name of a project that no column of any list has the room for, not even on a wide screen'
  await api.set('projects', api.market.projects[0]!.id, { name })
  await open(page, 'allProjects', {}, { query: { columns: 'name:200' } })
  const row = await list(page)
  const card = page.locator('[data-cut-text]')
  await row.getByText(name).hover()
  await expect(card).toHaveText(name)
  await card.hover()
  await expect(card).toBeVisible()
  await page.mouse.move(5, 5)
  await expect(card).toHaveCount(0)
  await row.getByText(name).hover()
  await expect(card).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(card).toHaveCount(0)
  await page.mouse.move(5, 5)
  // Moves the cursor to a cell by keyboard.
  await pane(page).locator('[role=treegrid]').focus()
  await keys(page, 'ArrowRight')
  await expect(card).toHaveText(name)
  await keys(page, 'Escape')
  await expect(card).toHaveCount(0)
})

test('a client’s long Arabic name is cut at its end', async ({ page, api }) => {
  const name = 'شركة لومن بارك للمختبرات والأبحاث الطبية والتجارية والصناعية المحدودة'
  await api.set('clients', api.market.clients[0]!.id, { name })
  await open(page, 'allProjects')
  await list(page)
  const cell = pane(page).getByRole('gridcell').filter({ hasText: name }).first()
  expect(await cell.evaluate((one) => getComputedStyle(one).direction)).toBe('rtl')
  const figure = pane(page).getByRole('gridcell').filter({ hasText: /^\d+$/ }).first()
  expect(await figure.evaluate((one) => getComputedStyle(one).direction)).toBe('ltr')
})

test('a column keeps 320 px when its neighbour is made wider, so that its list can be read', async ({ page }) => {
  await open(page, 'allProjects')
  await list(page)
  await keys(page, 'Space')
  await expect(columns(page)).toHaveCount(2)
  const divider = page.getByRole('separator', { name: 'Width of column 1' })
  await divider.focus()
  await keys(page, 'Home')
  await expect.poll(async () => Math.round((await columns(page).first().boundingBox())!.width)).toBe(320)
})

test('a strip begins with a whole tab, and a tab with its record’s name', async ({ page, api }) => {
  await page.setViewportSize({ width: 900, height: 700 })
  const some = api.market.projects.slice(0, 7)
  await open(page, 'project', { id: some[0]!.id }, { tab: 'specifications' })
  await expect(page.getByRole('tab', { selected: true }).first()).toHaveText(`${some[0]!.name} · Specifications`)
  for (const { id } of some.slice(1)) {
    await keys(page, 'Control+k')
    await page.keyboard.type(`P-${id}`)
    await expect(selected(page)).toContainText(`P-${id}`)
    await keys(page, 'Shift+Enter')
    await expect(page).toHaveURL(new RegExp(`project-info/${id}/`))
  }
  const strip = page.getByRole('tablist', { name: 'Open screens' })
  /** Pixels between the left edge and the nearest beginning of a tab, and of the shown tab that are cut. */
  const cuts = () =>
    strip.evaluate((one) => {
      const { left, right } = one.getBoundingClientRect()
      const shown = one.querySelector('[aria-selected=true]')!.parentElement!.getBoundingClientRect()
      const starts = [...one.children].map((tab) => Math.abs(tab.getBoundingClientRect().left - left))
      return [Math.min(...starts), Math.max(0, left - shown.left, shown.right - right)].map((pixels) => Math.round(pixels))
    })
  await expect.poll(cuts).toEqual([0, 0])
  expect(await strip.evaluate((one) => one.scrollLeft)).toBeGreaterThan(0)
  await keys(page, 'Alt+[ Alt+[ Alt+[')
  await expect.poll(cuts).toEqual([0, 0])
})

test('the tabs of a record begin with a whole word, however narrow its column is', async ({ page, api }) => {
  await page.setViewportSize({ width: 900, height: 700 })
  const [one] = api.market.projects
  for (const tab of ['overview', 'history', 'notes'] as const) {
    await open(page, 'project', { id: one!.id }, { tab })
    await keys(page, 'Control+\\')
    await expect(columns(page)).toHaveCount(2)
    const row = pane(page).getByRole('tablist').first()
    const cut = () =>
      row.evaluate((list) => {
        const { left, right } = list.getBoundingClientRect()
        const shown = list.querySelector('[aria-selected=true]')!.getBoundingClientRect()
        const starts = [...list.children].map((each) => Math.abs(each.getBoundingClientRect().left - left))
        return [Math.min(...starts), Math.max(0, left - shown.left, shown.right - right)].map((pixels) => Math.round(pixels))
      })
    await expect.poll(async () => JSON.stringify(await cut()), tab).toBe('[0,0]')
  }
})
