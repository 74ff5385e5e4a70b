import { expect, test } from '../support/e2e.ts'
import { call, cursorRow, field, list, login, open, pane, press } from './verbs.ts'

test.beforeEach(({ page }) => login(page, 'admin'))

test('Enter goes from the search to its results, and the keys after it act on the rows that come', async ({ page }) => {
  await open(page, 'clients')
  await list(page)
  const [found] = (await call(page, 'client.list', { search: 'wayf' })).data
  let answer = () => {}
  // Created before it is needed, because a request is seen before it is held.
  const held = new Promise<void>((done) => {
    answer = done
  })
  await page.route(/search=wayf/, async (route) => {
    await held
    await route.continue()
  })
  await press(page, 'list.search')
  const asked = page.waitForRequest(/search=wayf/)
  await page.keyboard.type('wayf')
  await page.keyboard.press('Enter')
  await press(page, 'list.mark')
  await asked
  answer()
  await expect(pane(page)).toContainText('1 selected')
  await expect(cursorRow(page)).toContainText(found!.name)
  await expect(cursorRow(page).getByRole('checkbox')).toBeChecked()
})

test('a view with a search shows it in the search box', async ({ page }) => {
  const { data: view } = await call(page, 'view.create', { screen: 'clients', name: 'Only cruises', query: 'search=wayf' })
  await open(page, 'clients')
  await list(page)
  await press(page, 'view.open')
  await expect(field(page)).toBeFocused()
  await page.keyboard.type('only cruises')
  await page.keyboard.press('Enter')
  const box = pane(page).getByRole('searchbox')
  await expect(box).toHaveValue('wayf')
  await box.fill('')
  await expect(box).toBeFocused()
  await call(page, 'view.remove', { id: view.id })
})
