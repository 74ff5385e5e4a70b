import { cursorRow, list, open, palette, pane, press, review, run, toast } from '../e2e/verbs.ts'
import { expect, test } from '../support/component.ts'

/*
 * The client's list of requests and quotes: its rows' actions and links.
 */

test.beforeEach(({ api }) => api.as('client'))

test('an expired quote can’t be approved, and a new one can be requested instead', { tag: '@quick' }, async ({ page, api }) => {
  const expired = api.market.projects[0]!
  await api.set('projects', expired.id, { status: 'submit_approval', quote_valid_until: '2026-01-05' })
  await open(page, 'requested')
  await list(page)
  await expect(cursorRow(page)).toContainText('Expired')
  await press(page, 'project.approve')
  await expect(toast(page, 'The quote expired on 2026-01-05. Ask for a new one.')).toBeVisible()
  await run(page, 'project.askQuote', 'The same again, please')
  await review(page, 'We get an email and quote your request again.')
  await expect
    .poll(() => api.writes.filter(({ id }) => id === 'project.askQuote').map(({ input }) => input))
    .toEqual([{ id: expired.id, message: 'The same again, please' }])
})

test('without a request it offers to create one', async ({ page, api }) => {
  await api.change((tx) => tx.updateTable('projects').set({ deleted_at: '2026-01-05T09:00:00.000Z' }).execute())
  await open(page, 'requested')
  await expect(pane(page)).toContainText('No requests yet.')
  await pane(page)
    .getByRole('button', { name: /^New request/ })
    .last()
    .press('Enter')
  await expect(page).toHaveURL(/survey-request\/client-request/)
})

test('is exported with its visible columns', async ({ page }) => {
  await open(page, 'requested')
  await list(page)
  await press(page, 'list.export')
  await expect(palette(page)).toContainText('Per complete')
  await expect(palette(page)).toContainText('Requested by')
})
