import type { Page } from '@playwright/test'
import { MESSAGES } from '../../contract/messages.ts'
import { expect, test } from '../support/e2e.ts'
import { activityFlow, emptyProject, fresh, row } from './activity-flow.ts'
import { call, drawn, field, keys, login, open, palette, pane, press, review, select, selected, toast } from './verbs.ts'

/*
 * Activities by keyboard: created in the palette and by form, edited, linked to a survey, deleted and restored.
 */

const cell = (page: Page) => pane(page).locator('[data-inline]')
const errorOf = (page: Page) => cell(page).getByRole('alert')

/** Types an answer and chooses the only matching row. */
async function answers(page: Page, text: string) {
  await expect(field(page)).toBeFocused()
  await page.keyboard.type(text)
  await expect(field(page)).toHaveValue(text)
  await expect(selected(page)).toHaveCount(1)
  await page.keyboard.press('Enter')
}

test.beforeEach(({ page }) => login(page, 'admin'))

activityFlow(test, 'SQLite')

test('an activity is created in the palette, changed in place, deleted and restored', async ({ page }) => {
  const { id: project_id, name: diary } = await emptyProject(page)
  await open(page, 'project', { id: project_id }, { tab: 'activities' })
  await expect(pane(page)).toContainText('No activities yet. A project needs one to go live.')
  await press(page, 'activity.create', 'project')
  // The visible project is filled in.
  await expect(palette(page)).toContainText(diary)
  await expect(field(page)).toBeFocused()
  await drawn(page)
  await page.keyboard.press('Enter')
  await expect(field(page)).toHaveAttribute('aria-label', /Name/)
  await answers(page, 'Shelf photos')
  await expect(field(page)).toHaveValue('')
  await answers(page, 'Photo')
  await expect(field(page)).toHaveValue('')
  await answers(page, 'Comment')
  await expect(field(page)).toHaveValue('')
  await answers(page, 'Photograph the shelf.')
  await expect(pane(page).getByRole('heading', { name: 'Shelf photos' })).toBeVisible()
  await expect(row(page, 'name')).toBeFocused()
  // The name is required; Escape leaves it unchanged.
  await keys(page, 'e')
  await expect(cell(page).getByRole('textbox')).toHaveValue('Shelf photos')
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Backspace')
  await expect(cell(page).getByRole('textbox')).toHaveValue('')
  await page.keyboard.press('Enter')
  await expect(errorOf(page)).toHaveText(MESSAGES.activityName)
  await page.keyboard.press('Escape')
  await expect(row(page, 'name')).toContainText('Shelf photos')
  await expect(row(page, 'name')).toBeFocused()
  await keys(page, 'j')
  await expect(row(page, 'about')).toBeFocused()
  await keys(page, 'e')
  await expect(cell(page).getByRole('textbox')).toBeFocused()
  await page.keyboard.type('Take a picture of the whole shelf.')
  await expect(cell(page).getByRole('textbox')).toHaveValue('Take a picture of the whole shelf.')
  await page.keyboard.press('Enter')
  await expect(cell(page)).toHaveCount(0)
  await expect(row(page, 'about')).toContainText('Take a picture of the whole shelf.')
  await expect(row(page, 'about')).toBeFocused()
  await keys(page, 'Mod+z')
  await expect(row(page, 'about')).not.toContainText('Take a picture')
  await press(page, 'activity.remove', 'activity')
  await review(page, 'Its audience goes with it')
  await expect(pane(page)).toContainText('This activity is gone')
  await keys(page, 'Mod+z')
  await expect(pane(page).getByRole('heading', { name: 'Shelf photos' })).toBeVisible()
})

test('a survey moves from one activity to another after a warning, and back by undo', async ({ page }) => {
  const { id: project_id } = await emptyProject(page)
  const make = async (name: string, url: string) =>
    (await call(page, 'activity.whole', { project_id, name, about: 'Answer.', activity_type: 'survey', url })).data
  const first = await make(fresh('First'), 'https://survey.test/1')
  const second = await make(fresh('Second'), 'https://survey.test/2')
  await open(page, 'activity', { id: second.id }, { tab: 'survey' })
  await expect(pane(page)).toContainText('First questions')
  await press(page, 'activity.linkSurvey', 'activity')
  await expect(palette(page)).toContainText(`linked to “${first.name}”`)
  await select(page, palette(page).getByRole('option').filter({ hasText: first.name }))
  await page.keyboard.press('Enter')
  await review(page, `moves from “${first.name}” to “${second.name}”`)
  await expect(toast(page, 'linked')).toBeVisible()
  expect((await call(page, 'activity.get', { id: second.id })).data.survey_id).toBe(first.survey_id)
  await keys(page, 'Mod+z')
  await expect.poll(async () => (await call(page, 'activity.get', { id: first.id })).data.survey_id).toBe(first.survey_id)
})

test('Alt+↓ in a group opened from an activity goes to the next group of the activity', async ({ page }) => {
  const { id: project_id } = await emptyProject(page)
  const [client] = (await call(page, 'client.list')).data
  const whole = {
    project_id,
    name: fresh('Shelf'),
    about: 'Answer.',
    activity_type: 'survey' as const,
    url: 'https://survey.test/1',
  }
  const { data: activity } = await call(page, 'activity.whole', whole)
  const made: { id: number; name: string }[] = []
  for (const name of ['North', 'Other', 'South']) {
    made.push((await call(page, 'group.create', { client_id: client!.id, name: fresh(name) })).data)
    if (name === 'Other') continue
    await call(page, 'activity.linkGroups', { activity_id: activity.id, location_group_id: made.at(-1)!.id })
  }
  await open(page, 'activity', { id: activity.id }, { tab: 'locations' })
  await expect(pane(page).getByRole('treegrid').or(pane(page).getByRole('grid'))).toBeFocused()
  await keys(page, 'g g Enter')
  await expect(pane(page).getByRole('heading', { level: 1 })).toContainText(/North|South/)
  const first = await pane(page).getByRole('heading', { level: 1 }).textContent()
  const other = first!.includes('North') ? 'South' : 'North'
  await keys(page, 'Alt+ArrowDown')
  await expect(pane(page).getByRole('heading', { level: 1 })).toContainText(other)
  await keys(page, 'Alt+ArrowDown')
  await expect(toast(page, 'This is the last of 2 ')).toBeVisible()
})
