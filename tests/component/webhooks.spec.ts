import { cursorRow, dialog, field, keys, list, open, press, review, run } from '../e2e/verbs.ts'
import { expect, test } from '../support/component.ts'
import type { Portal } from '../support/portal.ts'

const AT = '2026-11-20T15:00:00.000Z'
/** Makes a webhook with a message that arrived and one that failed for good; returns its id. */
async function deliveryBoard(api: Portal, error = 'It answered 503.'): Promise<number> {
  const { data } = await api.call('webhook.create', {
    ...{ name: 'Delivery board', url: 'https://board.example.com/hook', nouns: ['project', 'client'] },
  })
  const row = (id: number, noun: string, subject_id: number) => ({
    ...{ id, webhook_id: data.id, owner_id: 1, message: `msg_${id}`, type: `${noun}.updated`, noun, subject_id, kind: 'put' },
    ...{ audience: 'admin' as const, user_id: null, project_id: null, client_id: null, event_id: null, action: '' },
    ...{ occurred_at: AT, attempts: 1, not_before: AT, created_at: AT, sent_at: AT, ended_at: AT, duration_ms: 84 },
    request: JSON.stringify({ id: `msg_${id}`, type: `${noun}.updated`, data: { id: subject_id, name: 'Spring tracker' } }),
  })
  await api.change((tx) =>
    tx
      .insertInto('webhook_deliveries')
      .values([
        { ...row(11, 'client', 101), status: 'delivered', response_status: 200, response: '', error: '' },
        { ...row(12, 'project', 530), status: 'failed', response_status: 503, response: 'Service Unavailable', error },
      ])
      .execute(),
  )
  return data.id
}

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
  await expect(await dialog(page, 'Webhook “Delivery board”')).toContainText('It gets everything its owner sees, for ever.')
})

test('a webhook’s messages are read with request and response, and sent again by keys', async ({ page, api }) => {
  const id = await deliveryBoard(api)
  await open(page, 'webhooks')
  await list(page)
  await expect(cursorRow(page)).toContainText('Delivery board')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/dashboard/webhooks/${id}`))
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

test('at 390 px a delivery’s record is shown in full beside a long error', async ({ page, api }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const error = 'getaddrinfo ENOTFOUND hooks.a-very-long-name-of-a-host.example.com, tried eleven times'
  await open(page, 'webhook', { id: await deliveryBoard(api, error) })
  const id = (await list(page)).getByText('530', { exact: true })
  await expect(id).toBeVisible()
  await expect(cursorRow(page)).toContainText('ENOTFOUND')
  const cut = await id.evaluate((one) =>
    [one, one.parentElement!].map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth),
  )
  expect(Math.max(...cut)).toBeLessThanOrEqual(0)
})
