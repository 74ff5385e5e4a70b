import { SETTINGS } from '../../contract/organizationSettings.ts'
import { expect, test } from '../support/e2e.ts'
import { call, login, open, palette, pane, press, rows, run, search, toast } from './verbs.ts'

/*
 * The organization's names and the settings of the quote flow, by keyboard.
 */

test.beforeEach(async ({ page }) => {
  await login(page)
  await call(page, 'organization.edit', SETTINGS)
})

test('an administrator changes settings in the form, saves them by keyboard and undoes that', async ({ page }) => {
  await open(page, 'allProjects')
  await press(page, 'go.organization')
  const margin = pane(page).getByLabel('Usual margin')
  await expect(margin).toHaveValue('35')
  await expect(pane(page).getByLabel('Least margin')).toHaveValue('15')
  await expect(pane(page).getByLabel('Days to answer')).toHaveValue('5')
  await expect(pane(page).getByLabel('Days of validity')).toHaveValue('14')
  await expect(pane(page).getByRole('switch', { name: 'Tell partners who were not chosen' })).toBeChecked()
  await margin.fill('10')
  await page.keyboard.press('Control+Enter')
  await expect(pane(page)).toContainText('The least margin can’t be above the usual margin of 10 %')
  await expect(pane(page).getByLabel('Least margin')).toBeFocused()
  await margin.fill('40')
  await pane(page).getByRole('switch', { name: 'Tell partners who were not chosen' }).press('Space')
  await page.keyboard.press('Control+Enter')
  await expect(toast(page, 'Organization updated.')).toBeVisible()
  expect((await call(page, 'organization.get')).data).toMatchObject({ usual_margin: 40, tell_not_chosen: false, answer_days: 5 })

  await toast(page, 'Organization updated.').getByRole('button', { name: 'Undo' }).press('Enter')
  await expect(margin).toHaveValue('35')
  expect((await call(page, 'organization.get')).data).toMatchObject({ usual_margin: 35, tell_not_chosen: true })
})

test('a setting is changed from the palette, on any screen', async ({ page }) => {
  await open(page, 'allProjects')
  await run(page, 'organization.edit', 'Days of validity', '21')
  await expect(toast(page, 'Organization updated.')).toBeVisible()
  expect((await call(page, 'organization.get')).data).toMatchObject({ valid_days: 21 })
})

test('what somebody else saves appears in untouched fields, and is reported for edited ones', async ({ page }) => {
  await open(page, 'organization')
  const days = pane(page).getByLabel('Days to answer')
  await days.fill('7')
  await call(page, 'organization.edit', { answer_days: 3, valid_days: 30 })
  await expect(pane(page).getByLabel('Days of validity')).toHaveValue('30')
  await expect(days).toHaveValue('7')
  // The form for mails has messages of its own, which are left out.
  const theirs = pane(page).getByRole('status').filter({ hasText: /\S/ })
  await expect(theirs).toContainText('Days to answer is now 3. Saving replaces it.')
  await page.keyboard.press('Control+Enter')
  await expect(toast(page, 'Organization updated.')).toBeVisible()
  expect((await call(page, 'organization.get')).data).toMatchObject({ answer_days: 7, valid_days: 30 })
})

test('client users have neither the screen nor the command', async ({ page }) => {
  await page.context().clearCookies()
  await login(page, 'client')
  await open(page, 'surveyProjects')
  await search(page, 'Change an organization setting')
  await expect(palette(page).locator('[data-reading]')).toHaveCount(0)
  await expect(rows(page, 'organization.edit')).toHaveCount(0)
})
