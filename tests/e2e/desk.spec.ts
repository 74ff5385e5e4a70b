import type { Page } from '@playwright/test'
import { addDays } from '../../contract/pacing.ts'
import { keymap } from '../../src/commands/keymap.ts'
import { expect, test } from '../support/e2e.ts'
import { today } from '../support/today.ts'
import { call, cursorRow, field, keys, list, login, open, palette, pane, press, projects, toast } from './verbs.ts'

// The desk by keyboard: its lines, the keys that settle them, and the keys that don't reach them.

test.beforeEach(({ page }) => login(page))

/** Opens the desk with its lines. */
async function desk(page: Page): Promise<void> {
  await open(page, 'allProjects')
  await list(page)
  await keys(page, 'g d')
  await expect(pane(page).getByRole('heading', { level: 1, name: 'Desk' })).toBeVisible()
  await list(page)
}
/** A new project that nobody is invited to, and its row. */
async function request(page: Page) {
  const [first] = await projects(page)
  const { client_id } = first!
  const name = `Desk request ${Date.now()}`
  const { data } = await call(page, 'project.create', {
    name,
    client_id,
    goal: 900_000,
    start_dt: today(),
    end_dt: addDays(today(), 20),
    survey_url: 'https://survey.test/oats',
  })
  return data
}
const lineOf = (page: Page, name: string) => pane(page).getByRole('row', { name: new RegExp(name) })

test('g d opens the desk, whose number is in the sidebar, the page’s title and the palette @quick', async ({ page }) => {
  await desk(page)
  const { open: count } = (await call(page, 'desk.count')).data
  expect(count).toBeGreaterThan(0)
  await expect(page).toHaveTitle(new RegExp(`^\\(${count}\\) Desk`))
  await expect(page.locator('#sidebar').getByRole('link', { name: new RegExp(`Desk ${count}`) })).toBeVisible()
  await keys(page, 'Mod+k')
  await field(page).fill('needs me')
  await expect(palette(page).getByRole('option').first()).toContainText(`Desk · ${count} need you`)
})

test('a line comes and goes with its cause, and its command starts by Enter and by !', async ({ page }) => {
  await desk(page)
  const { id, name } = await request(page)
  await expect(lineOf(page, name)).toContainText('Request without partners')
  // It is the most valuable one.
  await keys(page, 'g g')
  await expect(cursorRow(page)).toContainText(name)
  for (const key of ['Enter', '!']) {
    await keys(page, key)
    await expect(palette(page)).toContainText('Invite partners')
    await expect(palette(page)).toContainText(name)
    await keys(page, 'Escape')
    if (await palette(page).isVisible()) await keys(page, 'Escape')
    await expect(palette(page)).toBeHidden()
  }
  await call(page, 'project.reject', { project_id: id, status: 'Rejected', reason: 'No budget' })
  await expect(lineOf(page, name)).toHaveCount(0)
})

test('m a acknowledges a line, which an undo opens again', async ({ page }) => {
  await desk(page)
  const { name } = await request(page)
  await expect(lineOf(page, name)).toBeVisible()
  await keys(page, 'g g')
  await expect(cursorRow(page)).toContainText(name)
  await press(page, 'desk.acknowledge', 'desk')
  await expect(toast(page, '1 line acknowledged.')).toBeVisible()
  await expect(lineOf(page, name)).toHaveCount(0)
  await keys(page, 'Mod+z')
  await expect(lineOf(page, name)).toBeVisible()
})

test('no key of a record or of another list does anything on a line', async ({ page }) => {
  await desk(page)
  await request(page)
  const writes: string[] = []
  page.on('request', (one) => one.method() !== 'GET' && writes.push(one.url()))
  const mine = [keymap.app, keymap.pane, keymap.list, keymap.entries, keymap.desk].flatMap((context) => Object.keys(context))
  const others = new Set(
    Object.entries(keymap)
      .filter(([context]) => !['app', 'pane', 'list', 'entries', 'desk'].includes(context))
      .flatMap(([, bindings]) => Object.keys(bindings))
      // What begins with a key of the list or the app does that instead.
      .filter((key) => !mine.some((own) => own === key || key.startsWith(`${own} `))),
  )
  expect(others.size).toBeGreaterThan(60)
  for (const key of others) {
    await keys(page, key)
    // One may close a notice; none leaves a key pending that the next one would complete.
    await keys(page, 'Escape Escape')
    await expect(palette(page), key).toBeHidden()
    await expect(page.getByRole('dialog'), key).toHaveCount(0)
    expect(new URL(page.url()).pathname, key).toBe('/dashboard/desk')
  }
  expect(writes).toEqual([])
})
