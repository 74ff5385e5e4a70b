import { expect, test } from '../support/component.ts'

test('emails of a kind are stopped by Enter, and a second Enter stops no other kind', { tag: '@quick' }, async ({
  page,
  api,
}) => {
  await page.goto(`/stop-mail?token=${api.stopToken('live', 'paused')}`)
  const lines = page.getByRole('listitem')
  await expect(lines).toHaveText([/goes live or resumes.*Stop$/, /is paused.*Stop$/])
  await page.getByRole('button', { name: 'Stop emails when a project goes live or resumes' }).press('Enter')
  await expect(lines.first()).toHaveText(/Stopped$/)
  await expect(lines.first()).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('status').getByText('Stopped.')).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Stop emails when a project is paused' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByText('All of these emails are stopped.')).toBeVisible()
  expect(api.writes.map(({ id }) => id)).toEqual(['notice.stopMail', 'notice.stopMail'])
})

test('a link that nobody signed says what to do instead', async ({ page, api }) => {
  await page.goto(`/stop-mail?token=${api.stopToken('live')}x`)
  await expect(page.getByText('Sign in, and choose your emails in the account settings.')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Stop/ })).toHaveCount(0)
})
