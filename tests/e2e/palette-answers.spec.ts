import type { Page } from '@playwright/test'
import { expect, test } from '../support/e2e.ts'
import {
  call,
  drawn,
  field,
  keys,
  login,
  noticed,
  open,
  palette,
  pane,
  projects,
  read,
  review,
  rows,
  run,
  search,
  select,
  selected,
} from './verbs.ts'

// How questions are answered, and how answers are shown.
test.describe.configure({ mode: 'parallel' })
test.beforeEach(({ page }) => login(page))

/** Selects a line of the review with Tab and the arrow keys. */
const line = (page: Page, name: string) => palette(page).locator(`[data-row="${name}"]`)

test('somebody else’s concurrent change returns to the question, with theirs beside what was typed', async ({ page }) => {
  const { data } = await call(page, 'client.create', { name: `Stale Client ${Date.now()}` })
  await open(page, 'client', { id: data.id }, { tab: 'details' })
  await expect(pane(page).getByRole('heading', { name: data.name })).toBeVisible()
  await search(page, '>rename')
  await select(page, rows(page, 'client.edit'))
  await page.keyboard.press('Enter')
  await expect(field(page)).toHaveValue(data.name)
  await call(page, 'client.edit', { id: data.id, name: 'Theirs' })
  await field(page).fill('Mine')
  await page.keyboard.press('Enter')
  await expect(palette(page).getByRole('alert')).toContainText('changed by someone else')
  await expect(palette(page).getByLabel('Their version')).toContainText('Theirs')
  await expect(field(page)).toHaveValue('Mine')
  await noticed(page)
  await page.keyboard.press('Enter')
  await expect(palette(page).getByLabel('Their version')).toContainText('Theirs')
  await review(page, 'Theirs')
  await expect.poll(async () => (await call(page, 'client.get', { id: data.id })).data.name).toBe('Mine')
})

test('several options are selected with Space, by number or all, and counted, and lead where they say', async ({ page }) => {
  const [project] = await projects(page)
  await open(page, 'project', { id: project!.id }, { tab: 'specifications' })
  await expect(pane(page).getByRole('heading', { name: project!.name })).toBeVisible()
  await run(page, 'project.narrow')
  await expect(field(page)).toHaveAttribute('aria-label', 'Ages')
  const checked = palette(page).locator('[role=option][aria-checked=true]')
  await keys(page, 'Control+a')
  await expect(line(page, 'done')).toContainText('Continue with all')
  await keys(page, 'Control+a')
  await expect(checked).toHaveCount(0)
  // After letters a Space is a blank, after an arrow it selects; each one goes on to the next.
  await page.keyboard.type('25 to')
  await expect(field(page)).toHaveValue('25 to')
  await keys(page, 'ArrowDown ArrowUp Space')
  await expect(checked).toHaveText([/25 to 34/])
  await keys(page, 'Home Space Space Space')
  await expect(checked).toHaveText([/13 to 17/, /18 to 24/])
  await keys(page, 'Home Space')
  await expect(checked).toHaveText([/18 to 24/])
  await keys(page, 'ArrowDown ArrowDown Space')
  await expect(checked).toHaveText([/18 to 24/, /25 to 34/])
  await expect(line(page, 'done')).toContainText('Continue with 2')
  await page.keyboard.press('Enter')
  await expect(palette(page).locator('[data-pill]')).toHaveText(['18 to 24, 25 to 34'])
  await page.keyboard.type('2')
  await expect(selected(page)).toContainText('Select the first 2')
  await keys(page, 'Enter')
  await expect(checked).toHaveText([/Female/, /Male/])
  await keys(page, 'Control+a Control+a')
  await expect(checked).toHaveCount(0)
  await page.keyboard.type('fem')
  await page.keyboard.press('Enter')
  await expect(selected(page)).toHaveAttribute('data-row', 'done')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/dashboard\?age=2,3&gender=female/)
})

test('files are an answer, and one of a wrong type is refused before it is sent', async ({ page }) => {
  const project = (await projects(page))[2]!
  await open(page, 'project', { id: project.id }, { tab: 'specifications' })
  await expect(pane(page).getByRole('heading', { name: project.name })).toBeVisible()
  // Awaited first: until the browser expects it, a real file chooser opens.
  const chooser = page.waitForEvent('filechooser')
  await run(page, 'project.addAsset')
  const choose = palette(page).locator('input[type=file]')
  await expect(choose).toHaveCount(1)
  await choose.setInputFiles({ name: 'run.exe', mimeType: 'application/octet-stream', buffer: Buffer.from('MZ') })
  await expect(palette(page).getByRole('alert')).toContainText('run.exe')
  await expect(palette(page)).toContainText(/pdf.*below 10 MB each/)
  await expect(field(page)).toBeFocused()
  await drawn(page)
  await page.keyboard.press('Enter')
  await (await chooser).setFiles({ name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('A plan') })
  await expect(palette(page).locator('[data-pill]')).toHaveText(['plan.txt'])
  await page.keyboard.press('Enter')
  await expect
    .poll(async () =>
      (await read<{ data: { original_name: string }[] }>(page, `/v3/portal/projects/${project.id}/assets`)).data.map(
        (one) => one.original_name,
      ),
    )
    .toContain('plan.txt')
})

test('optional questions are skipped, say so, and can still be answered', async ({ page }) => {
  const [project] = await projects(page)
  await open(page, 'project', { id: project!.id }, { tab: 'specifications' })
  await expect(pane(page).getByRole('heading', { name: project!.name })).toBeVisible()
  await run(page, 'project.narrow')
  await page.keyboard.press('Control+Enter')
  const pills = palette(page).locator('[data-pill]')
  await expect(pills).toHaveText(['left empty'])
  await page.keyboard.press('Backspace')
  await expect(field(page)).toHaveAttribute('aria-label', 'Ages')
  await keys(page, 'ArrowDown Space')
  await page.keyboard.press('Control+Enter')
  await expect(pills).toHaveText(['18 to 24'])
  await page.keyboard.press('Control+Enter')
  await expect(page).toHaveURL(/dashboard\?age=2$/)
})
