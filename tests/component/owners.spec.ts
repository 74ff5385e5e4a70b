import { cursorRow, keys, list, open, palette, pane, press, selected, toast } from '../e2e/verbs.ts'
import { expect, test } from '../support/component.ts'
import type { Portal } from '../support/portal.ts'

// Owners and followers of projects, by keys.

const ids = (api: Portal) => api.writes.map(({ id }) => id)
const ownersOf = (api: Portal, ...projects: number[]) =>
  Promise.all(projects.map(async (id) => (await api.row('projects', id)).owner_id))

test('selected projects get an owner by one review, and lose it by one undo', { tag: '@quick' }, async ({ page, api }) => {
  await open(page, 'allProjects')
  await list(page)
  const [first, second] = api.market.projects.map(({ id }) => id)
  await keys(page, 'x j x')
  await press(page, 'project.setOwner')
  await expect(selected(page)).toContainText('Sara Miller')
  await page.keyboard.press('Enter')
  await expect(palette(page).getByRole('heading', { name: 'Assign 2 projects?' })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(toast(page, '2 projects are assigned')).toBeVisible()
  expect(ids(api)).toEqual(['project.setOwner', 'project.setOwner'])
  expect(await ownersOf(api, first!, second!)).toEqual([1, 1])
  await page.keyboard.press('Control+z')
  await expect(toast(page, 'Undone: Assign owner – 2 projects')).toBeVisible()
  expect(await ownersOf(api, first!, second!)).toEqual([null, null])
  await expect(cursorRow(page)).toBeVisible()
})

test('a project is followed and no longer followed by keys, and each is undone', async ({ page, api }) => {
  const { id, name } = api.market.projects[0]!
  const follows = async () =>
    (await api.db.selectFrom('project_followers').select('follows').where('project_id', '=', id).executeTakeFirst())?.follows ??
    null
  await open(page, 'project', { id }, { tab: 'overview' })
  await press(page, 'project.follow')
  await expect(toast(page, `“${name}” is followed`)).toBeVisible()
  await expect(pane(page).getByText('Following', { exact: true })).toBeVisible()
  expect(await follows()).toBe(1)
  await page.keyboard.press('Control+z')
  await expect(pane(page).getByText('Following', { exact: true })).toHaveCount(0)
  expect(await follows()).toBe(null)
  await page.keyboard.press('Control+Shift+z')
  await expect(pane(page).getByText('Following', { exact: true })).toBeVisible()
  await press(page, 'project.unfollow')
  await expect(pane(page).getByText('Following', { exact: true })).toHaveCount(0)
  expect(await follows()).toBe(0)
})
