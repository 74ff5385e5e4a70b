import type { Page } from '@playwright/test'
import { goTo, keys, list, open, pane, press, ready, run } from '../e2e/verbs.ts'
import { expect, test } from '../support/component.ts'

/** The headings of a list's columns, in order. */
const heads = (page: Page) => pane(page).locator('[data-head]')
const head = (page: Page, id: string) => pane(page).locator(`[data-head="${id}"]`)
const widthOf = async (page: Page, id: string) => Math.round((await head(page, id).boundingBox())!.width)

test('dragging the edge of a column’s header sets its width, which is remembered until a reset', async ({ page, api }) => {
  await open(page, 'allProjects')
  await list(page)
  const before = await widthOf(page, 'status')
  const edge = (await head(page, 'status').locator('[data-edge]').boundingBox())!
  const from = edge.x + edge.width / 2
  await page.mouse.move(from, edge.y + 10)
  // A press on the edge that is released too early changes nothing.
  await page.mouse.down()
  await page.mouse.up()
  await page.mouse.move(from + 60, edge.y + 10)
  await page.mouse.move(from, edge.y + 10)
  expect(await widthOf(page, 'status')).toBe(before)
  await page.mouse.down()
  // The code for dragging is loaded on the first press.
  await expect
    .poll(async () => {
      await page.mouse.move(from + 39, edge.y + 10)
      await page.mouse.move(from + 40, edge.y + 10)
      return widthOf(page, 'status')
    })
    .toBe(before + 40)
  await page.mouse.up()
  await expect.poll(() => JSON.stringify(api.writes)).toContain('status:')
  await press(page, 'list.columnsReset')
  await expect.poll(() => widthOf(page, 'status')).toBe(before)
})

test('→ reaches a cell, keys widen, move and hide its column, and ← returns to the row', { tag: '@quick' }, async ({ page }) => {
  await open(page, 'allProjects')
  const grid = pane(page).getByRole('treegrid')
  await list(page)
  const active = () => grid.getAttribute('aria-activedescendant')
  await keys(page, 'ArrowRight ArrowRight')
  const second = await heads(page).nth(1).getAttribute('data-head')
  await expect.poll(active).toMatch(new RegExp(`-${second}$`))
  const before = await widthOf(page, second!)
  await press(page, 'list.columnWider')
  await expect.poll(() => widthOf(page, second!)).toBe(before + 24)
  await press(page, 'list.columnRight')
  await expect(heads(page).nth(2)).toHaveAttribute('data-head', second!)
  await press(page, 'list.columnHide')
  await expect(head(page, second!)).toHaveCount(0)
  await expect(pane(page).getByRole('button', { name: /^Columns \d+ of \d+$/ })).toBeVisible()
  const beside = await heads(page).nth(2).getAttribute('data-head')
  await expect.poll(active).toMatch(new RegExp(`-${beside}$`))
  await press(page, 'list.columnsReset')
  await expect(head(page, second!)).toHaveCount(1)
  await keys(page, 'ArrowLeft ArrowLeft ArrowLeft ArrowLeft')
  await expect.poll(active).not.toMatch(/-[a-z_]+$/)
})

test('the dialog hides, moves and shows columns by keyboard; the name can’t be hidden', { tag: '@quick' }, async ({ page }) => {
  await open(page, 'allProjects')
  await list(page)
  await run(page, 'list.columns')
  const dialog = page.getByRole('dialog', { name: 'Columns' })
  await expect(dialog.getByRole('checkbox', { name: 'Project' })).toBeDisabled()
  await dialog.getByRole('checkbox', { name: 'Client' }).focus()
  await page.keyboard.press('Space')
  await expect(head(page, 'client')).toHaveCount(0)
  await expect(dialog.getByRole('list', { name: 'Hidden columns' }).getByRole('checkbox', { name: 'Client' })).toBeFocused()
  await dialog.getByRole('checkbox', { name: 'Cost' }).press('Alt+ArrowUp')
  await expect
    .poll(() => heads(page).evaluateAll((all) => all.map((one) => (one as HTMLElement).dataset.head).join()))
    .toMatch(/cost(_cents)?,ordered/)
  await dialog.getByRole('list', { name: 'Hidden columns' }).getByRole('checkbox', { name: 'Client' }).focus()
  await page.keyboard.press('Space')
  await expect(head(page, 'client')).toHaveCount(1)
  await expect(dialog.getByRole('list', { name: 'Columns, in order' }).getByRole('checkbox', { name: 'Client' })).toBeFocused()
  const width = dialog.getByRole('spinbutton', { name: 'Width of Client in pixels' })
  await width.selectText()
  await page.keyboard.type('120')
  await expect(width).toHaveValue('120')
  await page.keyboard.press('Enter')
  await expect.poll(() => widthOf(page, 'client')).toBe(120)
  await page.keyboard.press('Escape')
  await expect(pane(page).getByRole('treegrid')).toBeFocused()
})

test('a link’s columns are shown, the row announces their names, and a reset restores the usual ones', async ({ page }) => {
  await goTo(page, '/dashboard/all-projects?columns=name:300,ordered:90,client')
  await ready(page)
  await expect(heads(page)).toHaveCount(3)
  expect(await widthOf(page, 'name')).toBe(300)
  const row = await list(page)
  await expect(row).toHaveAccessibleName(/Ordered 200 Client /)
  await press(page, 'list.columnsReset')
  await expect(heads(page)).not.toHaveCount(3)
})

test.describe('in a narrow window', () => {
  test.use({ viewport: { width: 900, height: 700 } })

  test('columns without room are named, and return in a list that scrolls sideways', async ({ page }) => {
    await open(page, 'allProjects')
    await list(page)
    await pane(page)
      .getByRole('button', { name: /^Columns \d+ of \d+$/ })
      .click()
    const dialog = page.getByRole('dialog', { name: 'Columns' })
    const missing = dialog.getByRole('button', { name: 'Show anyway' })
    await expect(missing.first()).toBeVisible()
    while (await missing.count()) {
      const left = await missing.count()
      await missing.first().click()
      await expect(missing).not.toHaveCount(left)
    }
    await page.keyboard.press('Escape')
    const grid = pane(page).getByRole('treegrid')
    await expect.poll(() => grid.evaluate((one) => one.scrollWidth > one.clientWidth)).toBe(true)
  })

  test('names stay in sight while a list scrolls sideways, and so does a column pinned by a key', async ({ page }) => {
    const all = 'id!,name!,client!,status!,pacing!,delivered!,ordered!,dates!'
    await goTo(page, `/dashboard/all-projects?columns=${all}`)
    await list(page)
    const grid = pane(page).getByRole('treegrid')
    const left = (id: string) => head(page, id).evaluate((one) => Math.round(one.getBoundingClientRect().left))
    const cellsBelow = (id: string) =>
      grid.evaluate((one, of) => {
        const at = one.querySelector(`[data-head="${of}"]`)!.getBoundingClientRect()
        const cells = [...one.querySelectorAll(`[data-of="${of}"]`)].map((cell) => cell.getBoundingClientRect())
        // What is drawn in the middle of a cell is the cell, not one that scrolls below it.
        const [first] = cells
        const shown = document.elementFromPoint(first!.left + 8, first!.top + first!.height / 2)
        return cells.every(({ left }) => left === at.left) && shown?.closest('[data-of]')?.getAttribute('data-of') === of
      }, id)
    const scroll = (to: number) =>
      grid.evaluate((one, px) => {
        one.scrollLeft = px
      }, to)
    const endOf = async (id: string) => (await left(id)) + (await widthOf(page, id))
    const edge = Math.round((await grid.boundingBox())!.x)
    await scroll(10_000)
    // The name follows the boxes of the selection; the id before it scrolls away.
    await expect.poll(() => left('name')).toBe(edge + 40)
    expect(await left('id')).toBeLessThan(edge)
    expect(await cellsBelow('name')).toBe(true)
    expect(await left('client')).toBeLessThan(await endOf('name'))
    await scroll(0)
    await keys(page, 'ArrowRight ArrowRight ArrowRight')
    await expect.poll(() => grid.getAttribute('aria-activedescendant')).toMatch(/-client$/)
    await keys(page, 'v p')
    await scroll(10_000)
    await expect.poll(async () => (await left('client')) - (await endOf('name'))).toBe(0)
    expect(await cellsBelow('client')).toBe(true)
    await expect.poll(() => decodeURIComponent(page.url())).toContain('client*!')
    // The cell cursor goes on beside the columns that stay, in sight.
    await keys(page, 'ArrowRight ArrowRight')
    const cell = grid.locator('[data-cell]')
    await expect.poll(async () => (await cell.boundingBox())!.x).toBeGreaterThanOrEqual(await endOf('client'))
    await keys(page, 'ArrowLeft ArrowLeft v p')
    await scroll(10_000)
    await expect.poll(() => left('client')).toBeLessThan(await endOf('name'))
  })
})

test('rows are 28 px high if the user wants them dense', async ({ page }) => {
  await open(page, 'allProjects')
  await list(page)
  const height = () =>
    pane(page)
      .locator('[role=row][aria-rowindex="3"]')
      .evaluate((row) => row.getBoundingClientRect().height)
  expect(await height()).toBe(32)
  await run(page, 'density.dense')
  await expect.poll(height).toBe(28)
  await run(page, 'density.compact')
  await expect.poll(height).toBe(32)
})

test('a header dragged to another place moves its column, which stays there', async ({ page }) => {
  await open(page, 'allProjects')
  await list(page)
  const order = () => heads(page).evaluateAll((all) => all.map((one) => one.getAttribute('data-head')))
  const before = await order()
  const from = (await head(page, 'client').boundingBox())!
  const to = (await head(page, 'pacing').boundingBox())!
  await page.mouse.move(from.x + 20, from.y + 10)
  await page.mouse.down()
  await expect
    .poll(async () => {
      await page.mouse.move(to.x + to.width - 12, to.y + 10)
      await page.mouse.move(to.x + to.width - 10, to.y + 10)
      return page.locator('[data-drop]').count()
    })
    .toBeGreaterThan(0)
  await page.mouse.up()
  await expect.poll(order).not.toEqual(before)
})

test('a saved view has its own columns, and the user’s return without it', async ({ page }) => {
  const saved: { query: string }[] = []
  const view = (query: string) => ({
    ...{ id: 7, screen: 'allProjects', name: 'Few columns', query, shared: 'own', mine: true, owner_id: 1, owner_name: 'Me' },
    ...{
      lock_version: 0,
      updated_at: '2026-01-05T09:00:00.000Z',
      allowed_actions: ['view.edit', 'view.remove'],
      refused_actions: {},
    },
  })
  await page.route(
    (url) => url.pathname === '/v3/portal/views',
    async (route) => {
      const data = saved.map(({ query }) => view(query))
      if (route.request().method() === 'GET') return route.fulfill({ json: { data, count: data.length } })
      saved.push(route.request().postDataJSON() as { query: string })
      await route.fulfill({ json: { data: view(saved[0]!.query), message: 'View saved' } })
    },
  )
  await open(page, 'allProjects')
  await list(page)
  const usual = await heads(page).count()
  await keys(page, 'ArrowRight ArrowRight')
  const hidden = (await heads(page).nth(1).getAttribute('data-head'))!
  await press(page, 'list.columnHide')
  await expect(head(page, hidden)).toHaveCount(0)
  await run(page, 'view.save', 'Few columns')
  await page.keyboard.press('Enter')
  await expect.poll(() => saved.length).toBe(1)
  expect(saved[0]!.query).toContain('columns=')
  expect(saved[0]!.query).not.toMatch(new RegExp(`[=,]${hidden}\\b`))
  await goTo(page, '/dashboard/all-projects')
  await list(page)
  await press(page, 'list.columnsReset')
  await expect(heads(page)).toHaveCount(usual)
  await run(page, 'view.open', 'Few columns')
  await expect(head(page, hidden)).toHaveCount(0)
  await goTo(page, '/dashboard/all-projects')
  await list(page)
  await expect(heads(page)).toHaveCount(usual)
})
