import type { Page } from '@playwright/test'
import { open, pane, press, toast } from '../e2e/verbs.ts'
import { expect, test } from '../support/component.ts'

const goOn = (page: Page) => pane(page).getByRole('button', { name: 'Continue' }).press('Enter')
const field = (page: Page, name: RegExp) => pane(page).getByRole('textbox', { name })

test.describe('a new survey says what is missing in the words of the specification', () => {
  test('its project and its activity', async ({ page, api }) => {
    await open(page, 'newSurvey')
    await goOn(page)
    await expect(pane(page)).toContainText('Please choose a project')
    await open(page, 'newSurvey', {}, { query: { project: '529' } })
    await expect(pane(page)).toContainText('Which activity counts its responses?')
    await press(page, 'form.send')
    await expect(pane(page)).toContainText('Please choose an activity')
    expect(api.writes).toEqual([])
  })

  test('its fields', async ({ page, api }) => {
    await open(page, 'newSurvey', {}, { query: { project: '529', activity: '31' } })
    await expect(field(page, /^Name/)).toHaveValue(/Wave 1$/)
    await field(page, /^Name/).fill('')
    await field(page, /^Vendor/).fill('Northstar')
    await press(page, 'form.send')
    for (const sentence of [
      'Survey Name cannot be blank',
      'Survey Link cannot be blank',
      'Please upload a File or add a URL to the survey Project',
      'Survey ID cannot be blank',
      'Survey Questions cannot be blank',
    ])
      await expect(pane(page)).toContainText(sentence)
    expect(api.writes).toEqual([])
  })
})

test('Details show the median length, edit in place with the same messages, and say what the link returns', async ({
  page,
  api,
}) => {
  api.shows('survey.length', ({ data }) => void Object.assign(data, { median_seconds: 750, timed: 400 }))
  api.shows('survey.checkLink', ({ data }) => void Object.assign(data, { status: 200, trouble: '' }))
  await open(page, 'survey', { id: 71 }, { tab: 'details' })
  await expect(pane(page)).toContainText('12.5 min, of 400 completes with a start time')
  const row = (name: string) => pane(page).locator('[data-row]').filter({ hasText: name }).first()
  await row('Survey link').focus()
  await page.keyboard.press('e')
  const link = pane(page).getByRole('textbox')
  await expect(link).toHaveValue('https://survey.test/1')
  await link.fill('')
  await page.keyboard.press('Enter')
  await expect(pane(page)).toContainText('Survey Link cannot be blank')
  await page.keyboard.press('Escape')
  await expect(link).toHaveCount(0)
  await press(page, 'survey.checkLink')
  await expect(toast(page, 'The link answers 200')).toBeVisible()
  await expect(row('Survey link')).toContainText('answers 200, checked just now')
  expect(api.writes).toEqual([])
})

test('an edited survey has the same messages, and a refresh without a source says what to do', { tag: '@quick' }, async ({
  page,
  api,
}) => {
  await open(page, 'editSurvey', { id: 71 })
  await expect(field(page, /^Name/)).toHaveValue('Alder snack tracker')
  await field(page, /^Name/).fill('')
  await field(page, /^Survey link/).fill('')
  await field(page, /^Vendor/).fill('Northstar')
  await press(page, 'form.send')
  for (const sentence of ['Survey Name cannot be blank', 'Survey Link cannot be blank', 'Survey ID cannot be blank'])
    await expect(pane(page)).toContainText(sentence)
  expect(api.writes).toEqual([])
  await open(page, 'survey', { id: 71 }, { tab: 'details' })
  await expect(pane(page)).toContainText('Survey link')
  await press(page, 'survey.refresh')
  await expect(toast(page, 'This survey has no question source. Attach a data map or paste questions.')).toBeVisible()
})
