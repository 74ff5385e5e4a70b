import type { Page } from '@playwright/test'
import { expect, test } from '../support/e2e.ts'
import { call, cursorRow, list, login, open, palette, pane, projects, toast } from './verbs.ts'

// Keys typed before there is a field for them. Tests are independent: two workers share them.
test.describe.configure({ mode: 'parallel' })
test.beforeEach(({ page }) => login(page))

const PALETTE = /assets\/Palette-.*\.js/
const RUNNER = /assets\/startCommand-.*\.js/

/** Waits until an idle page has preloaded these parts of the code. */
const fetched = (page: Page, ...parts: RegExp[]) =>
  expect
    .poll(async () => {
      const names = await page.evaluate(() => performance.getEntriesByType('resource').map((entry) => entry.name))
      return parts.every((part) => names.some((name) => part.test(name)))
    })
    .toBe(true)

/** Presses keys within one task, faster than anybody can, so that nothing renders in between. */
const atOnce = (page: Page, pressed: readonly string[]) =>
  page.evaluate((pressed) => {
    for (const one of pressed) {
      const key = one.replace('Control+', '')
      ;(document.activeElement ?? document.body).dispatchEvent(
        new KeyboardEvent('keydown', {
          key,
          ctrlKey: key !== one,
          code: /^[a-z]$/i.test(key) ? `Key${key.toUpperCase()}` : '',
          shiftKey: /^[A-Z]$/.test(key),
          bubbles: true,
          cancelable: true,
        }),
      )
    }
  }, pressed)

test('letters right after a command’s keys are its answer, and Enter submits it', async ({ page }) => {
  await open(page, 'allProjects')
  await list(page)
  await fetched(page, PALETTE, RUNNER)
  const before = await cursorRow(page).getAttribute('aria-rowindex')
  await atOnce(page, ['a', 'n', ...'xj Job done', 'Enter'])
  await expect(toast(page, /note/i)).toBeVisible()
  await expect(palette(page)).toHaveCount(0)
  await expect(cursorRow(page)).toHaveAttribute('aria-rowindex', before!)
  await expect(pane(page).getByText('1 selected')).toHaveCount(0)
  const row = (await projects(page))[Number(before) - 2]!
  await open(page, 'project', { id: row.id }, { tab: 'notes' })
  await expect(pane(page).getByText('xj Job done')).toBeVisible()
})

test('Ctrl+Enter continues with what was selected before it, however soon it is pressed', async ({ page }) => {
  const [first, second] = await projects(page)
  await open(page, 'project', { id: first!.id }, { tab: 'specifications' })
  await expect(pane(page).getByRole('heading', { level: 1, name: first!.name })).toBeVisible()
  await fetched(page, PALETTE, RUNNER)
  await atOnce(page, ['c', 'c', ...second!.name, 'Enter', 'Control+Enter'])
  await expect(page).toHaveURL(new RegExp(`project-info/${first!.id}/.*beside=/project-info/${second!.id}/.*linked=1`))
})

/** Makes each look at the clock find the search's time over, as on a busy machine. */
const outOfTime = () => {
  const now = performance.now.bind(performance)
  let more = 0
  performance.now = () => {
    more += 5
    return now() + more
  }
}

test('Enter waits for a search that a busy page has not finished', async ({ page }) => {
  const [first, second] = await projects(page)
  await open(page, 'project', { id: first!.id }, { tab: 'specifications' })
  await expect(pane(page).getByRole('heading', { level: 1, name: first!.name })).toBeVisible()
  await fetched(page, PALETTE, RUNNER)
  await page.evaluate(outOfTime)
  await atOnce(page, ['c', 'c', ...second!.name, 'Enter', 'Control+Enter'])
  await expect(page).toHaveURL(new RegExp(`project-info/${first!.id}/.*beside=/project-info/${second!.id}/.*linked=1`))
})

test('Enter on a name waits for a search that a busy page has not finished', async ({ page }) => {
  const [first, second] = await projects(page)
  // A requested project has an activity of its name, which is the newer record.
  await call(page, 'activity.create', {
    project_id: second!.id,
    name: second!.name,
    about: 'Answer ten questions.',
    activity_type: 'survey',
  })
  await open(page, 'project', { id: first!.id }, { tab: 'specifications' })
  await expect(pane(page).getByRole('heading', { level: 1, name: first!.name })).toBeVisible()
  await fetched(page, PALETTE, RUNNER)
  await page.evaluate(outOfTime)
  await atOnce(page, ['Control+k', ...second!.name, 'Enter'])
  await expect(page).toHaveURL(new RegExp(`project-info/${second!.id}`))
})
