import { cursorRow, dialog, field, keys, list, open, press, review, run } from '../e2e/verbs.ts'
import { expect, test } from '../support/component.ts'

test('a webhook is created by keyboard, for chosen kinds of records, and its secret shown once', { tag: '@quick' }, async ({
  page,
  api,
}) => {
  await open(page, 'account')
  await keys(page, 'g w')
  await expect(page).toHaveURL(/\/dashboard\/webhooks/)
  await run(page, 'webhook.create', 'Delivery board', 'https://board.example.com/hook', 'Projects')
  await page.keyboard.press('Enter')
  await expect(field(page)).toHaveAttribute('aria-label', 'Limited to')
  await page.keyboard.type('Everything')
  await expect(field(page)).toHaveValue('Everything')
  await page.keyboard.press('Enter')
  await expect.poll(() => api.writes.length).toBe(1)
  expect(api.writes).toMatchObject([
    {
      id: 'webhook.create',
      input: { name: 'Delivery board', url: 'https://board.example.com/hook', nouns: ['project'] },
    },
  ])
  await expect(await dialog(page, 'Webhook “Delivery board”')).toContainText('It gets everything, for ever.')
})

test('a webhook’s messages are read with request and response, and sent again by keys', async ({ page, api }) => {
  await open(page, 'webhooks')
  await list(page)
  await expect(cursorRow(page)).toContainText('Delivery board')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/dashboard\/webhooks\/5/)
  await list(page)
  await expect(cursorRow(page)).toContainText('project.updated')
  const message = page.getByRole('complementary', { name: 'The message' })
  await expect(message).toContainText('"name": "Spring tracker"')
  await expect(message).toContainText('Service Unavailable')
  await press(page, 'delivery.replay', 'delivery')
  await expect.poll(() => api.writes.map(({ id, input }) => [id, input])).toEqual([['delivery.replay', { id: 12 }]])
  await press(page, 'webhook.test', 'webhook')
  await expect.poll(() => api.writes.map(({ id }) => id)).toEqual(['delivery.replay', 'webhook.test'])
  await press(page, 'webhook.replayFailed', 'webhook')
  await review(page, 'Each keeps the id it had')
  await expect.poll(() => api.writes.at(-1)?.id).toBe('webhook.replayFailed')
})

test('at 390 px a delivery’s record is shown in full beside a long error', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.route(/webhook_deliveries(\?|$)/, async (route) => {
    const response = await route.fetch()
    const { data, ...more } = await response.json()
    const error = 'getaddrinfo ENOTFOUND hooks.a-very-long-name-of-a-host.example.com, tried eleven times'
    await route.fulfill({ response, json: { ...more, data: data.map((row: object) => ({ ...row, error })) } })
  })
  await open(page, 'webhook', { id: 5 })
  const id = (await list(page)).getByText('4180', { exact: true })
  await expect(id).toBeVisible()
  await expect(cursorRow(page)).toContainText('ENOTFOUND')
  const cut = await id.evaluate((one) =>
    [one, one.parentElement!].map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth),
  )
  expect(Math.max(...cut)).toBeLessThanOrEqual(0)
})
