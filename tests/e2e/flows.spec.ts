import type { Locator, Page } from '@playwright/test'
import { expect, test } from '../support/e2e.ts'
import { emptyProject, fresh } from './activity-flow.ts'
import { allProjects, call, dialog, drawn, keys, list, login, open, pane, review, selected, toast } from './verbs.ts'

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

/** A project whose first twenty pending rewards hold one suspicious one. */
async function withOneFlagged(page: Page): Promise<number> {
  for (const { id } of (await allProjects(page)).filter(({ pending_rewards }) => pending_rewards >= 20)) {
    const { data } = await call(page, 'entry.list', { id, status: 'pending' })
    if (data.slice(0, 20).filter(({ flags }) => flags !== 0).length === 1) return id
  }
  throw new Error('No project has one suspicious reward among its first twenty.')
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

test('twenty rewards are paid without the suspicious one among them with at most 8 keys', async ({ page }) => {
  const project = await withOneFlagged(page)
  const rows = (await call(page, 'entry.list', { id: project, status: 'pending' })).data
  await open(page, 'project', { id: project }, { tab: 'rewardCenter' })
  await list(page)
  const { count, press } = counting(page)
  await press('0 2 0 *')
  await expect(pane(page)).toContainText('20 selected')
  await press('r w')
  await review(page, 'Pay 20 rewards')
  count.keys++
  await expect(toast(page, /20 rewards/)).toBeVisible()
  expect(count.keys).toBeLessThanOrEqual(8)
  await expect(toast(page, /20 rewards paid/)).toBeVisible({ timeout: 20_000 })
  const pending = new Set((await call(page, 'entry.list', { id: project, status: 'pending' })).data.map(({ id }) => id))
  const left = rows.slice(0, 21).filter(({ id }) => pending.has(id))
  expect(left.map(({ flags }) => flags !== 0)).toEqual([true])
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

test('a team with users is made with at most 35 keys, also pressed before its users are there', async ({ page }) => {
  const { data } = await call(page, 'client.list', { per_page: 1, column: 'users_count', direction: 'desc' } as never)
  await open(page, 'client', { id: data[0]!.id })
  await drawn(page)
  let answer = () => {}
  const pressed = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route(
    (url) => url.pathname.endsWith('/choices'),
    async (route) => {
      await pressed
      await route.continue()
    },
  )
  const { count, press, type } = counting(page)
  await press('n t')
  await expect(pane(page).getByLabel('Team name *')).toBeFocused()
  await type('North field')
  await press('Tab Space ArrowDown Space Control+Enter')
  const users = pane(page).getByRole('listbox', { name: 'Users' })
  await expect(users).toHaveAttribute('aria-busy', 'true')
  answer()
  await dialog(page, 'Team created')
  await press('Enter')
  expect(count.keys).toBeLessThanOrEqual(35)
  const team = (await call(page, 'team.list', { search: 'North field' } as never)).data[0]!
  expect(team.users_count).toBe(2)
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
