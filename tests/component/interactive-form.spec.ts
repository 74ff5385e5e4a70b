import type { Page } from '@playwright/test'
import { MESSAGES } from '../../contract/messages.ts'
import { answer, dialog, open, pane, press } from '../e2e/verbs.ts'
import { expect, test } from '../support/component.ts'
import type { Portal } from '../support/portal.ts'

/*
 * The older request form, question by question: its progress, its keys, and the draft it shares with the other form.
 */

const sent = (api: Portal) => api.writes.filter(({ id }) => id === 'campaign.create').map(({ input }) => input)
const field = (page: Page, label: string) => pane(page).getByLabel(label, { exact: true })
const box = (page: Page, group: string, option: string) =>
  pane(page).getByRole('group', { name: group }).getByRole('checkbox', { name: option, exact: true })

test.beforeEach(async ({ page, api }) => {
  api.as('client')
  await api.set('users', api.me.id, { company: 'Acorn Foods' })
  await open(page, 'interactiveForm')
  await expect(field(page, 'Project name *')).toBeFocused()
})

/** Fills in all seven questions by keyboard. */
async function answerAll(page: Page, name: string): Promise<void> {
  const next = () => page.keyboard.press('Enter')
  await page.keyboard.type(name)
  await next()
  await expect(field(page, 'Goal *')).toBeFocused()
  await page.keyboard.type('400')
  await next()
  await expect(field(page, 'Start date *')).toBeFocused()
  await page.keyboard.type('12/01/2026')
  await next()
  await expect(field(page, 'End date')).toBeFocused()
  await next()
  await expect(box(page, 'Age', 'All')).toBeFocused()
  await next()
  await expect(box(page, 'Gender', 'All')).toBeFocused()
  await page.keyboard.press('2')
  await next()
  await expect(pane(page).getByLabel('Search market areas')).toBeFocused()
  await page.keyboard.press('1')
}

test('seven answers are typed without the mouse, and sent with a survey', async ({ page, api }) => {
  await answerAll(page, 'Typed in a minute')
  await expect(pane(page)).toContainText('7 of 7')
  await pane(page).locator('summary').filter({ hasText: 'More' }).first().press('Enter')
  await field(page, 'Survey URL').focus()
  await page.keyboard.type('https://survey.test/typed')
  await press(page, 'form.send')
  await answer(page, 'OK', 'Request created')
  await expect(page).toHaveURL(/survey-request\/requested\?id=\d+/)
  expect(sent(api)).toMatchObject([
    {
      campaign_name: 'Typed in a minute',
      num_completed_actions: 400,
      start_date: '2026-12-01',
      end_date: '2026-12-08',
      gender: ['female'],
      targeted_location: ['524', '506', '602', '623', '618', '803', '501', '504', '807', '511'],
    },
  ])
})

test('the progress names what is missing, and a default counts once its field was visited', async ({ page }) => {
  const progress = pane(page).locator('header')
  await expect(progress).toContainText('0 of 7 · Still needed: Name, Goal, Start, End, Age, Gender, Location')
  await page.keyboard.type('Counted')
  await page.keyboard.press('Enter')
  await page.keyboard.type('50')
  await page.keyboard.press('Enter')
  await page.keyboard.type('12/01/2026')
  await expect(progress).toContainText('3 of 7 · Still needed: End, Age, Gender, Location')
  await page.keyboard.press('Enter')
  await expect(progress).toContainText('4 of 7 · Still needed: Age, Gender, Location')
  await page.keyboard.press('Enter')
  await expect(progress).toContainText('5 of 7 · Still needed: Gender, Location')
})

test('Shift+Enter goes back to an unchanged answer', async ({ page }) => {
  await page.keyboard.type('Back and forth')
  await page.keyboard.press('Enter')
  await expect(field(page, 'Goal *')).toBeFocused()
  await page.keyboard.press('Shift+Enter')
  await expect(field(page, 'Project name *')).toBeFocused()
  await expect(field(page, 'Project name *')).toHaveValue('Back and forth')
})

test('digits select and deselect the options of the focused question', async ({ page }) => {
  await box(page, 'Gender', 'All').focus()
  await page.keyboard.press('3')
  await expect(box(page, 'Gender', 'Male')).toBeChecked()
  await page.keyboard.press('3')
  await expect(box(page, 'Gender', 'Male')).not.toBeChecked()
  await page.keyboard.press('1')
  for (const option of ['Female', 'Male', 'Other']) await expect(box(page, 'Gender', option)).toBeChecked()
})

test('Enter takes the market area found, and the next Enter continues', async ({ page }) => {
  await pane(page).getByLabel('Search market areas').focus()
  await page.keyboard.type('chicago')
  await page.keyboard.press('Enter')
  await expect(pane(page)).toContainText('1 selected')
  await page.keyboard.type('boston')
  await page.keyboard.press('Enter')
  await expect(pane(page)).toContainText('2 selected')
  await page.keyboard.press('Enter')
  await expect(pane(page)).toContainText('2 selected')
  await expect(pane(page).getByRole('button', { name: /^Send request/ })).toBeFocused()
})

test('sending before everything is answered goes to the first missing question', { tag: '@quick' }, async ({ page, api }) => {
  await answerAll(page, 'Nearly there')
  await field(page, 'Goal *').fill('')
  await press(page, 'form.send')
  await expect(field(page, 'Goal *')).toBeFocused()
  await expect(pane(page).locator('[data-faults]')).toContainText(MESSAGES.projectGoal)
  expect(sent(api)).toEqual([])
})

test('a missing answer under “More” opens it', async ({ page }) => {
  await answerAll(page, 'Without a survey')
  await press(page, 'form.send')
  await expect(pane(page).locator('[data-faults]')).toContainText(MESSAGES.surveyFileOrUrl)
  await expect(field(page, 'Survey URL')).toBeFocused()
})

test('each kind of file has its own drop zone, which says what it takes', async ({ page, api }) => {
  await answerAll(page, 'With files')
  await pane(page).locator('summary').press('Enter')
  const zones = pane(page).locator('input[type=file]')
  const text = { mimeType: 'text/plain', buffer: Buffer.from('x') }
  await zones.nth(0).setInputFiles({ name: 'list.pdf', ...text })
  await zones.nth(1).setInputFiles({ name: 'rows.csv', ...text })
  await zones.nth(2).setInputFiles({ name: 'notes.txt', ...text })
  const itemOf = (name: string) => pane(page).getByRole('listitem').filter({ hasText: name })
  await expect(itemOf('list.pdf')).toContainText(MESSAGES.fileType('csv'))
  await expect(itemOf('rows.csv')).toContainText(MESSAGES.fileType('pdf, doc, docx, xls, xlsx, txt'))
  await expect(itemOf('notes.txt')).toContainText('types jpg, jpeg, png')
  await zones.nth(0).setInputFiles({ name: 'tool.exe', ...text })
  await expect(itemOf('tool.exe')).toContainText('types jpg, jpeg, png, gif, mp3')
  for (const name of ['list.pdf', 'rows.csv', 'notes.txt', 'tool.exe']) {
    await press(page, 'form.send')
    await expect(pane(page).locator('[data-faults]')).toContainText('Invalid file type.')
    expect(sent(api)).toEqual([])
    await pane(page)
      .getByRole('button', { name: `Remove ${name}` })
      .press('Enter')
  }
  await zones.nth(0).setInputFiles({ name: 'rows.csv', ...text })
  await expect(itemOf('rows.csv').getByRole('progressbar')).toHaveCount(0)
  await press(page, 'form.send')
  await dialog(page, 'Request created')
  expect((sent(api)[0] as { file_ids: number[] }).file_ids).toHaveLength(1)
})

test('n i opens it', async ({ page }) => {
  await open(page, 'allProjects')
  await press(page, 'go.interactiveForm')
  await expect(page).toHaveURL(/interactive-form/)
})
