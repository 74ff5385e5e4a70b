import { call, cursorRow, drawn, keys, list, open, pane, ready, run } from '../e2e/verbs.ts'
import { expect, test } from '../support/component.ts'

test('the name of a row is a link to the record, opened by Enter, click or the middle button', { tag: '@quick' }, async ({
  page,
}) => {
  await open(page, 'allProjects')
  const row = await list(page)
  const link = row.getByRole('link')
  await expect(link).toHaveAttribute('href', /^\/dashboard\/project-info\/\d+/)
  await link.click({ button: 'middle' })
  await expect(page.getByRole('tab')).toHaveCount(2)
  await expect(pane(page).getByRole('treegrid')).toBeVisible()
  await link.click()
  await ready(page)
  await expect(page).toHaveURL(/project-info/)
})

test('a right click opens the commands of the row, greyed ones last; Shift leaves the browser’s own menu', async ({ page }) => {
  await open(page, 'allProjects')
  await list(page)
  const row = pane(page).getByRole('row').nth(3)
  const prevented = row.evaluate(
    (one) =>
      new Promise((done) => {
        addEventListener('contextmenu', (event) => setTimeout(() => done([event.shiftKey, event.defaultPrevented])), {
          once: true,
        })
        one.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true, shiftKey: true }))
      }),
  )
  expect(await prevented).toEqual([true, false])
  await row.click({ button: 'right' })
  await expect(row).toHaveAttribute('data-cursor')
  const menu = page.getByRole('menu', { name: /^All actions for/ })
  const items = menu.locator('[role^=menuitem]')
  await expect(items.first()).not.toHaveAttribute('aria-disabled')
  const greyed = await items.evaluateAll((all) => all.map((one) => one.getAttribute('aria-disabled') === 'true'))
  expect(greyed).toEqual([...greyed].sort((a, b) => Number(a) - Number(b)))
  await page.keyboard.press('Escape')
  await expect(pane(page).getByRole('treegrid')).toBeFocused()
})

test('the menu key opens the row’s menu, and Shift+Space selects the row when single-letter shortcuts are off', async ({
  page,
}) => {
  await open(page, 'allProjects')
  await list(page)
  await keys(page, 'j Shift+Space')
  await expect(cursorRow(page)).toHaveAttribute('aria-selected', 'true')
  await keys(page, 'Shift+F10')
  await expect(page.getByRole('menu', { name: /^All actions for/ }).locator(':focus')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(pane(page).getByRole('treegrid')).toBeFocused()
  await expect(cursorRow(page)).toHaveAttribute('aria-selected', 'true')
})

test('with single letters off, other keys select a row, open and search its menu, and sort', async ({ page }) => {
  await call(page, 'account.edit', { preferences: { single_keys: false } } as never)
  await open(page, 'allProjects')
  await list(page)
  await keys(page, 'x i s')
  await expect(page.getByRole('menu')).toHaveCount(0)
  await expect(cursorRow(page)).not.toHaveAttribute('aria-selected', 'true')
  await keys(page, 'ArrowDown Shift+Space')
  await expect(cursorRow(page)).toHaveAttribute('aria-selected', 'true')
  await expect(pane(page)).toContainText('1 selected')
  await keys(page, 'Shift+F10')
  await expect(page.getByRole('menu', { name: /^All actions for/ }).locator(':focus')).toHaveCount(1)
  await keys(page, 'Escape')
  await expect(pane(page).getByRole('treegrid')).toBeFocused()
  await run(page, 'list.sort')
  await expect(page.getByRole('menu', { name: 'Sort' }).locator(':focus')).toHaveCount(1)
  await keys(page, 'Escape')
  await expect(pane(page).locator('[data-sort]')).toBeFocused()
  await drawn(page)
  await run(page, 'list.search')
  await expect(pane(page).getByRole('searchbox')).toBeFocused()
})
