import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { addDays } from '../../contract/pacing.ts'
import { expect, test } from '../support/e2e.ts'
import { allProjects, call, cursorRow, keys, list, login, open, pane, press, review, run, toast } from './verbs.ts'

/*
 * A client's report, its landing page and its channels by keyboard, on the real server.
 */

let serial = 0
/** A completed project with answers, and the first of its questions. */
async function reported(page: Page) {
  const [found] = (await allProjects(page, 'completed')).filter(({ completed }) => completed > 0)
  const { data } = await call(page, 'report.questions', { project_id: found!.id, per_page: 2000 })
  // What another test may have done to it is put back in the order of the file.
  const at = data.findIndex(({ question_id, should_include }) => question_id !== null && should_include === 1)
  return { id: found!.id, column: data[at]!, next: data[at + 1]! }
}
const columnsOf = async (page: Page, project_id: number) =>
  (await call(page, 'report.questions', { project_id, per_page: 2000 })).data

test('columns of a client’s report are renamed, left out and moved by keys, saved at once, and exported to a file that one key fetches', async ({
  page,
}) => {
  await login(page)
  const { id, column } = await reported(page)
  const name = `Renamed ${Date.now()}${++serial}`
  await open(page, 'project', { id }, { tab: 'clientReporting', query: { search: column.column_key } })
  await list(page)
  await expect(cursorRow(page)).toContainText(column.column_key)
  await keys(page, 'e')
  const box = pane(page).getByRole('textbox', { name: 'Column name' })
  await expect(box).toBeVisible()
  await box.fill(' ')
  await box.press('Enter')
  await expect(pane(page).getByText('question name cannot be blank')).toBeVisible()
  await box.fill(name)
  await box.press('Enter')
  await expect(cursorRow(page)).toContainText(name)
  await press(page, 'report.include')
  await expect(pane(page).getByRole('checkbox', { name: `Include ${name}` })).not.toBeChecked()
  await press(page, 'report.moveDown')
  await expect(cursorRow(page)).toContainText(String(column.order + 1))
  await expect(pane(page).getByText('1 change not saved')).toBeVisible()
  await press(page, 'report.save')
  await expect(toast(page, '1 column saved')).toBeVisible()
  await expect(pane(page).getByText('Saved', { exact: true })).toBeVisible()
  const after = (await columnsOf(page, id)).find(({ column_key }) => column_key === column.column_key)
  expect(after).toMatchObject({ column_name: name, should_include: 0, order: column.order + 1 })
  await press(page, 'report.export')
  await keys(page, 'Enter')
  await keys(page, 'Enter')
  await expect(toast(page, 'Report started')).toBeVisible()
  await expect(toast(page, 'Report ready')).toBeVisible()
  const download = page.waitForEvent('download')
  await press(page, 'job.fetchLatest')
  const file = await download
  expect(file.suggestedFilename()).toMatch(/report.*\.csv$/)
  const [names] = readFileSync((await file.path())!, 'utf8').split('\r\n')
  expect(names).toContain('Record')
  expect(names).not.toContain(name)
})

test('a channel is switched by Space, after a review while the project is in field, and its landing page is saved', async ({
  page,
}) => {
  await login(page)
  const [client] = (await call(page, 'client.list')).data
  const today = new Date().toISOString().slice(0, 10)
  const { data: made } = await call(page, 'project.create', {
    name: `Landing ${Date.now()}${++serial}`,
    client_id: client!.id,
    goal: 100,
    start_dt: today,
    end_dt: addDays(today, 9),
  })
  await open(page, 'project', { id: made.id }, { tab: 'audience' })
  await list(page)
  await expect(cursorRow(page)).toContainText('Facebook')
  await press(page, 'audience.switch')
  await review(page, 'Its landing page isn’t complete.')
  await expect(cursorRow(page)).toContainText('Enabled')
  await press(page, 'audience.switch')
  await expect(cursorRow(page)).toContainText('Disabled')
  await run(page, 'command.undo')
  await expect(cursorRow(page)).toContainText('Enabled')

  await open(page, 'project', { id: made.id }, { tab: 'landingPage' })
  await pane(page).getByRole('textbox', { name: 'Facebook question' }).fill('Did you shop this week?')
  await expect(pane(page).getByRole('region', { name: 'Facebook preview' })).toContainText('Did you shop this week?')
  await keys(page, 'Control+Enter')
  await expect(pane(page).getByText('All fields marked (*) are required.').first()).toBeVisible()
  await pane(page).getByRole('textbox', { name: 'Facebook disqualify text' }).fill('Thank you')
  await pane(page).getByRole('textbox', { name: 'Survey URL' }).fill('https://survey.test/1')
  await run(page, 'landing.copyChannel')
  await expect(pane(page).getByRole('textbox', { name: 'Fulcrum question' })).toHaveValue('Did you shop this week?')
  await keys(page, 'Control+Enter')
  await expect(page.getByRole('dialog', { name: 'Landing Page Updated' })).toBeVisible()
  const { data } = await call(page, 'landing.get', { cid: made.id })
  expect(data).toMatchObject({ fulcrum_disqualify_text: 'Thank you', survey_url: 'https://survey.test/1' })
})
