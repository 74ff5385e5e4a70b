import { setTimeout } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import { MESSAGES } from '../../contract/messages.ts'
import { href } from '../../src/routing/routes.ts'
import { expect, test } from '../support/e2e.ts'
import { answer, call, cursorRow, dialog, list, login, open, pane, pickIn, press, projectFor, toast, visit } from './verbs.ts'

const label = (page: Page, text: string) => pane(page).getByLabel(text, { exact: true })
async function type(page: Page, field: string, text: string): Promise<void> {
  await label(page, field).focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Backspace')
  if (text) await page.keyboard.type(text)
}
const name = 'Project name *'

test.beforeEach(({ page }) => login(page, 'admin'))

test('a project is edited by keyboard', { tag: '@quick' }, async ({ page }) => {
  const { id } = await projectFor(page, 'project.edit')
  await open(page, 'editProject', { id })
  await type(page, name, 'A better name')
  await press(page, 'form.send')
  await answer(page, 'OK', 'Project Updated')
  expect((await call(page, 'project.get', { id })).data.name).toBe('A better name')
})

test('a form that is opened right after one’s own change in a row, and undone, blames nobody else', async ({ page }) => {
  const { id, name: before } = await projectFor(page, 'project.edit')
  const renamed = `${before} again`
  await open(page, 'editProject', { id })
  await expect(label(page, name)).toHaveValue(before)
  await visit(page, `${href('allProjects')}?search=${encodeURIComponent(before)}`)
  await list(page)
  // The form's record is read again, later than somebody types into it.
  await page.route(`**/v3/portal/projects/${id}`, async (route) => {
    if (route.request().method() === 'GET') await setTimeout(1500)
    await route.continue()
  })
  await press(page, 'list.edit')
  await page.keyboard.press('End')
  await page.keyboard.type(' again')
  await page.keyboard.press('Enter')
  await expect(cursorRow(page)).toContainText(renamed)
  await visit(page, href('editProject', { id }))
  await type(page, 'Description', 'Typed over the older version')
  await expect(label(page, name)).toHaveValue(renamed)
  await expect(pane(page).getByText('Someone else')).toHaveCount(0)
  await press(page, 'form.send')
  await answer(page, 'OK', 'Project Updated')
  await visit(page, href('editProject', { id }))
  await expect(label(page, 'Description')).toHaveValue('Typed over the older version')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+z')
  await expect(toast(page, 'Undone')).toBeVisible()
  await type(page, 'Description', 'Typed right after the undo')
  await press(page, 'form.send')
  await answer(page, 'OK', 'Project Updated')
  await expect(pane(page).getByText('Someone else')).toHaveCount(0)
  const { data } = await call(page, 'project.get', { id })
  expect([data.name, data.description]).toEqual([renamed, 'Typed right after the undo'])
})

test('the expected length of interview and incidence are optional, and kept within their limits', async ({ page }) => {
  const { id } = await projectFor(page, 'project.edit')
  await open(page, 'editProject', { id })
  await type(page, 'Length of interview', '181')
  await type(page, 'Incidence', '40')
  await press(page, 'form.send')
  await expect(pane(page).locator('[data-faults]')).toContainText('Length of interview is between 1 and 180 minutes')
  await type(page, 'Length of interview', '')
  await press(page, 'form.send')
  await answer(page, 'OK', 'Project Updated')
  expect((await call(page, 'project.get', { id })).data).toMatchObject({ loi_minutes: null, incidence: 40 })
})

test('required fields use the specification’s messages', async ({ page }) => {
  const { id } = await projectFor(page, 'project.edit')
  await open(page, 'editProject', { id })
  for (const field of [name, 'Goal *', 'Start date *', 'End date *']) await type(page, field, '')
  await pickIn(label(page, 'Status *'), { value: '' })
  await press(page, 'form.send')
  const sum = pane(page).locator('[data-faults]')
  for (const message of [
    MESSAGES.projectName,
    MESSAGES.projectStatus,
    MESSAGES.projectGoal,
    MESSAGES.projectStart,
    MESSAGES.projectEnd,
  ])
    await expect(sum).toContainText(message)
})

test('a start after the end asks to check both dates', async ({ page }) => {
  const { id } = await projectFor(page, 'project.edit')
  await open(page, 'editProject', { id })
  await type(page, 'Start date *', '12/31/2031')
  await press(page, 'form.send')
  await expect(pane(page).locator('[data-faults]')).toContainText(MESSAGES.checkDates)
})

test('a status outside the order needs a reason and a confirmation, and is forced', async ({ page }) => {
  const { id } = await projectFor(page, 'project.edit', 'Completed')
  await open(page, 'editProject', { id })
  await pickIn(label(page, 'Status *'), { value: 'paused' })
  await label(page, 'Status *').focus()
  await press(page, 'form.send')
  await expect(pane(page).locator('[data-faults]')).toContainText('Say why')
  await expect(label(page, 'Reason *')).toBeFocused()
  await page.keyboard.type('The client asked for a break')
  await press(page, 'form.send')
  await answer(page, 'Save', 'Change the status to Paused?')
  await answer(page, 'OK', 'Project Updated')
  expect((await call(page, 'project.get', { id })).data.stored_status).toBe('paused')
})

test('a concurrent edit is resolved field by field', { tag: '@quick' }, async ({ page }) => {
  const { id } = await projectFor(page, 'project.edit')
  await open(page, 'editProject', { id })
  await type(page, name, 'Mine')
  await type(page, 'Goal *', '777')
  await call(page, 'project.edit', { id, name: 'Theirs', goal: 888 })
  await label(page, name).focus()
  await press(page, 'form.send')
  const asked = await dialog(page, 'Someone else changed this while you were editing')
  await expect(asked).toContainText('You both changed 2 fields')
  await asked.getByRole('radiogroup', { name: 'Goal' }).getByRole('radio', { name: 'Take theirs: 888' }).focus()
  await page.keyboard.press('Space')
  await answer(page, 'Save these')
  await answer(page, 'OK', 'Project Updated')
  const { data } = await call(page, 'project.get', { id })
  expect([data.name, data.goal]).toEqual(['Mine', 888])
})

test('changes to different fields are both kept without asking', async ({ page }) => {
  const { id } = await projectFor(page, 'project.edit')
  await open(page, 'editProject', { id })
  await type(page, name, 'Only the name is mine')
  await call(page, 'project.edit', { id, goal: 999 })
  await label(page, name).focus()
  await press(page, 'form.send')
  await answer(page, 'OK', 'Project Updated')
  const { data } = await call(page, 'project.get', { id })
  expect([data.name, data.goal]).toEqual(['Only the name is mine', 999])
})
