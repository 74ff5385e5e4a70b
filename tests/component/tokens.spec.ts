import { cursorRow, dialog, field, keys, list, open, press, review, run } from '../e2e/verbs.ts'
import { expect, test } from '../support/component.ts'

test('a token is created by keyboard, for chosen kinds of records, and shown once', { tag: '@quick' }, async ({ page, api }) => {
  await open(page, 'account')
  await keys(page, 'g k')
  await expect(page).toHaveURL(/\/dashboard\/tokens/)
  await run(page, 'token.create', 'Launch bot', 'Chosen kinds of records', 'Projects: read and change')
  // It is selected; the row below continues with it.
  await page.keyboard.press('Enter')
  // Rights are chosen by name, or not at all.
  await expect(field(page)).toHaveAttribute('aria-label', 'Changes who may do what')
  await page.keyboard.type('Chosen')
  await expect(field(page)).toHaveValue('Chosen')
  await page.keyboard.press('Enter')
  await expect(field(page)).toHaveAttribute('aria-label', 'Rights')
  await page.keyboard.type('Invite')
  await expect(field(page)).toHaveValue('Invite')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await expect(field(page)).toHaveAttribute('aria-label', 'Limited to')
  await page.keyboard.type('Everything')
  await expect(field(page)).toHaveValue('Everything')
  await page.keyboard.press('Enter')
  await expect(field(page)).toHaveAttribute('aria-label', 'Valid')
  await page.keyboard.type('For ever')
  await expect(field(page)).toHaveValue('For ever')
  await page.keyboard.press('Enter')
  await expect.poll(() => api.writes.length).toBe(1)
  expect(api.writes).toMatchObject([
    { id: 'token.create', input: { name: 'Launch bot', kind: 'personal', scopes: ['project:write', 'user:invite'] } },
  ])
  await expect(await dialog(page, 'Token “Launch bot”')).toContainText('It reaches everything its scopes open, for ever.')
})

test('a token is revoked by its key, after a confirmation', async ({ page, api }) => {
  const made = await api.call('token.create', { name: 'Nightly export', kind: 'personal', scopes: ['*:read'] })
  await open(page, 'tokens')
  await list(page)
  await expect(cursorRow(page)).toContainText('Nightly export')
  await expect(cursorRow(page)).toContainText('Everything, to read')
  await press(page, 'token.revoke', 'token')
  await review(page, 'Programs that use it are refused immediately.')
  await expect.poll(() => api.writes.map(({ id, input }) => [id, input])).toEqual([['token.revoke', { id: made.data.id }]])
})
