import type { Page } from '@playwright/test'
import { MESSAGES } from '../../contract/messages.ts'
import { addDays } from '../../contract/pacing.ts'
import { href } from '../../src/routing/routes.ts'
import { type test as base, expect } from '../support/e2e.ts'
import { today } from '../support/today.ts'
import { answer, call, login, open, pane, pickIn, press, visit } from './verbs.ts'

/*
 * A project's forms by keyboard: a child, a note, an asset, and the editor step by step.
 */

const us = (day: string) => `${day.slice(5, 7)}/${day.slice(8)}/${day.slice(0, 4)}`
const field = (page: Page, label: string) => pane(page).getByLabel(label, { exact: true })
async function type(page: Page, label: string, text: string): Promise<void> {
  await field(page, label).focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Backspace')
  await page.keyboard.type(text)
  await expect(field(page, label)).toHaveValue(text)
}

/** Adds the test to a file, whose options choose the server's engine. */
export function formsFlow(test: typeof base, engine: string): void {
  test(`a project gets a child, a note and an asset, and is edited step by step, on ${engine}`, async ({ page }) => {
    await login(page, 'admin')
    const [client] = (await call(page, 'client.list')).data
    const start = today()
    const name = `Pantry ${Date.now()}`
    const { data: parent } = await call(page, 'project.create', {
      ...{ name, client_id: client!.id, goal: 300, start_dt: start, end_dt: addDays(start, 20) },
    })
    const { id } = parent

    await test.step('a child needs a start, and ends 7 days after it', async () => {
      await open(page, 'newChildSurvey', { id })
      await expect(field(page, 'Name *')).toHaveValue(`${name} Wave 1`)
      await press(page, 'form.send')
      await expect(pane(page).locator('[data-faults]')).toContainText(MESSAGES.projectStart)
      await type(page, 'Start date *', us(start))
      await expect(field(page, 'End date')).toHaveValue(us(addDays(start, 7)))
      await type(page, 'Goal', '120')
      await expect(pane(page).getByText('Family total: 420 completes.')).toBeVisible()
      await press(page, 'form.send')
      await answer(page, 'OK', 'Project Created')
      await expect(pane(page).getByRole('heading', { level: 1, name: `${name} Wave 1` })).toBeVisible()
      const { data } = await call(page, 'project.get', { id })
      expect([data.ordered, data.children.map((child) => [child.name, child.end_dt])]).toEqual([
        420,
        [[`${name} Wave 1`, addDays(start, 7)]],
      ])
    })

    await test.step('a note leads to the notes', async () => {
      await visit(page, href('newNote', { id }))
      await expect(field(page, 'Note *')).toBeFocused()
      await type(page, 'Note *', 'Call them on Monday')
      await press(page, 'form.send')
      await answer(page, 'OK', 'Note Created')
      await expect(page).toHaveURL(new RegExp(`/${id}/project-notes$`))
      await expect(pane(page)).toContainText('Call them on Monday')
    })

    await test.step('an asset needs a type', async () => {
      await visit(page, href('addAsset', { id }))
      await pane(page)
        .locator('input[type=file]')
        .setInputFiles({ name: 'brief.txt', mimeType: 'text/plain', buffer: Buffer.from('Ask about the pantry.') })
      await expect(pane(page).getByRole('group', { name: 'Row 1' })).toContainText('brief.txt')
      // The form waits for a file that is being uploaded, and says so.
      await expect(pane(page).getByRole('progressbar', { name: 'Sending brief.txt' })).toHaveCount(0)
      await press(page, 'form.send')
      await expect(pane(page).locator('[data-faults]')).toContainText(MESSAGES.assetType)
      await pickIn(pane(page).getByRole('group', { name: 'Row 1' }).getByRole('combobox'), 'Survey Document')
      await press(page, 'form.send')
      await answer(page, 'OK', 'Asset Added')
      await expect(pane(page)).toContainText('brief.txt')
      await expect(pane(page).locator('summary').filter({ hasText: 'Project assets' })).toBeFocused()
    })

    await test.step('the wizard refuses an invalid step, and survives a reload', async () => {
      await visit(page, href('editProjectWizard', { id }))
      const next = pane(page).getByRole('button', { name: 'Next: Field time' })
      await field(page, 'Project name *').focus()
      await page.keyboard.press('Control+a')
      await page.keyboard.press('Backspace')
      await next.press('Enter')
      await expect(pane(page).getByText(MESSAGES.projectName).first()).toBeVisible()
      await type(page, 'Project name *', `${name} again`)
      await next.press('Enter')
      await expect(page).toHaveURL(/step=field-time/)
      await type(page, 'Goal *', '350')
      page.on('dialog', (asked) => void asked.accept())
      await page.reload()
      await expect(pane(page).getByText('Draft restored.')).toBeVisible()
      await expect(field(page, 'Goal *')).toHaveValue('350')
      await press(page, 'form.send')
      await answer(page, 'OK', 'Project Updated')
      await expect(page).toHaveURL(/specifications/)
      const { data } = await call(page, 'project.get', { id })
      expect([data.name, data.goal, data.ordered]).toEqual([`${name} again`, 350, 470])
    })
  })
}
