import { expect, test } from '../support/e2e.ts'
import { call, login, open, pane } from './verbs.ts'

test('the map of visits starts at zoom 5, in a wide window and in a narrow one', async ({ page }) => {
  await login(page, 'admin')
  const [brand] = (await call(page, 'brand.list', {})).data
  for (const width of [1400, 1000]) {
    await page.setViewportSize({ width, height: 900 })
    await open(page, 'brand', { id: brand!.id, filter: 'none' })
    const map = pane(page).locator('canvas[aria-description*="at zoom"]')
    await map.scrollIntoViewIfNeeded()
    await expect(map).toHaveAttribute('aria-description', /at zoom 5(\.0)?$/)
  }
})
