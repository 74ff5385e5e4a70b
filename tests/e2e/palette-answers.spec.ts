import type { Page } from '@playwright/test'
import { href } from '../../src/routing/routes.ts'
import { expect, test } from '../support/e2e.ts'
import {
  call,
  drawn,
  field,
  goTo,
  keys,
  login,
  named,
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
  toast,
} from './verbs.ts'

// How questions are answered, and what answers say.
test.describe.configure({ mode: 'parallel' })
test.beforeEach(({ page }) => login(page))

/** A line of the review is selected with Tab and the arrow keys. */
const line = (page: Page, name: string) => palette(page).locator(`[data-row="${name}"]`)

test('a change by somebody else comes back to the question, with theirs beside what was typed', async ({ page }) => {
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

test('several options are ticked with Space or x and counted, and lead where they say', async ({ page }) => {
  const [project] = await projects(page)
  await open(page, 'project', { id: project!.id }, { tab: 'specifications' })
  await expect(pane(page).getByRole('heading', { name: project!.name })).toBeVisible()
  await run(page, 'project.narrow')
  await expect(field(page)).toHaveAttribute('aria-label', 'Ages')
  await keys(page, 'ArrowDown Space ArrowDown x')
  await expect(palette(page).locator('[role=option][aria-checked=true]')).toHaveText([/18 to 24/, /25 to 34/])
  await expect(line(page, 'done')).toContainText('Continue with 2')
  await page.keyboard.press('Control+Enter')
  await expect(palette(page).locator('[data-pill]')).toHaveText(['18 to 24, 25 to 34'])
  await page.keyboard.type('fem')
  await page.keyboard.press('Enter')
  await expect(selected(page)).toHaveAttribute('data-row', 'done')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/dashboard\?age=2,3&gender=female/)
})

test('a figure that stands there is replaced by what is typed, a date is typed as people say it, and both are edited as pills', async ({
  page,
}) => {
  const project = (await projects(page)).find((row) => row.cost_cents && row.allowed_actions.includes('project.setCost'))!
  await open(page, 'project', { id: project.id }, { tab: 'specifications' })
  await expect(pane(page).getByRole('heading', { name: project.name })).toBeVisible()
  await run(page, 'project.setCost')
  await expect(field(page)).toHaveValue(/^\d+(\.\d\d)?$/)
  await page.keyboard.type('many')
  await page.keyboard.press('Enter')
  await expect(palette(page).getByRole('alert')).toContainText('must be a number')
  await expect(field(page)).toHaveValue('many')
  await field(page).fill('1.2k')
  await expect(line(page, 'next')).toContainText('$1,200.00')
  await page.keyboard.press('Enter')
  await expect(field(page)).toHaveAttribute('aria-label', 'Valid until')
  await field(page).fill('+7d')
  await expect(line(page, 'next')).toContainText(/\w{3}, \d\d\/\d\d\/\d{4}/)
  await page.keyboard.press('Enter')
  await expect(palette(page)).toContainText('to $1,200.00?')
  await keys(page, 'ArrowLeft')
  await expect(field(page)).toHaveAttribute('aria-label', 'Valid until')
  await keys(page, 'Home ArrowLeft')
  await expect(field(page)).toHaveValue('1200')
  await field(page).fill('1300')
  await page.keyboard.press('Enter')
  await expect(palette(page)).toContainText('to $1,300.00?')
  await expect(palette(page).locator('[data-pill]')).toHaveText(['$1,300.00', /\d\d\/\d\d\/\d{4}/])
})

test('files are an answer, and one of a wrong kind is refused before it is sent', async ({ page }) => {
  const project = (await projects(page))[2]!
  await open(page, 'project', { id: project.id }, { tab: 'specifications' })
  await expect(pane(page).getByRole('heading', { name: project.name })).toBeVisible()
  // Asked for in good time: until the browser has been told so, a chooser opens as for a person.
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

test.describe('a hostile command link', () => {
  for (const [what, query, says] of [
    ['an unknown command', 'do=constructor', /unknown command/],
    ['a mechanic of lists', 'do=list.down', /unknown command/],
    ['records that are not there', 'do=project.pause&on=project:999999', /doesn’t exist, or you don’t have access/],
    ['a kind that it does not take', 'do=project.pause&on=user:1', /doesn’t say what/],
  ] as const)
    test(`with ${what} says so and opens nothing`, async ({ page }) => {
      await goTo(page, `${href('allProjects')}?${query}`)
      await expect(toast(page, says)).toBeVisible()
      await expect(palette(page)).toHaveCount(0)
    })
})

test('a link’s command that is ready late does not open over what somebody has gone on with', async ({ page }) => {
  const project = (await projects(page))[2]!
  let serve = () => {}
  const held = new Promise<void>((resolve) => {
    serve = resolve
  })
  await page.route(`**/v3/portal/projects/${project.id}`, async (route) => {
    await held
    await route.continue()
  })
  await page.goto(`${href('project', { id: project.id }, { tab: 'specifications' })}?do=project.clone`)
  await expect(page.locator('[data-column]').first()).toBeVisible()
  await page.keyboard.press('Control+k')
  await expect(field(page)).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(palette(page)).toHaveCount(0)
  serve()
  await expect(toast(page, /command from this link is ready/)).toBeVisible()
  await expect(palette(page)).toHaveCount(0)
  await toast(page, /command from this link is ready/)
    .getByRole('button', { name: 'Open' })
    .press('Enter')
  await expect(palette(page)).toContainText('Clone')
})

test('names that arrive late go where they belong and leave the selection where it was', async ({ page }) => {
  const project = (await projects(page)).find(({ name }) => /^[A-Z]/.test(name))!
  let serve = () => {}
  const held = new Promise<void>((resolve) => {
    serve = resolve
  })
  await page.route('**/palette/index**', async (route) => {
    await held
    await route.continue()
  })
  await open(page, 'clients')
  const word = project.name.split(' ')[0]!.slice(0, 1).toLowerCase()
  await search(page, word)
  await named(page)
  const first = await selected(page).getAttribute('data-row')
  serve()
  await expect(palette(page).locator('[data-row^="entity:"]').first()).toBeVisible()
  await expect(selected(page)).toHaveAttribute('data-row', first!)
  await named(page)
})

test('questions that may stay empty are passed over, say so, and can be answered after all', async ({ page }) => {
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
