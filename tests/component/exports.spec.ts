import type { Page } from '@playwright/test'
import { keys, list, open, palette, rows, search, toast } from '../e2e/verbs.ts'
import { expect, test } from '../support/component.ts'

/** Exports the selected client; returns how many keys it takes. */
async function exported(page: Page): Promise<number> {
  await open(page, 'clients')
  await list(page)
  await keys(page, 'x')
  await keys(page, 'd l')
  await expect(palette(page).getByRole('option', { name: 'Continue with all' })).toHaveAttribute('aria-selected', 'true')
  await keys(page, 'Enter')
  await expect(toast(page, 'Export ready')).toBeVisible()
  // Without the key that selected the row.
  return 3
}
const downloads = (page: Page) =>
  page.route('**/files/*', (route) =>
    route.fulfill({ body: 'Client', headers: { 'content-disposition': 'attachment; filename="export-1.csv"' } }),
  )

test('an export says that it is ready until it is fetched, which takes at most nine keys', { tag: '@quick' }, async ({
  page,
  api,
}) => {
  await page.clock.install()
  await downloads(page)
  const pressed = await exported(page)
  await page.clock.runFor(10 * 60_000)
  await expect(toast(page, 'Export ready')).toContainText(/Clients-[\d-]+\.csv\. d d downloads it\./)
  const download = page.waitForEvent('download')
  await keys(page, 'd d')
  await download
  expect(pressed + 2).toBeLessThanOrEqual(9)
  await expect(toast(page, 'Export ready')).toHaveCount(0)
  await keys(page, 'd d')
  await expect(toast(page, 'You have downloaded all of your exports.')).toBeVisible()
  expect(api.writes.map(({ id }) => id)).toEqual(['export.start', 'job.link'])
})

test('the palette names the file that is ready', async ({ page }) => {
  await downloads(page)
  await exported(page)
  await search(page, 'download')
  await expect(rows(page, 'job.fetchReady')).toContainText(/Download “Clients-[\d-]+\.csv”/)
})
