import { open, run } from '../e2e/verbs.ts'
import { expect, test } from '../support/component.ts'

test('a refresh that the server couldn’t answer is retried without a key', async ({ page, api }) => {
  const client = api.market.clients[0]!
  await open(page, 'client', { id: client.id }, { tab: 'details' })
  await expect(page.getByRole('heading', { name: client.name })).toBeVisible()
  api.refusals.set('client.get', { status: 503, body: { message: 'The database is away.', code: 'unavailable', fields: {} } })
  const refused = page.waitForResponse((answer) => answer.status() === 503)
  await run(page, 'client.edit', 'Renamed')
  await refused
  // Only another read can show this.
  await api.set('clients', client.id, { name: 'Renamed elsewhere' })
  api.refusals.clear()
  await expect(page.getByRole('heading', { name: 'Renamed elsewhere' })).toBeVisible()
})
