import type { Page } from '@playwright/test'
import { answer, cursorRow, keys, list, open, palette, pane, press, review, run, toast } from '../e2e/verbs.ts'
import { expect, test } from '../support/component.ts'

const PROJECT = 530
const report = async (page: Page) => {
  await open(page, 'project', { id: PROJECT }, { tab: 'clientReporting' })
  await list(page)
  await expect(cursorRow(page)).toContainText('record')
}
const row = (page: Page, key: string) => pane(page).getByRole('row').filter({ hasText: key })
/** Renames the column under the cursor. */
async function rename(page: Page, name: string) {
  await keys(page, 'e')
  const box = pane(page).getByRole('textbox', { name: 'Column name' })
  await expect(box).toBeVisible()
  await box.fill(name)
  await box.press('Enter')
}
const landing = (page: Page) => open(page, 'project', { id: PROJECT }, { tab: 'landingPage' })
const box = (page: Page, name: string) => pane(page).getByRole('textbox', { name })
const preview = (page: Page, name: string) => pane(page).getByRole('region', { name: `${name} preview` })

test.describe('a client report', () => {
  test('keeps unsaved changes over a reload, and discards them on request', { tag: '@quick' }, async ({ page }) => {
    await report(page)
    await rename(page, 'Respondent')
    await press(page, 'report.include')
    await expect(pane(page).getByText('4 of 5 columns, 1,240 rows')).toBeVisible()
    await page.reload()
    await expect(pane(page).getByText('1 change not saved')).toBeVisible()
    await expect(pane(page).getByText('4 of 5 columns, 1,240 rows')).toBeVisible()
    await expect(row(page, 'record')).toContainText('Respondent')
    await run(page, 'report.discard')
    await review(page, 'Discard your changes?')
    await expect(pane(page).getByText('Saved', { exact: true })).toBeVisible()
    await expect(row(page, 'record')).toContainText('Record')
  })

  test('moves a column by keys or to a given place, and saves where it went', async ({ page, api }) => {
    await report(page)
    await press(page, 'report.moveDown')
    await press(page, 'report.moveDown')
    await expect(cursorRow(page)).toContainText('record')
    await expect(cursorRow(page)).toContainText('3')
    await press(page, 'report.moveUp')
    await expect(pane(page).getByText('1 change not saved')).toBeVisible()
    await press(page, 'report.moveUp')
    await expect(pane(page).getByText('Saved', { exact: true })).toBeVisible()
    await run(page, 'report.moveTo', '5')
    await expect(pane(page).getByText('1 change not saved')).toBeVisible()
    await press(page, 'report.save')
    await expect(toast(page, '1 column saved')).toBeVisible()
    const stored = api.db.selectFrom('report_columns').select('column_key').orderBy('position')
    expect((await stored.execute()).map(({ column_key }) => column_key)).toEqual(['end_date', 'q_1', 'q_2', 'q_3', 'record'])
  })

  test('refuses a blank name, and marks both columns with the same one', async ({ page }) => {
    await report(page)
    await rename(page, ' ')
    await expect(pane(page).getByText('question name cannot be blank')).toBeVisible()
    await box(page, 'Column name').fill('End date')
    await box(page, 'Column name').press('Enter')
    await expect(pane(page).getByText('Another column has this name')).toHaveCount(2)
  })

  test('shows somebody else’s concurrent change, and keeps mine or takes theirs', { tag: '@quick' }, async ({ page, api }) => {
    await report(page)
    await rename(page, 'Respondent')
    await press(page, 'report.include')
    await api.set('report_columns', 1, { column_name: 'Person', lock_version: 2 })
    await press(page, 'report.save')
    const clash = page.getByRole('dialog', { name: 'Someone else changed this while you were editing' })
    await expect(clash.getByText('Keep mine: Respondent')).toBeVisible()
    await clash.getByRole('radio', { name: 'Take theirs: Person' }).click()
    await clash.getByRole('button', { name: 'Save these' }).click()
    await expect(toast(page, '1 column saved')).toBeVisible()
    expect(await api.row('report_columns', 1)).toMatchObject({ column_name: 'Person', should_include: 0 })
  })

  test('applies a template after a review, and undo reverts it', async ({ page, api }) => {
    await report(page)
    await press(page, 'report.applyTemplate')
    // With a single template, the palette doesn't ask which one.
    await expect(palette(page)).toContainText('Apply “Standard client report”?')
    await review(page, '1 column of 5 changes.')
    await expect(row(page, 'record')).toContainText('Respondent')
    await run(page, 'command.undo')
    await expect.poll(async () => (await api.row('report_columns', 1)).column_name).toBe('Record')
  })
})

test.describe('a landing page', () => {
  const REQUIRED = ['Survey URL', 'Facebook question', 'Fulcrum question', 'Facebook disqualify text', 'Fulcrum disqualify text']

  test('says “All fields marked (*) are required.”, and marks each blank one', async ({ page, api }) => {
    await landing(page)
    await box(page, 'Facebook landing URL').fill('https://join.test')
    await keys(page, 'Control+Enter')
    await expect(pane(page).getByRole('alert').filter({ hasText: 'All fields marked (*) are required.' }).first()).toBeVisible()
    for (const name of REQUIRED) await expect(box(page, name)).toHaveAttribute('aria-invalid', 'true')
    await expect(box(page, 'Fulcrum landing URL')).not.toHaveAttribute('aria-invalid', 'true')
    expect(api.writes.filter(({ id }) => id === 'landing.save')).toEqual([])
  })

  test('that couldn’t be saved shows the server’s response, with Retry', async ({ page, api }) => {
    await landing(page)
    for (const name of REQUIRED) await box(page, name).fill('https://survey.test/1')
    const away = { message: 'The landing pages are being moved.', code: 'away', fields: {} }
    api.refusals.set('landing.save', { status: 503, body: away })
    await keys(page, 'Control+Enter')
    // The project is in field, so saving asks for confirmation.
    await answer(page, 'Save', 'Save to a running project?')
    const failed = toast(page, 'The landing page wasn’t saved')
    await expect(failed).toContainText('The landing pages are being moved.')
    api.refusals.clear()
    await failed.getByRole('button', { name: 'Retry' }).click()
    await answer(page, 'Save', 'Save to a running project?')
    await expect(page.getByRole('dialog', { name: 'Landing Page Updated' })).toBeVisible()
  })

  test('previews each channel while typing: the question, then the survey or the disqualify text', async ({ page }) => {
    await landing(page)
    await box(page, 'Facebook question').fill('Did you shop this week?')
    await box(page, 'Facebook disqualify text').fill('Thank you, goodbye')
    await expect(preview(page, 'Facebook')).toContainText('Did you shop this week?')
    await expect(preview(page, 'Fulcrum')).not.toContainText('Did you shop')
    await run(page, 'landing.useSurveyUrl')
    await preview(page, 'Facebook').getByRole('button', { name: 'Yes' }).click()
    await expect(preview(page, 'Facebook')).toContainText('https://survey.test/1')
    await expect(preview(page, 'Facebook')).not.toContainText('Thank you')
    await preview(page, 'Facebook').getByRole('button', { name: 'No' }).click()
    await expect(preview(page, 'Facebook')).toContainText('Thank you, goodbye')
  })
})

test('has channels that are Enabled or Disabled, and Space switches one', async ({ page, api }) => {
  // One in field asks first.
  await open(page, 'project', { id: 529 }, { tab: 'audience' })
  await list(page)
  await expect(cursorRow(page)).toContainText('Facebook')
  await expect(cursorRow(page)).toContainText('Enabled')
  await expect(row(page, 'Fulcrum')).toContainText('Disabled')
  await press(page, 'audience.switch')
  await expect(cursorRow(page)).toContainText('Disabled')
  const stored = api.db.selectFrom('audience_options').selectAll().where('project_id', '=', 529)
  expect(await stored.execute()).toMatchObject([{ facebook_active: 0 }])
})
