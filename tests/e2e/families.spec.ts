import type { Page } from '@playwright/test'
import { expect, test } from '../support/e2e.ts'
import { answer, call, cursorRow, goTo, list, login, open, pane, press } from './verbs.ts'

test.beforeEach(({ page }) => login(page, 'admin'))

const number = new Intl.NumberFormat('en-US')
/** A family of v3 projects whose parent has its own part, and a project without children. */
async function family(page: Page) {
  const { data } = await call(page, 'project.listAll', { per_page: 500 })
  return data.find((row) => row.own && row.children.length)!
}
const head = (page: Page, name: string) => pane(page).getByRole('columnheader', { name }).getByRole('button')

test('a parent’s row is the sum of its first line, “Own part”, and its children', async ({ page }) => {
  const row = await family(page)
  await goTo(page, `/dashboard/all-projects?search=P-${row.id}`)
  await list(page)
  await press(page, 'list.expand', 'list')
  const lines = pane(page).getByRole('treegrid').getByRole('row')
  await expect(lines.nth(1)).toContainText(number.format(row.delivered))
  await expect(lines.nth(2)).toContainText('Own part')
  await expect(lines.nth(2)).toContainText(number.format(row.own!.ordered))
  await expect(lines.nth(3)).toContainText(row.children[0]!.name)
  // The own part belongs to the parent and opens it.
  await press(page, 'list.down', 'list')
  await press(page, 'list.open', 'list')
  await expect(page).toHaveURL(new RegExp(`/project-info/${row.id}/dashboard`))
})

test('keys pressed while a parent’s children are read act on the children', async ({ page }) => {
  const row = await family(page)
  const { promise: pressed, resolve: release } = Promise.withResolvers<void>()
  await page.route(`**/v3/portal/projects/${row.id}`, async (route) => {
    await pressed
    await route.continue()
  })
  await goTo(page, `/dashboard/all-projects?search=P-${row.id}`)
  await list(page)
  await press(page, 'list.expand', 'list')
  await press(page, 'list.down', 'list')
  await press(page, 'list.down', 'list')
  release()
  await expect(cursorRow(page)).toContainText(row.children[0]!.name)
})

test('a figure sorts descending, ascending, then by default; the list stays at its top', async ({ page }) => {
  await open(page, 'allProjects')
  await list(page)
  for (let at = 0; at < 12; at++) await press(page, 'list.down', 'list')
  await expect(cursorRow(page)).toHaveAttribute('aria-rowindex', '14')
  const first = () => pane(page).getByRole('row').nth(1)
  const largest = (await call(page, 'project.listAll', { column: 'delivered', order: 'desc', per_page: 1 })).data[0]!
  await head(page, 'Delivered').click()
  await expect(page).toHaveURL(/sort=-delivered/)
  await expect(first()).toContainText(largest.name)
  await expect(cursorRow(page)).toHaveAttribute('aria-rowindex', '2')
  await expect(page).not.toHaveURL(/page=/)
  await head(page, 'Delivered').click()
  await expect(page).toHaveURL(/sort=delivered/)
  await head(page, 'Delivered').click()
  await expect(page).not.toHaveURL(/sort=/)
  // Words sort ascending first.
  await head(page, 'Project').click()
  await expect(page).toHaveURL(/sort=name/)
})

test('the editor shows the family’s totals, keeps the goal that is typed, and leads to Specifications', async ({ page }) => {
  const row = await family(page)
  await open(page, 'editProject', { id: row.id })
  const goal = pane(page).getByLabel('Goal *', { exact: true })
  await expect(goal).toHaveValue(String(row.goal))
  await goal.fill(String(row.goal + 50))
  await expect(pane(page).getByText(`${number.format(row.ordered + 50)} in total`)).toBeVisible()
  await press(page, 'form.send')
  await answer(page, 'OK', 'Project Updated')
  await expect(page).toHaveURL(/\/specifications/)
  await expect(pane(page)).toContainText(
    `${number.format(row.goal + 50)} of its own, ${number.format(row.ordered + 50)} completes with its children`,
  )
  const { data } = await call(page, 'project.get', { id: row.id })
  expect([data.goal, data.ordered]).toEqual([row.goal + 50, row.ordered + 50])
})

test('markets that match a preset are named by it', async ({ page }) => {
  const { data } = await call(page, 'project.listAll', { per_page: 500 })
  const all = data.find((row) => row.targeted_location_names.length === 210)!
  await goTo(page, `/dashboard/project-info/${all.id}/specifications`)
  await expect(pane(page).getByText('All DMAs').first()).toBeVisible()
  await expect(pane(page).getByText(all.targeted_location_names[7]!, { exact: true })).toHaveCount(0)
})

test('a record opened under the other generation’s address is shown on its own screen', async ({ page }) => {
  const v3 = (await call(page, 'project.listAll', { per_page: 1 })).data[0]!
  const older = (await call(page, 'campaign.list', { per_page: 1 })).data.campaigns[0]!
  await goTo(page, `/dashboard/surveyProInfo/${v3.id}/history`)
  await expect(page).toHaveURL(new RegExp(`/project-info/${v3.id}/history-of-project$`))
  await goTo(page, `/dashboard/project-info/${older.id}/specifications`)
  await expect(page).toHaveURL(new RegExp(`/surveyProInfo/${older.id}/specifications$`))
  await expect(pane(page).getByRole('tab', { name: 'Approval' })).toBeVisible()
})
