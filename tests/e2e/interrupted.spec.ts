import type { Page } from '@playwright/test'
import { expect, test } from '../support/e2e.ts'
import { call, list, login, open, pane, pickIn, press, projects, ready, run, toast } from './verbs.ts'
import { fresh, notes, notesOf, slow } from './written.ts'

// A write survives leaving, a reload or a lost response: it happens once, and its result is shown.
test.describe.configure({ mode: 'parallel', timeout: 90_000 })
test.beforeEach(({ page }) => login(page))

/** The projects with exactly this name. */
const called = async (page: Page, name: string) =>
  (await call(page, 'project.list', { search: name, status: 'all' } as never)).data.filter((row) => row.name === name)

test.describe('in the middle of a write', () => {
  test('going back doesn’t stop it, and the result shows wherever the user is', async ({ page }) => {
    await open(page, 'allProjects')
    await list(page)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/project-info/)
    // Before the record has come, the palette would ask for the project.
    await ready(page)
    const id = Number(/project-info\/(\d+)/.exec(page.url())![1])
    const note = fresh('Left')
    await slow(page, '**/v3/portal/projects/note', 700)
    await run(page, 'note.create', note)
    await page.goBack()
    await expect(page).toHaveURL(/all-projects/)
    await expect(toast(page, / has your note/)).toBeVisible()
    expect(await notesOf(page, id, note)).toBe(1)
  })

  test('a lost response: “Retry” creates nothing twice', async ({ page }) => {
    const [project] = await projects(page)
    await notes(page, project!)
    const note = fresh('Lost')
    let tries = 0
    await page.route('**/v3/portal/projects/note', async (route) => {
      tries++
      if (tries > 1) return route.continue()
      // The write happens, and the response is lost.
      await route.fetch()
      await route.abort('connectionreset')
    })
    await run(page, 'note.create', note)
    await toast(page, 'Can’t reach the server').getByRole('button', { name: 'Retry' }).click()
    await expect(toast(page, / has your note/)).toBeVisible()
    expect([tries, await notesOf(page, project!.id, note)]).toEqual([2, 1])
  })

  test('an upload with a lost response is stored once by “Retry”', { tag: '@quick' }, async ({ page }) => {
    await open(page, 'newSurveyRequest')
    const name = `${fresh('lost')}.csv`
    const answers: string[] = []
    await page.route('**/v3/portal/documents', async (route) => {
      const answer = await route.fetch()
      answers.push(((await answer.json()) as { data: { id: number }[] }).data.map(({ id }) => id).join())
      // It is stored, and the response is lost.
      return answers.length > 1 ? route.fulfill({ response: answer }) : route.abort('connectionreset')
    })
    const file = { name, mimeType: 'text/csv', buffer: Buffer.from('a,b\r\n1,2\r\n') }
    await pane(page).locator('input[type=file]').setInputFiles([file])
    await pane(page).getByRole('listitem').filter({ hasText: name }).getByRole('button', { name: 'Try again' }).click()
    await expect(pane(page).getByRole('button', { name: `Remove ${name}` })).toHaveCount(1)
    await expect.poll(() => answers.length).toBe(2)
    expect(answers[1]).toBe(answers[0])
  })

  test('a request sent before a reload isn’t made a second time', async ({ page }) => {
    const name = fresh('Reloaded')
    // Before the page opens: on a busy machine, a page that is open learns of a route a moment later.
    let left = 0
    const arrived = Promise.withResolvers<void>()
    await page.route('**/v3/portal/projects/request', async (route) => {
      if (left++) return route.continue()
      // The write arrives, and the page is gone before the response.
      await route.fetch()
      arrived.resolve()
    })
    await open(page, 'newSurveyRequest')
    const form = pane(page)
    await pickIn(form.getByLabel('Client *', { exact: true }), { index: 1 })
    for (const [label, text] of [
      ['Project name *', name],
      ['Goal *', '400'],
      ['Start date *', '12/01/2026'],
      ['Survey URL', 'https://survey.example/coffee'],
    ] as const) {
      await form.getByLabel(label, { exact: true }).focus()
      await page.keyboard.press('Control+a')
      await page.keyboard.type(text)
    }
    await form.getByRole('group', { name: 'Gender' }).getByRole('checkbox', { name: 'All', exact: true }).check()
    await form.getByRole('radio', { name: /^Yes/ }).check()
    await expect(form).toContainText('7 of 7')
    await press(page, 'form.send')
    await expect.poll(() => left, { message: 'the form is sent' }).toBe(1)
    await arrived.promise
    page.on('dialog', (dialog) => void dialog.accept())
    await page.reload()
    await ready(page)
    await expect(pane(page)).toContainText('Draft restored')
    await pane(page).getByLabel('Project name *', { exact: true }).focus()
    await press(page, 'form.send')
    await press(page, 'form.send')
    // A dialog if the user still waits for it; a notice if the second press came after the response.
    await expect(page.getByRole('dialog', { name: 'Request created' }).or(toast(page, 'Request created'))).toBeVisible()
    expect(await called(page, name)).toHaveLength(1)
  })
})
