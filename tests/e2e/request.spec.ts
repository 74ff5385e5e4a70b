import type { Page } from '@playwright/test'
import { MESSAGES } from '../../contract/messages.ts'
import { UPLOAD_LIMIT } from '../../contract/vocabulary.ts'
import { expect, test } from '../support/e2e.ts'
import { answer, call, dialog, login, open, optionOf, pane, pickIn, press } from './verbs.ts'

const inForm = (page: Page) => pane(page)
const start = (page: Page) => open(page, 'newSurveyRequest')

/** Types into a labeled field, reached with Tab. */
async function type(page: Page, label: string | RegExp, text: string): Promise<void> {
  await inForm(page).getByLabel(label, { exact: true }).focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.type(text)
}
async function tick(page: Page, group: string, option: string): Promise<void> {
  await inForm(page).getByRole('group', { name: group }).getByRole('checkbox', { name: option, exact: true }).focus()
  await page.keyboard.press('Space')
}
const name = 'Project name *'

async function fill(page: Page, title: string): Promise<void> {
  await pickIn(inForm(page).getByLabel('Client *', { exact: true }), { index: 1 })
  await type(page, name, title)
  await type(page, 'Goal *', '400')
  await type(page, 'Start date *', '12/01/2026')
  await type(page, 'Survey URL', 'https://survey.example/coffee')
  await tick(page, 'Gender', 'All')
  await inForm(page).getByRole('radio', { name: /^Yes/ }).focus()
  await page.keyboard.press('Space')
}

test.beforeEach(({ page }) => login(page, 'admin'))

test('a request is created by keyboard and leads to its specifications', { tag: '@quick' }, async ({ page }) => {
  await start(page)
  await fill(page, 'Coffee habits')
  await type(page, 'Length of interview', '12')
  await type(page, 'Incidence', '45')
  await expect(inForm(page)).toContainText('7 of 7')
  await press(page, 'form.send')
  const created = await dialog(page, 'Request created')
  await expect(created.getByRole('button', { name: 'OK' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/dashboard\/project-info\/\d+\/specifications/)
  const id = Number(/project-info\/(\d+)/.exec(page.url())![1])
  const { data } = await call(page, 'project.get', { id })
  expect([data.name, data.goal, data.start_dt, data.end_dt, data.stored_status]).toEqual([
    'Coffee habits',
    400,
    '2026-12-01',
    '2026-12-22',
    'requirements',
  ])
  expect([data.loi_minutes, data.incidence]).toEqual([12, 45])
  expect([data.activities[0]!.action_type, data.activities[0]!.target!.age, data.activities[0]!.target!.gender]).toEqual([
    'nothing',
    '2,3,4,5,6,7',
    'female,male,other',
  ])
})

test('errors are summarized at the top, with links to their fields', async ({ page }) => {
  await start(page)
  await inForm(page).getByLabel(name, { exact: true }).focus()
  await press(page, 'form.send')
  const sum = inForm(page).locator('[data-faults]')
  await expect(sum).toContainText('Fix 7 errors')
  for (const message of [
    MESSAGES.projectName,
    MESSAGES.projectGoal,
    MESSAGES.projectStart,
    MESSAGES.surveyFileOrUrl,
    'Please choose at least one gender',
  ])
    await expect(sum).toContainText(message)
  await sum.getByRole('link', { name: 'Survey URL' }).focus()
  await page.keyboard.press('Enter')
  await expect(inForm(page).getByLabel('Survey URL', { exact: true })).toBeFocused()
})

test('a start after the end is refused in the words of the specification', async ({ page }) => {
  await start(page)
  await fill(page, 'Backwards')
  await type(page, 'End date', '11/30/2026')
  await press(page, 'form.send')
  await expect(inForm(page).locator('[data-faults]')).toContainText(MESSAGES.startBeforeEnd)
})

test('what is typed survives a reload until it is started over', async ({ page }) => {
  await start(page)
  await type(page, name, 'Half a thought')
  await expect(inForm(page).getByRole('button', { name: 'Start over' })).toBeVisible()
  await expect.poll(() => page.evaluate(() => JSON.stringify(localStorage))).toContain('Half a thought')
  await page.reload()
  await expect(inForm(page).getByLabel(name, { exact: true })).toHaveValue('Half a thought')
  await inForm(page).getByRole('button', { name: 'Start over' }).focus()
  await page.keyboard.press('Enter')
  await answer(page, 'Start over')
  await expect(inForm(page).getByLabel(name, { exact: true })).toHaveValue('')
})

test('closing a form with something typed asks first', async ({ page }) => {
  await start(page)
  await type(page, name, 'Not to be lost')
  await page.getByRole('button', { name: /^Send request/ }).focus()
  await press(page, 'tab.close')
  await expect(page.getByRole('dialog', { name: 'Close this tab?' })).toBeVisible()
})

test('18+ selects every adult age, and deselecting one clears All', async ({ page }) => {
  await start(page)
  const ages = inForm(page).getByRole('group', { name: 'Age' })
  await expect(ages.getByRole('checkbox', { name: '18+' })).toBeChecked()
  await expect(ages.getByRole('checkbox', { name: '13 to 17' })).not.toBeChecked()
  await tick(page, 'Age', 'All')
  await expect(ages.getByRole('checkbox', { name: '13 to 17' })).toBeChecked()
  await tick(page, 'Age', '65+')
  await expect(ages.getByRole('checkbox', { name: 'All' })).not.toBeChecked()
  await expect(ages.getByRole('checkbox', { name: '18+' })).not.toBeChecked()
})

test('market areas are chosen by preset and by search', async ({ page }) => {
  // Until they load they can't be selected, and the form says so; the same if loading fails.
  let away = true
  await page.route('**/portal/dma/list**', (route) =>
    away ? route.fulfill({ status: 503, json: { message: 'Not just now.', code: 'away', errors: [] } }) : route.continue(),
  )
  await start(page)
  await inForm(page).getByRole('radio', { name: /^No/ }).focus()
  await page.keyboard.press('Space')
  await expect(inForm(page).getByRole('alert')).toContainText('The market areas couldn’t be loaded: Not just now.')
  await expect(inForm(page).getByRole('button', { name: 'Top 10' })).toBeDisabled()
  away = false
  await inForm(page).getByRole('button', { name: 'Try again' }).press('Enter')
  await expect(inForm(page).getByRole('button', { name: 'Top 10' })).toBeEnabled()
  await inForm(page).getByRole('button', { name: 'Top 10' }).focus()
  await page.keyboard.press('Enter')
  await expect(inForm(page).getByRole('button', { name: 'Top 10' })).toHaveAttribute('aria-pressed', 'true')
  await inForm(page).getByLabel('Search market areas').focus()
  await page.keyboard.type('abilene')
  await page.keyboard.press('Enter')
  await expect(inForm(page).getByText('11 selected')).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Space')
  await expect(inForm(page).getByRole('button', { name: 'Top 10' })).toHaveAttribute('aria-pressed', 'true')
})

test('files are refused by type and at 10 MB, and sent below it', async ({ page }) => {
  await start(page)
  const chooser = inForm(page).locator('input[type=file]')
  await chooser.setInputFiles({ name: 'virus.exe', mimeType: 'application/octet-stream', buffer: Buffer.from('MZ') })
  await expect(inForm(page)).toContainText('Invalid file type.  File must be one of following types')
  await inForm(page).getByRole('button', { name: 'Remove virus.exe' }).focus()
  await page.keyboard.press('Enter')
  await chooser.setInputFiles({ name: 'large.txt', mimeType: 'text/plain', buffer: Buffer.alloc(UPLOAD_LIMIT, 'a') })
  await expect(inForm(page)).toContainText(MESSAGES.fileTooLarge(10))
  await inForm(page).getByRole('button', { name: 'Remove large.txt' }).click()
  await chooser.setInputFiles([
    { name: 'brief.txt', mimeType: 'text/plain', buffer: Buffer.alloc(UPLOAD_LIMIT - 1, 'a') },
    { name: 'questions.csv', mimeType: 'text/csv', buffer: Buffer.from('id,question\n1,Why?\n') },
  ])
  await expect
    .poll(() => page.evaluate(() => JSON.stringify(localStorage)), { timeout: 20_000 })
    .toMatch(/brief\.txt.*questions\.csv|questions\.csv.*brief\.txt/)
})

test('a part of a project cannot start before it', async ({ page }) => {
  const { data } = await call(page, 'project.list', { per_page: 200 })
  const parent = data.find((row) => row.start_dt && row.end_dt && !row.parent_id)!
  await start(page)
  await fill(page, 'Too early')
  await pickIn(inForm(page).getByLabel('Client *', { exact: true }), { value: String(parent.client_id) })
  const choice = inForm(page).getByLabel('Parent project', { exact: true })
  await pickIn(choice, { value: String(parent.id) })
  await type(page, 'Start date *', '01/01/2020')
  await press(page, 'form.send')
  await expect(inForm(page).locator('[data-faults]')).toContainText(MESSAGES.startBeforeParent(parent.start_dateP))
  await type(page, 'End date', '12/31/2029')
  await expect(inForm(page)).toContainText('This ends after its parent (')
})

test('a client user chooses only among their own clients', async ({ page }) => {
  await page.context().clearCookies()
  await login(page, 'client')
  await start(page)
  const { data: me } = await call(page, 'account.get')
  const client = inForm(page).getByLabel('Client *', { exact: true })
  await expect(await optionOf(client, { index: me.clients.length })).toBeVisible()
  const offered = page.getByRole('listbox', { name: 'Client' }).locator('[role=option]:not([data-value=""])')
  await expect(offered).toHaveText(me.clients.map((client) => client.name))
})
