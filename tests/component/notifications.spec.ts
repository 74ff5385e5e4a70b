import { cursorRow, keys, list, open, pane, press } from '../e2e/verbs.ts'
import { expect, test } from '../support/component.ts'
import { notify } from '../support/marketplace.ts'

test('an inbox says where a notification leads before it opens: the map, or the host of a web address', {
  tag: '@quick',
}, async ({ page, api }) => {
  await open(page, 'inbox')
  await list(page)
  const preview = pane(page).getByRole('complementary', { name: 'Notification' })
  await expect(cursorRow(page)).toContainText('Price list')
  await expect(preview).toContainText('Opens prices.test in a new tab')
  await keys(page, 'j')
  await expect(cursorRow(page)).toContainText('Visits')
  await expect(preview).toContainText('Opens the map of visits')
  await press(page, 'notice.read')
  await expect.poll(() => api.writes.map(({ id }) => id)).toEqual(['notice.mark'])
})

test('a read notification stays in its place, so that the next one is below it', async ({ page }) => {
  await open(page, 'inbox')
  await list(page)
  await press(page, 'notice.read')
  await expect(cursorRow(page)).not.toContainText('unread')
  await expect(pane(page).getByRole('row').nth(1)).toContainText('Price list')
  await keys(page, 'j')
  await expect(cursorRow(page)).toContainText('Visits')
})

test('the bell’s count is announced, and goes up to 99+', async ({ page, api }) => {
  await open(page, 'allProjects')
  await expect(page.getByRole('link', { name: 'Inbox, 2 unread notifications' })).toBeVisible()
  for (let at = 0; at < 120; at++) await notify(api, { id: 8000 + at, name: 'More', message_action: 'map' })
  await page.reload()
  await expect(page.getByTestId('unread')).toHaveText('99+')
  await expect(page.getByRole('link', { name: 'Inbox, 122 unread notifications' })).toBeVisible()
})
