import type { Page } from '@playwright/test'
import { addDays } from '../../contract/pacing.ts'
import { answer, dialog, drawn, keys, open, pane, pickIn, press } from '../e2e/verbs.ts'
import { expect, test } from '../support/component.ts'
import { today } from '../support/today.ts'

/*
 * The forms that add to a project: their messages, drafts and requests. The calls' rules are tested in tests/api.
 */

const us = (day: string) => `${day.slice(5, 7)}/${day.slice(8)}/${day.slice(0, 4)}`
const field = (page: Page, label: string) => pane(page).getByLabel(label, { exact: true })
async function type(page: Page, label: string, text: string): Promise<void> {
  await field(page, label).fill(text)
  await expect(field(page, label)).toHaveValue(text)
}
const faults = (page: Page) => pane(page).locator('[data-faults]')
/** Moves the focus from the field to the pane, where letters are shortcuts. */
async function outOfField(page: Page): Promise<void> {
  await page.keyboard.press('Escape')
  await expect(pane(page).locator('input:focus, textarea:focus')).toHaveCount(0)
}

test.describe('a new note', { tag: '@quick' }, () => {
  test('keeps a draft per project over a reload, until started over', async ({ page, api }) => {
    const [one, other] = api.market.projects
    await open(page, 'newNote', { id: one!.id })
    await type(page, 'Note *', 'Half a thought')
    page.on('dialog', (asked) => void asked.accept())
    await page.reload()
    await expect(field(page, 'Note *')).toHaveValue('Half a thought')
    await expect(pane(page).getByText('Draft restored.')).toBeVisible()
    await pane(page).getByRole('button', { name: 'Start over' }).press('Enter')
    await answer(page, 'Start over')
    await expect(field(page, 'Note *')).toHaveValue('')
    await open(page, 'newNote', { id: other!.id })
    await expect(field(page, 'Note *')).toHaveValue('')
  })

  test('sends what it held when submitted; what is typed while its rules load stays', async ({ page, api }) => {
    await open(page, 'newNote', { id: api.market.projects[0]!.id })
    await type(page, 'Note *', 'First')
    await field(page, 'Note *').press('End')
    // In one task: a busy page validates after the next letters. Types, as a browser does, what no listener took.
    await page.evaluate(() => {
      const pressed = (key: string, ctrlKey = false) =>
        document.activeElement!.dispatchEvent(new KeyboardEvent('keydown', { key, ctrlKey, bubbles: true, cancelable: true }))
      pressed('Enter', true)
      for (const letter of ' and more') if (pressed(letter)) document.execCommand('insertText', false, letter)
    })
    await expect.poll(() => api.writes).toMatchObject([{ id: 'note.create', input: { note: 'First' } }])
    await expect(field(page, 'Note *')).toHaveValue(' and more')
  })
})

test.describe('a new child', { tag: '@quick' }, () => {
  test('ends 7 days after its start; another row is added by a r and removed by Delete', async ({ page, api }) => {
    const [parent] = api.market.projects
    const start = addDays(today(), 40)
    await open(page, 'newChildSurvey', { id: parent!.id })
    await expect(field(page, 'Name *')).toHaveValue(`${parent!.name} Wave 1`)
    await type(page, 'Start date *', us(start))
    await expect(field(page, 'End date')).toHaveValue(us(addDays(start, 7)))
    await type(page, 'Goal', '50')
    await outOfField(page)
    await keys(page, 'a r')
    await expect(field(page, 'Name of child 2')).toBeFocused()
    await expect(field(page, 'Name of child 2')).toHaveValue(`${parent!.name} Wave 2`)
    await expect(field(page, 'Start of child 2')).toHaveValue(us(addDays(start, 8)))
    await outOfField(page)
    await keys(page, 'a r')
    await expect(field(page, 'Name of child 3')).toBeFocused()
    await outOfField(page)
    await keys(page, 'Delete')
    await expect(field(page, 'Name of child 3')).toHaveCount(0)
    await expect(pane(page).getByText('Family total: 300 completes.')).toBeVisible()
    await press(page, 'form.send')
    await expect(await dialog(page, 'Projects Created')).toContainText('Wave 1 and 1 more')
    expect(api.writes).toMatchObject([
      { id: 'project.createChild', input: { project_id: parent!.id, start_dt: start, goal: 50, siblings: [{ goal: 50 }] } },
    ])
  })

  test('Escape leaves the focus on the pane, however the form changes then', async ({ page, api }) => {
    await open(page, 'newChildSurvey', { id: api.market.projects[0]!.id })
    await expect(field(page, 'Name *')).toBeFocused()
    await outOfField(page)
    await pane(page)
      .locator('[data-fill-in]')
      .evaluate((form) => form.append(document.createElement('p')))
    await drawn(page)
    await expect(pane(page)).toBeFocused()
  })

  test('refuses files of other types than the listed ones', async ({ page, api }) => {
    await open(page, 'newChildSurvey', { id: api.market.projects[0]!.id })
    await pane(page)
      .locator('input[type=file]')
      .setInputFiles({ name: 'film.mp4', mimeType: 'video/mp4', buffer: Buffer.from('x') })
    const types = 'jpg, jpeg, png, gif, pdf, doc, docx, txt'
    const words = `Invalid file type.  File must be one of following types ${types}`
    await expect(pane(page).getByText(words)).toBeVisible()
    await press(page, 'form.send')
    await expect(faults(page)).toContainText(words)
  })
})

test.describe('assets', { tag: '@quick' }, () => {
  const pdf = (name: string) => ({ name, mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7\n') })

  test('several files make several rows, with one type for all', async ({ page, api }) => {
    const [project] = api.market.projects
    await open(page, 'addAsset', { id: project!.id })
    await pane(page)
      .locator('input[type=file]')
      .setInputFiles([pdf('brief.pdf'), pdf('list.pdf')])
    await expect(pane(page).getByRole('group', { name: 'Row 2' })).toContainText('list.pdf')
    await expect(pane(page).getByRole('progressbar')).toHaveCount(0)
    await press(page, 'form.send')
    await expect(faults(page)).toContainText('Please choose an asset type')
    await expect(page.locator('[data-spoken]').filter({ hasText: 'Please choose an asset type' })).toHaveCount(1)
    await pickIn(field(page, 'Type of all rows'), 'Creative Assets')
    await expect(faults(page)).toHaveCount(0)
    await press(page, 'form.send')
    await expect(await dialog(page, 'Assets Added')).toContainText('1 more')
    await answer(page, 'OK')
    await expect(page).toHaveURL(/specifications/)
    expect(api.writes.at(-1)).toMatchObject({
      id: 'file.addAssets',
      input: { id: project!.id, assets: [{ asset_type: 'Creative Assets' }, { asset_type: 'Creative Assets' }] },
    })
  })

  test('an extra row needs a file in the one before, and the last row stays', async ({ page, api }) => {
    await open(page, 'addAsset', { id: api.market.projects[0]!.id })
    await expect(pane(page).getByRole('group', { name: 'Row 1' })).toBeVisible()
    await pane(page)
      .getByRole('button', { name: /^Add a row/ })
      .press('Enter')
    await expect(pane(page).getByText('Please select an asset')).toBeVisible()
    await expect(pane(page).getByRole('group', { name: 'Row 2' })).toHaveCount(0)
    await expect(pane(page).getByRole('button', { name: 'Remove row 1' })).toHaveAttribute('aria-disabled', 'true')
  })

  test('a file of another type blocks saving', async ({ page, api }) => {
    await open(page, 'addAsset', { id: api.market.projects[0]!.id })
    await pane(page)
      .locator('input[type=file]')
      .setInputFiles({ name: 'song.mp3', mimeType: 'audio/mp3', buffer: Buffer.from('ID3') })
    await press(page, 'form.send')
    const types = 'mp4, mov, jpg, jpeg, png, gif, pdf, doc, docx, xls, xlsx, csv, txt'
    await expect(faults(page)).toContainText(`Invalid file type.  File must be one of following types ${types}`)
    expect(api.writes).toEqual([])
  })
})

test.describe('a new project', { tag: '@quick' }, () => {
  test('opens with only its own fields, and ends 21 days after its start', async ({ page, api }) => {
    const [client] = api.market.clients
    await open(page, 'newProject', {}, { query: { client: client!.id } })
    await expect(field(page, 'Client *')).toHaveValue(client!.name)
    await press(page, 'form.send')
    for (const words of ['Project Name cannot be blank', 'Project Goal cannot be blank', 'Project Start Date cannot be blank'])
      await expect(faults(page)).toContainText(words)
    await expect(faults(page)).toContainText('Fix 3 errors')
    await type(page, 'Project name *', 'Snack Pulse')
    await type(page, 'Goal *', '100')
    await type(page, 'Start date *', '12/01/2030')
    await expect(field(page, 'End date')).toHaveValue('12/22/2030')
    await press(page, 'form.send')
    await expect(await dialog(page, 'Project Created')).toContainText('Snack Pulse')
    await answer(page, 'OK')
    await expect(page).toHaveURL(/project-info\/\d+\/specifications/)
    expect(api.writes).toMatchObject([{ id: 'project.create', input: { name: 'Snack Pulse', goal: 100, end_dt: '2030-12-22' } }])
  })

  test('with its activity unfolded, requires what the request form requires', async ({ page, api }) => {
    await open(page, 'newProject', {}, { query: { client: api.market.clients[0]!.id } })
    await pane(page).getByRole('button', { name: 'Add an activity with its audience and market' }).press('Enter')
    await press(page, 'form.send')
    for (const words of ['Please choose at least one gender', 'Please upload a File or add a URL to the survey Project'])
      await expect(faults(page)).toContainText(words)
    await pane(page).getByRole('button', { name: 'Leave the activity out' }).press('Enter')
    await expect(faults(page)).not.toContainText('Please choose at least one gender')
  })
})

test.describe('Specifications', { tag: '@quick' }, () => {
  const row = (page: Page, id: string) => pane(page).locator(`[data-row="${id}"]`)
  const cell = (page: Page) => pane(page).locator('[data-inline]').getByRole('textbox')

  test('are edited in place by e and Enter, left by Escape, and refuse a blank name in the form’s words', async ({
    page,
    api,
  }) => {
    const [project] = api.market.projects
    await open(page, 'project', { id: project!.id }, { tab: 'specifications' })
    await expect(row(page, 'name')).toBeFocused()
    await keys(page, 'e')
    await expect(cell(page)).toHaveValue(project!.name)
    await cell(page).fill('')
    await page.keyboard.press('Enter')
    await expect(pane(page).locator('[data-inline]').getByRole('alert')).toHaveText('Project Name cannot be blank')
    await page.keyboard.press('Escape')
    await expect(row(page, 'name')).toContainText(project!.name)
    await expect(row(page, 'name')).toBeFocused()
    await keys(page, 'e')
    await expect(cell(page)).toHaveValue(project!.name)
    await cell(page).fill('Renamed in place')
    await page.keyboard.press('Enter')
    await expect(row(page, 'name')).toContainText('Renamed in place')
    expect(api.writes).toMatchObject([{ id: 'project.edit', input: { id: project!.id, name: 'Renamed in place' } }])
  })
})
