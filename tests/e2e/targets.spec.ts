import type { Page } from '@playwright/test'
import { expect, test } from '../support/e2e.ts'
import { call, dialog, login, open, pane, press, withFigures } from './verbs.ts'

/** A survey activity of a project in field that has completes, with its target at a known state. */
async function running(page: Page, target: { age?: string[]; targeted_locations?: string[]; location_based?: string }) {
  for (const project of await withFigures(page)) {
    if (project.status !== 'Active') continue
    const { data } = await call(page, 'activity.ofProject', { id: project.id })
    const activity = data.find((one) => one.activity_type === 'survey' && one.completes > 0)
    if (!activity) continue
    await call(page, 'target.edit', { activity_id: activity.id, ...target } as never)
    const { data: now } = await call(page, 'activity.target', { id: activity.id })
    return { activity, version: now!.version }
  }
  throw new Error('no survey activity in field has completes')
}

test.beforeEach(({ page }) => login(page, 'admin'))

test('an audience is narrowed by keyboard, with what it does to the running project said before it is saved', async ({
  page,
}) => {
  const { activity, version } = await running(page, { age: ['2', '3', '4', '5', '6', '7'] })
  const { id } = activity
  await open(page, 'editTarget', { id })
  const ages = pane(page).getByRole('group', { name: 'Age' })
  const band = pane(page).getByRole('region', { name: 'Running project' })
  await expect(band).toContainText(/In field since .+ of .+ completes/)
  await expect(ages.getByRole('checkbox', { name: '18+' })).toBeChecked()
  await ages.getByRole('checkbox', { name: 'All' }).focus()
  // All, 18+, 13 to 17, 18 to 24, 25 to 34: one tab stop, arrows move.
  for (let step = 0; step < 4; step++) await page.keyboard.press('ArrowDown')
  await expect(ages.getByRole('checkbox', { name: '25 to 34' })).toBeFocused()
  await page.keyboard.press('Space')
  await expect(ages.getByRole('checkbox', { name: '25 to 34' })).not.toBeChecked()
  await expect(ages.getByRole('checkbox', { name: '18+' })).toHaveAttribute('aria-checked', 'mixed')
  await expect(band).toContainText(`Version ${version} becomes ${version + 1}.`)
  await expect(band).toContainText('new audience')
  await press(page, 'form.send')
  const review = await dialog(page, 'Save to a running project?')
  await expect(review).toContainText(`Version ${version} becomes ${version + 1}.`)
  await expect(review.getByRole('button', { name: 'Save' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect((await dialog(page, 'Target Updated')).getByRole('button', { name: 'OK' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`activity-info/${id}/target`))
  await expect(
    pane(page)
      .getByText(`Version ${version + 1}`)
      .first(),
  ).toBeVisible()
  expect((await call(page, 'activity.target', { id })).data!.age).toBe('2,4,5,6,7')
})

test('a form that begins with radio buttons opens on the chosen one', async ({ page }) => {
  const { activity } = await running(page, { location_based: 'no', targeted_locations: ['501', '504', '803'] })
  await open(page, 'editMarket', { project_id: activity.project_id, id: activity.id })
  await expect(pane(page).getByRole('radio', { name: /^No/ })).toBeFocused()
})
