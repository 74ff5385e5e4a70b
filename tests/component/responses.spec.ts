import type { Locator, Page } from '@playwright/test'
import { faults, WCAG, wear } from '../e2e/axe.ts'
import { column, open, pane, press, search, selected, toast } from '../e2e/verbs.ts'
import { expect, test } from '../support/component.ts'
import { completes, QUESTIONS, respond } from '../support/marketplace.ts'

const PROJECT = 530
const responses = (page: Page, query: Record<string, string> = {}) =>
  open(page, 'project', { id: PROJECT }, { tab: 'userResponses', query })
const question = (page: Page, code: string): Locator => pane(page).getByRole('region', { name: new RegExp(`^${code} `) })
const chart = (page: Page, code: string): Locator => question(page, code).getByRole('listbox')
const answer = (page: Page, code: string, label: string): Locator =>
  chart(page, code).getByRole('option', { name: new RegExp(`^${label}`) })
const head = (page: Page) => pane(page).locator('[data-base]')

test('a question has its number, type, base and a bar for each answer', async ({ page }) => {
  await responses(page)
  await expect(head(page)).toHaveText('Base 1,219 of 1,240 completes · Other off (21)')
  await expect(question(page, 'Q1')).toContainText('One answer · n = 1,209, 10 skipped')
  await expect(question(page, 'Q2')).toContainText('More than one answer possible · n = 1,219')
  await expect(chart(page, 'Q1').getByRole('option')).toHaveCount(5)
  await expect(answer(page, 'Q1', 'Every day')).toHaveAccessibleName(
    'Every day: 18.3 percent, 221 of 1,209; Female 108, Male 113',
  )
  await expect(question(page, 'Q1').locator('[data-axis]')).toContainText('100 %')
})

test('on a phone, an answer of a few words and the hint of the search are whole', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await responses(page)
  const label = chart(page, 'Q1').locator('[title="Several times a week"]')
  await expect(label).toBeVisible()
  expect(await label.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0)
  const field = page.getByRole('searchbox', { name: 'Find a question or answer' })
  const cut = await field.evaluate((box: HTMLInputElement) => {
    // A placeholder can't be measured, a value can.
    box.value = box.placeholder
    return box.scrollWidth - box.clientWidth
  })
  expect(cut).toBe(0)
})

test('a long label can be read in full on a closer look, and by a screen reader', async ({ page }) => {
  await responses(page)
  const long = answer(page, 'Q2', 'Birch')
  const label = long.locator('[aria-hidden]').first()
  await expect(label).toHaveText('Birch & Sons Ke…', { useInnerText: true })
  await expect(label).toHaveAttribute('title', 'Birch & Sons Kettle Cooked Potato Chips')
  await expect(long).toHaveAccessibleName(/^Birch & Sons Kettle Cooked Potato Chips: 31\.9 percent/)
})

test('keys walk questions and answers, and Enter opens the crosstab of an answer', { tag: '@quick' }, async ({ page }) => {
  await responses(page)
  await expect(chart(page, 'Q1')).toBeVisible()
  await press(page, 'responses.next')
  await expect(chart(page, 'Q1')).toBeFocused()
  await press(page, 'responses.next')
  await expect(chart(page, 'Q2')).toBeFocused()
  await expect(page).toHaveURL(/q=12/)
  await press(page, 'responses.previous')
  await expect(chart(page, 'Q1')).toBeFocused()
  await press(page, 'responses.nextAnswer')
  await expect(answer(page, 'Q1', 'Every day')).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('ArrowDown')
  await expect(answer(page, 'Q1', 'Several times')).toHaveAttribute('aria-selected', 'true')
  await press(page, 'responses.open')
  const table = question(page, 'Q1').getByRole('table')
  await expect(table).toHaveAccessibleName('Q1 How often do you eat savory snacks at home? by Gender')
  await expect(table.getByRole('row', { name: /^Several times a week/ })).toHaveAttribute('aria-current', 'true')
  await expect(page).toHaveURL(/by=gender/)
  await press(page, 'responses.close')
  await expect(table).toBeHidden()
  await press(page, 'responses.last')
  await expect(chart(page, 'Q9')).toBeFocused()
})

test('a crosstab by a question or a demographic has bases, and marks small ones', async ({ page }) => {
  await responses(page, { q: '11', gender: 'all' })
  await expect(chart(page, 'Q1')).toBeVisible()
  await press(page, 'responses.crosstab')
  await page.keyboard.type('gender')
  await page.keyboard.press('Enter')
  const table = question(page, 'Q1').getByRole('table')
  await expect(table.getByRole('columnheader', { name: /^Other/ })).toContainText('small base')
  await expect(question(page, 'Q1')).toContainText('Small base: fewer than 30 completes.')
  await expect(table.getByRole('columnheader', { name: /^Total/ })).toContainText('1,230')
  await press(page, 'responses.crosstab')
  await page.keyboard.type('q8')
  await page.keyboard.press('Enter')
  await expect(table.getByRole('columnheader', { name: /^Strongly disagree/ })).toBeVisible()
  await expect(page).toHaveURL(/by=18/)
})

test('split, unit and order change by key, and are kept in the link', async ({ page }) => {
  await responses(page)
  const first = chart(page, 'Q1').getByRole('option').first()
  await expect(first).toHaveAccessibleName(/Female/)
  await press(page, 'responses.sort')
  await expect(first).toHaveAccessibleName(/^Several times a week/)
  await press(page, 'responses.unit')
  await expect(question(page, 'Q1').locator('[data-axis]')).toContainText('500')
  await press(page, 'responses.split')
  await page.keyboard.type('age')
  await page.keyboard.press('Enter')
  await expect(first).toHaveAccessibleName(/18 to 24/)
  await expect(page).toHaveURL(/sort=largest/)
  await expect(page).toHaveURL(/unit=count/)
  await expect(page).toHaveURL(/split=age/)
  await press(page, 'charts.tables')
  await expect(question(page, 'Q1').getByRole('row', { name: /^Never/ })).toContainText('56')
  await press(page, 'charts.tables')
})

test('Other is off at first, chips say who is counted, and filters without a match can be cleared', async ({ page }) => {
  await responses(page)
  const chip = (name: string) => pane(page).getByRole('button', { name, exact: true })
  await expect(chip('Female')).toHaveAttribute('aria-pressed', 'true')
  await expect(chip('Other')).toHaveAttribute('aria-pressed', 'false')
  await expect(chip('Unknown')).toHaveCount(0)
  await chip('Other').click()
  await expect(head(page)).toHaveText('Base 1,240 of 1,240 completes')
  await expect(page).toHaveURL(/gender=female%2Cmale%2Cother|gender=female,male,other/)
  await chip('Other').click()
  await expect(page).not.toHaveURL(/gender=/)
  await chip('18–24').click()
  await expect(page).toHaveURL(/age=2/)
  await responses(page, { hhi: '6', age: '2', gender: 'other' })
  await expect(pane(page)).toContainText('No completes match these filters.')
  await pane(page).getByRole('button', { name: 'Clear' }).last().click()
  await expect(chart(page, 'Q1')).toBeVisible()
})

test('search finds questions and answers, and names what finds nothing', async ({ page }) => {
  await responses(page)
  await expect(chart(page, 'Q1')).toBeVisible()
  await press(page, 'responses.find')
  await expect(pane(page).getByRole('searchbox', { name: 'Find a question or answer' })).toBeFocused()
  await page.keyboard.type('television')
  await expect(question(page, 'Q9')).toBeVisible()
  await expect(question(page, 'Q1')).toBeHidden()
  await page.keyboard.press('Enter')
  await expect(chart(page, 'Q9')).toBeFocused()
  await press(page, 'responses.close')
  await expect(question(page, 'Q1')).toBeVisible()
})

test('Enter before the answers are loaded goes to the first match once it is known, unless a key came meanwhile', async ({
  page,
}) => {
  const searched = page.getByRole('searchbox', { name: 'Find a question or answer' })
  for (const key of ['', 'Shift+Home']) {
    await page.unrouteAll()
    await responses(page)
    await expect(chart(page, 'Q1')).toBeVisible()
    const answers = Promise.withResolvers<void>()
    let held = 0
    await page.route('**/user_responses*', async (route) => {
      held++
      await answers.promise
      await route.continue()
    })
    await press(page, 'responses.find')
    await page.keyboard.type('television')
    // Keys typed before the field had the focus are replayed; those below must not be among them.
    await expect(searched).toHaveValue('television')
    await expect(question(page, 'Q1')).toBeHidden()
    await expect.poll(() => held).toBeGreaterThan(0)
    await expect(question(page, 'Q8')).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(searched).toBeFocused()
    if (key) await page.keyboard.press(key)
    answers.resolve()
    await expect(chart(page, 'Q9')).toBeVisible()
    await expect(question(page, 'Q8')).toBeHidden()
    await expect(key ? searched : chart(page, 'Q9')).toBeFocused()
  }
})

test('a chart that the browser won’t copy is shown as text to copy by hand, and one still loading says so', async ({ page }) => {
  await responses(page)
  await expect(chart(page, 'Q1')).toBeVisible()
  await page.evaluate(() => {
    const no = () => Promise.reject(new DOMException('Write permission denied.', 'NotAllowedError'))
    Object.assign(navigator.clipboard, { write: no, writeText: no })
  })
  await press(page, 'responses.copy')
  const shown = page.getByRole('dialog', { name: 'This chart as a table' })
  await expect(shown).toContainText('Your browser blocked copying.')
  await expect(shown.locator('code')).toContainText('Several times a week')
  await shown.getByRole('button', { name: 'Copy' }).click()
  await expect(shown.getByRole('status')).toContainText('The text is selected')
  expect(await page.evaluate(() => getSelection()?.toString())).toContain('Several times a week')
  await page.keyboard.press('Escape')
  await page.route('**/user_responses*', () => {})
  await responses(page, { age: '2' })
  await expect(question(page, 'Q1')).toBeVisible()
  await press(page, 'responses.copy')
  await expect(toast(page, 'This chart is still loading.')).toBeVisible()
})

test('numbers have mean, median and ten bins; open answers are a list with a search', async ({ page }) => {
  await responses(page, { q: '14' })
  await expect(question(page, 'Q4')).toContainText('Mean')
  await expect(chart(page, 'Q4').getByRole('option')).toHaveCount(10)
  const texts = question(page, 'Q5').getByRole('listitem')
  await expect(texts).toHaveCount(6)
  await question(page, 'Q5').getByRole('searchbox').fill('salt')
  await expect(texts).toHaveCount(1)
  await expect(question(page, 'Q5')).toContainText('1 answer')
})

test('a total row has no bar, and profile questions are behind a switch', async ({ page }) => {
  await responses(page, { q: '16' })
  await expect(chart(page, 'Q6').getByRole('option')).toHaveCount(5)
  await expect(question(page, 'P1')).toHaveCount(0)
  await pane(page).getByRole('switch', { name: 'Also profile questions' }).check()
  await expect(question(page, 'P1')).toBeAttached()
  await expect(page).toHaveURL(/profile=1/)
})

test('a failed chart says so by itself, and loads after Try again', { tag: '@quick' }, async ({ page }) => {
  await page.route('**/user_responses*', (route) => {
    const asked = new URL(route.request().url()).searchParams.get('questions')?.split(',')
    if (!asked?.includes('12')) return route.continue()
    return route.fulfill({ status: 500, json: { message: 'The figures can’t be counted.', code: 'fault', fields: {} } })
  })
  await responses(page)
  await expect(question(page, 'Q2')).toContainText('This chart couldn’t be loaded: The figures can’t be counted.')
  await expect(chart(page, 'Q1')).toBeVisible()
  await expect(chart(page, 'Q3')).toBeVisible()
  await page.unroute('**/user_responses*')
  await question(page, 'Q2').getByRole('button', { name: 'Try again' }).click()
  await expect(chart(page, 'Q2')).toBeVisible()
})

test('a project without completes, and one without a survey, say so', async ({ page, api }) => {
  await api.make.survey({ id: 73, project_id: 527, name: 'Just asked' })
  await api.make.question({ survey_id: 73, name: 'Which snack?', options: '["Chips","Nuts"]' })
  await open(page, 'project', { id: 527 }, { tab: 'userResponses' })
  await expect(pane(page)).toContainText('No completes yet. Charts appear with the first one.')
  await open(page, 'project', { id: 526 }, { tab: 'userResponses' })
  await expect(pane(page)).toContainText('This project has no survey yet.')
})

test('only visible questions are requested', async ({ page, api }) => {
  await api.make.survey({ id: 73, project_id: 527, name: 'Sixty questions' })
  for (let at = 1; at <= 60; at++)
    await api.make.question({ id: 400 + at, survey_id: 73, position: at, name: `Question ${at}`, options: '["Yes","No"]' })
  await respond(api, 73, [{ respondent_id: 'one', outcome: 'completes', gender: 'female', answers: { 401: 'Yes', 460: 'No' } }])
  const asked = new Set<string>()
  page.on('request', (request) => {
    const ids = /user_responses\?.*questions=([^&]*)/.exec(request.url())?.[1]
    for (const id of decodeURIComponent(ids ?? '').split(',')) if (id) asked.add(id)
  })
  await open(page, 'project', { id: 527 }, { tab: 'userResponses' })
  await expect(chart(page, 'Q1')).toBeVisible()
  expect(asked.size).toBeLessThan(20)
  await press(page, 'responses.last')
  await expect(chart(page, 'Q60')).toBeFocused()
  expect(asked.has('460')).toBe(true)
  expect(asked.has('430')).toBe(false)
})

test('a chart is saved as a picture, and copied for a spreadsheet', async ({ page }) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await responses(page, { q: '11' })
  await chart(page, 'Q1').focus()
  const saved = page.waitForEvent('download')
  await press(page, 'responses.picture')
  await page.keyboard.type('svg')
  await page.keyboard.press('Enter')
  expect((await saved).suggestedFilename()).toBe('Q1 How often do you eat savory snacks at home.svg')
  await chart(page, 'Q1').focus()
  await press(page, 'responses.copy')
  await expect(page.getByText('Copied 6 rows')).toBeVisible()
  const text = await page.evaluate(() => navigator.clipboard.readText())
  expect(text.split('\n').slice(0, 3)).toEqual([
    'Q1 How often do you eat savory snacks at home?',
    'Answer\tShare (%)\tCount\tFemale\tMale',
    'Every day\t18.3\t221\t108\t113',
  ])
})

test('the palette finds the questions of the open project, and leads to their charts', async ({ page }) => {
  await open(page, 'project', { id: PROJECT })
  await search(page, 'q9')
  await expect(selected(page)).toContainText('Q9 How did you first hear about the product?')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/userResponses\?q=19/)
  await expect(chart(page, 'Q9')).toBeInViewport()
})

test('compared charts line up by question, with differences in points and gaps for what one side lacks', async ({
  page,
  api,
}) => {
  const asked = QUESTIONS[72].filter(({ id }) => id !== 13)
  await api.make.survey({ id: 73, project_id: 527, name: 'Snack tracker, wave 4' })
  for (const [at, { id, ...question }] of asked.entries())
    await api.make.question({ position: at + 1, ...question, id: 400 + id, survey_id: 73 })
  await api.make.question({ id: 499, survey_id: 73, position: 20, name: 'What did you drink?', options: '["Tea","Juice"]' })
  await respond(api, 73, completes(611, asked, 400))
  await responses(page, { beside: '/project-info/527/userResponses', linked: '1' })
  const second = column(page, 2)
  await expect(second.locator('[data-base]')).toContainText('of 611 completes')
  await expect(
    second.getByRole('option', { name: /^Every day: .* points (more|less) than Alder snack tracker 1$/ }),
  ).toBeVisible()
  await expect(second.locator('[data-not-asked]')).toContainText('The new packaging of Birch & Sons')
  await expect(second.locator('[data-not-asked]')).toContainText('Not asked in Maple snack tracker 4')
  await expect(second.locator('[data-difference]').first()).toHaveText(
    /^(±0as in|[+−][\d.]+[\d.]* (more|less) than) Alder snack tracker 1$/,
  )
  const first = column(page, 1)
  await expect(first.locator('[data-not-asked]')).toContainText('What did you drink?')
  await expect(first.locator('[data-not-asked]')).toContainText('Not asked in Alder snack tracker 1')
})

for (const theme of ['light', 'dark'] as const)
  test(`axe finds nothing, ${theme}`, async ({ page }) => {
    await responses(page, { q: '11', by: 'age' })
    await wear(page, theme)
    await expect(question(page, 'Q1').getByRole('table')).toBeVisible()
    await expect(chart(page, 'Q2')).toBeVisible()
    expect(await faults(page, WCAG)).toEqual([])
  })
