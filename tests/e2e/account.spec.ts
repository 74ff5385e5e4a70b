import { MESSAGES } from '../../contract/messages.ts'
import { expect, test } from '../support/e2e.ts'
import { answer, call, cursorRow, field, keys, list, login, open, pane, press, run, toast } from './verbs.ts'

test.beforeEach(({ page }) => login(page, 'admin'))

test('the profile is saved by its shortcut, with the specification’s messages', { tag: '@quick' }, async ({ page }) => {
  await open(page, 'account')
  const last = pane(page).getByLabel('Last name *', { exact: true })
  await last.focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Backspace')
  await press(page, 'form.send')
  await expect(pane(page).getByText(MESSAGES.lastName)).toBeVisible()
  await page.keyboard.type('Lindqvist-Moreau')
  await press(page, 'form.send')
  await expect.poll(async () => (await call(page, 'account.get')).data.last_name).toBe('Lindqvist-Moreau')
})

test('a command’s shortcut is changed and reset', async ({ page }) => {
  await open(page, 'account')
  await pane(page).getByLabel('Search commands').focus()
  await page.keyboard.type('go.outbox')
  await expect(pane(page).getByRole('button', { name: /^Change the keys/ })).toHaveCount(1)
  await page.keyboard.press('Enter')
  await expect(pane(page).getByRole('button', { name: 'Change the keys of Outbox' })).toBeFocused()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Keys of “Outbox”' })
  await expect(dialog.getByLabel('Press the keys')).toBeFocused()
  await keys(page, 'g p')
  await expect(dialog).toContainText('“All projects” everywhere')
  await keys(page, 'Backspace Backspace n x')
  await expect(dialog).toContainText('Nothing else uses these keys')
  await page.keyboard.press('Enter')
  await expect(dialog).toHaveCount(0)
  await expect(pane(page).getByRole('button', { name: 'Reset the keys of Outbox' })).toBeVisible()
  await pane(page).getByRole('heading', { name: 'Account Settings' }).click()
  await keys(page, 'n x')
  await expect(page).toHaveURL(/\/dashboard\/outbox/)
  await open(page, 'account')
  await pane(page).getByRole('button', { name: 'Reset the keys of Outbox' }).press('Enter')
  await expect(pane(page).getByRole('button', { name: 'Reset the keys of Outbox' })).toHaveCount(0)
  await expect(pane(page).getByLabel('Search commands')).toBeFocused()
})

test('the theme changes at once and survives a reload', async ({ page }) => {
  await open(page, 'account')
  await pane(page).getByRole('radio', { name: 'Dark' }).focus()
  await page.keyboard.press('Space')
  await expect(page.locator('html')).toHaveClass(/dark/)
  await expect.poll(async () => (await call(page, 'account.get')).data.preferences.theme).toBe('dark')
  await page.reload()
  await expect(page.locator('html')).toHaveClass(/dark/)
  // Other tests sign in as the same administrator and expect the system theme.
  await call(page, 'account.edit', { preferences: { theme: 'system' } })
})

test('another session is signed out from here', async ({ page, request }) => {
  await request.post('/v3/portal/auth/sign_in', {
    data: { email: 'admin@fieldwork.test', password: 'Fieldwork-1!' },
    headers: { 'user-agent': 'A forgotten laptop' },
  })
  await open(page, 'account')
  const device = pane(page).getByRole('listitem').filter({ hasText: 'A forgotten laptop' })
  await device.getByRole('button', { name: 'Sign out' }).focus()
  await page.keyboard.press('Enter')
  await expect(device).toHaveCount(0)
})

test('an API key is shown once, and revoked', async ({ page }) => {
  await open(page, 'account')
  await run(page, 'key.create', 'Decipher import', 'All surveys', 'Until a day…', '12/31/2099', 'No')
  const dialog = page.getByRole('dialog', { name: 'API key “Decipher import”' })
  await expect(dialog).toContainText('It’s shown once.')
  await expect(dialog.locator(':focus')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  const key = pane(page).getByRole('listitem').filter({ hasText: 'Decipher import' })
  await expect(key).toContainText('All surveys · can’t read questions · expires after Dec 31, 2099')
  await key.getByRole('button', { name: 'Revoke' }).focus()
  await page.keyboard.press('Enter')
  await answer(page, 'Revoke')
  await expect(key).toContainText('revoked')
})

test('an API key is created for one project by keyboard, and shows what it opens and where it was used from', async ({
  page,
  request,
}) => {
  const [project] = (await call(page, 'project.list', { per_page: 1 })).data
  await open(page, 'account')
  await run(page, 'key.create', 'Supplier B', 'Chosen projects', project!.name)
  // It is selected; the row below continues with it.
  await page.keyboard.press('Enter')
  await expect(field(page)).toHaveAttribute('aria-label', 'Valid')
  await page.keyboard.type('For ever')
  await expect(field(page)).toHaveValue('For ever')
  await page.keyboard.press('Enter')
  await expect(field(page)).toHaveAttribute('aria-label', 'Reads questions')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'API key “Supplier B”' })
  const secret = (await dialog.locator('code').textContent())!
  await page.keyboard.press('Escape')
  const key = pane(page).getByRole('listitem').filter({ hasText: 'Supplier B' })
  await expect(key).toContainText(`Surveys of ${project!.name} · can read questions · never expires`)
  await expect(key).toContainText('never used')
  const answer = await request.get('/v3/portal/surveys/runtime', { headers: { authorization: `Bearer ${secret}` } })
  expect(answer.status()).toBe(200)
  await page.reload()
  await expect(key).toContainText(/last used .* from 127\.0\.0\.1/)
  if (process.env.SHOTS)
    for (const [width, height, scheme] of [
      [1440, 900, 'light'],
      [390, 844, 'dark'],
    ] as const) {
      await page.emulateMedia({ colorScheme: scheme })
      await page.setViewportSize({ width, height })
      await key.scrollIntoViewIfNeeded()
      await page.screenshot({ path: `${process.env.SHOTS}/keys-${width}-${scheme}.png` })
    }
})

test('the outbox shows the mail under the cursor', async ({ page }) => {
  await call(page, 'session.forgot', { email: 'client@fieldwork.test' })
  await open(page, 'outbox', {}, { query: { search: 'client@fieldwork.test' } })
  await list(page)
  await expect(cursorRow(page)).toContainText('Reset your Fieldwork password')
  const mail = pane(page).getByRole('complementary', { name: 'The email' })
  await expect(mail).toContainText('reset_password_token=…')
  // The link shows on request, and only while the mail is open.
  await mail.getByRole('button', { name: 'Show link' }).focus()
  await page.keyboard.press('Enter')
  await expect(mail).toContainText(/reset_password_token=[\w-]{43}/)
  await open(page, 'outbox', {}, { query: { search: 'client@fieldwork.test' } })
  await expect(pane(page).getByRole('complementary', { name: 'The email' })).toContainText('reset_password_token=…')
})

test('an export appears in the jobs with its file', async ({ page }) => {
  await call(page, 'export.start', { source: 'clients' })
  await open(page, 'jobs')
  await list(page)
  await expect(cursorRow(page)).toContainText('Export: Clients')
  await expect(cursorRow(page)).toContainText('Done')
  const download = page.waitForEvent('download')
  await press(page, 'job.link')
  expect((await download).suggestedFilename()).toMatch(/^Clients.*\.csv$/)
  await expect(toast(page, /Download/)).toHaveCount(0)
})
