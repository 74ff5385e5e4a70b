import type { Locator, Page } from '@playwright/test'
import { expect, test } from '../support/e2e.ts'
import { emptyProject, fresh } from './activity-flow.ts'
import { allProjects, call, dialog, drawn, keys, list, login, open, pane, selected } from './verbs.ts'

// How many keys the work of a day takes: all presses, those of typed text, too.
test.beforeEach(({ page }) => login(page, 'admin'))

/** A survey activity without audience and survey, in a project of its own. */
async function activityIn(page: Page): Promise<{ id: number; project_id: number }> {
  const project = await emptyProject(page)
  const made = await call(page, 'activity.create', {
    ...{ project_id: project.id, name: fresh('Wave'), about: 'A survey', activity_type: 'survey', action_type: 'nothing' },
  } as never)
  return { id: (made as { data: { id: number } }).data.id, project_id: project.id }
}

/** Presses keys and types texts, and counts both; a chord counts as one. */
function counting(page: Page) {
  const count = { keys: 0 }
  return {
    count,
    press: async (sequence: string) => {
      count.keys += sequence.split(' ').length
      await keys(page, sequence)
    },
    type: async (text: string) => {
      count.keys += text.length
      await page.keyboard.type(text)
    },
  }
}

/** Presses Tab until a field has the focus, at most eight times. */
async function tabTo(press: (sequence: string) => Promise<void>, to: Locator): Promise<void> {
  await expect(to).toBeVisible()
  for (let times = 0; times < 8 && !(await to.evaluate((one) => one === document.activeElement)); times++) await press('Tab')
  await expect(to).toBeFocused()
}

/** Copies a text, for one Ctrl+V. */
const copy = (page: Page, text: string) => page.evaluate((copied) => navigator.clipboard.writeText(copied), text)

test('a project is found by half a name with at most 10 keys', async ({ page }) => {
  const { name } = (await allProjects(page, 'Active')).find((project) => project.name.includes('Console Recipe'))!
  await open(page, 'allProjects')
  await list(page)
  const { count, press, type } = counting(page)
  await press('Control+k')
  await type('consol')
  await expect(selected(page)).toContainText(name)
  await press('Enter')
  await expect(pane(page).getByRole('heading', { level: 1, name })).toBeVisible()
  expect(count.keys).toBeLessThanOrEqual(10)
})

test('a target with four market areas is set with at most 25 keys', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const { id } = await activityIn(page)
  await open(page, 'activity', { id })
  await drawn(page)
  const { count, press } = counting(page)
  await press('a t')
  await expect(pane(page).getByRole('group', { name: 'Age' }).locator(':focus')).toHaveCount(1)
  await press('Space Tab Space Control+Enter')
  await dialog(page, 'Target Created')
  await press('Enter')
  await press('a m')
  await expect(pane(page).getByRole('searchbox', { name: 'Search market areas' })).toBeVisible()
  await copy(page, '501, 803, 602, 807')
  await tabTo(press, pane(page).getByRole('searchbox', { name: 'Search market areas' }))
  await press('Control+v')
  await expect(pane(page)).toContainText('4 of 210 selected')
  await press('Control+Enter')
  await expect(page.getByText('Market Updated').first()).toBeVisible()
  const { targeted_locations } = (await call(page, 'activity.target', { id })).data!
  expect(targeted_locations.split(',').sort()).toEqual(['501', '602', '803', '807'])
  expect(count.keys).toBeLessThanOrEqual(25)
})

test('a survey with eight pasted questions is made with at most 50 keys', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const { id } = await activityIn(page)
  await open(page, 'activity', { id })
  await drawn(page)
  const { count, press, type } = counting(page)
  await press('n w')
  await expect(pane(page)).toContainText('Which activity counts its responses?')
  await press('Enter')
  await expect(pane(page).getByRole('textbox', { name: /^Name/ })).toBeFocused()
  await press('Tab')
  await type('https://a.test')
  const rows = Array.from({ length: 8 }, (_, at) => `Do you like snack ${at + 1}?\tSingle\tYes|No`)
  await copy(page, ['Question\tAnswer type\tAnswers', ...rows].join('\n'))
  await tabTo(press, pane(page).getByRole('textbox', { name: 'Questions from a sheet' }))
  await press('Control+v Control+Enter')
  await dialog(page, 'Survey Created')
  await press('Enter')
  await expect(pane(page).getByRole('heading', { level: 1 })).toContainText('Wave')
  const made = (await call(page, 'survey.list', { per_page: 1 } as never)).data[0]!
  expect(made.questions_count).toBe(8)
  expect(count.keys).toBeLessThanOrEqual(50)
})
