import type { Page } from '@playwright/test'
import { MESSAGES } from '../../contract/messages.ts'
import { addDays } from '../../contract/pacing.ts'
import { type test as base, expect } from '../support/e2e.ts'
import { today as workspaceDay } from '../support/today.ts'
import { answer, call, dialog, login, open, pane, press } from './verbs.ts'

let serial = 0
/** A name that no other test uses. */
export const fresh = (word: string): string => `${word} ${Date.now()}${++serial}`

/** A project of the first client that has no activity yet. */
export async function emptyProject(page: Page) {
  const [client] = (await call(page, 'client.list')).data
  const today = workspaceDay()
  const days = { start_dt: today, end_dt: addDays(today, 20) }
  return (await call(page, 'project.create', { name: fresh('Shelf diary'), client_id: client!.id, goal: 300, ...days })).data
}

/** A row of facts of the visible record. */
export const row = (page: Page, id: string) => pane(page).locator(`[data-row="${id}"]`)

/** Adds the test to a file, whose options choose the server's engine. */
export function activityFlow(test: typeof base, engine: string): void {
  test(`an activity is added by form, with errors shown at its fields, and edited by form, on ${engine}`, async ({ page }) => {
    await login(page, 'admin')
    const { id } = await emptyProject(page)
    await open(page, 'newActivity', { id })
    const name = pane(page).getByLabel('Activity name *')
    await expect(name).toBeFocused()
    await press(page, 'form.send')
    const sum = pane(page).locator('[data-faults]')
    for (const message of [MESSAGES.activityName, MESSAGES.activityAbout, MESSAGES.surveyFileOrUrl])
      await expect(sum).toContainText(message)
    await name.focus()
    const title = fresh('Wave')
    await page.keyboard.type(title)
    await pane(page).getByLabel('Description *').focus()
    await page.keyboard.type('Answer ten questions.')
    await pane(page).getByLabel('Survey URL').focus()
    await page.keyboard.type('https://survey.test/wave')
    await expect(pane(page).getByLabel('Survey URL')).toHaveValue('https://survey.test/wave')
    await press(page, 'form.send')
    await answer(page, 'OK', 'Activity Created')
    await expect(pane(page).getByRole('heading', { name: title })).toBeVisible()
    await expect(row(page, 'survey')).toContainText(title)
    await expect(row(page, 'name')).toBeFocused()
    await press(page, 'activity.edit', 'activity')
    const about = pane(page).getByLabel('Description *')
    await expect(about).toHaveValue('Answer ten questions.')
    await about.focus()
    await page.keyboard.press('Control+a')
    await page.keyboard.type('Answer twelve questions.')
    await expect(about).toHaveValue('Answer twelve questions.')
    await press(page, 'form.send')
    await dialog(page, 'Activity Updated')
    await page.keyboard.press('Enter')
    await expect(row(page, 'about')).toContainText('Answer twelve questions.')
  })
}
