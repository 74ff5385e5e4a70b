import { href } from '../../src/routing/routes.ts'
import { expect, test } from '../support/e2e.ts'
import { running, targetFlow } from './target-flow.ts'
import { call, column, goTo, login, open, pane, withFigures } from './verbs.ts'

targetFlow(test, 'SQLite')

test('a form that begins with radio buttons opens on the chosen one', async ({ page }) => {
  await login(page, 'admin')
  const { activity } = await running(page, { location_based: 'no', targeted_locations: ['501', '504', '803'] })
  await open(page, 'editMarket', { project_id: activity.project_id, id: activity.id })
  await expect(pane(page).getByRole('radio', { name: /^No/ })).toBeFocused()
})

test('two audiences are compared value by value, with what differs marked', async ({ page }) => {
  await login(page, 'admin')
  const { activity } = await running(page, { age: ['2', '3'] })
  const others = (await withFigures(page)).filter((project) => project.id !== activity.project_id)
  const [other] = (await call(page, 'activity.ofProject', { id: others[0]!.id })).data
  await call(page, 'target.edit', { activity_id: other!.id, age: ['2', '4'] })
  await goTo(
    page,
    `${href('activity', { id: activity.id }, { tab: 'target' })}?beside=/activity-info/${other!.id}/target&linked=1`,
  )
  const ages = (at: number) => column(page, at).locator('[data-anchor="target age"]')
  for (const at of [1, 2]) {
    await expect(ages(at).getByRole('listitem')).toHaveCount(7)
    await expect(ages(at).getByRole('listitem').nth(1)).toContainText('18 to 24')
  }
  await expect(ages(2).getByRole('heading')).toContainText(`; in ${activity.name}: 18 to 24, 25 to 34`)
  await expect(ages(1).getByRole('listitem').nth(3)).toContainText('35 to 44, outside the audience')
  await expect(ages(2).getByRole('listitem').nth(2)).toContainText('25 to 34, outside the audience')
  await expect(ages(2).getByRole('listitem').nth(3)).not.toContainText('outside')
})
