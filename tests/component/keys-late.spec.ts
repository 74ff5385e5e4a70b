import type { Page } from '@playwright/test'
import { cursorRow, keys, list, noticed, open, palette, pane, projectFor, projects, review, run, toast } from '../e2e/verbs.ts'
import { expect, test } from '../support/component.ts'

// Whatever finishes late takes neither keys nor focus.

/** Holds an address's responses until released. */
async function hold(page: Page, address: RegExp): Promise<() => void> {
  let come = () => {}
  const held = new Promise<void>((resolve) => {
    come = resolve
  })
  await page.route(address, async (route) => {
    if (route.request().method() === 'GET') return route.continue()
    await held
    await route.continue()
  })
  return () => come()
}

test('a command that reaches people outside waits eight seconds', { tag: '@quick' }, async ({ page }) => {
  const project = await projectFor(page, 'project.goLive', 'Approved')
  await page.clock.install()
  await open(page, 'project', { id: project.id }, { tab: 'specifications' })
  await expect(pane(page).getByRole('heading', { level: 1, name: project.name })).toBeVisible()
  await keys(page, 'g l')
  await review(page, 'It starts in 8 seconds')
  await expect(toast(page, 'Go live')).toContainText(/in [5-8] s/)
  await page.clock.runFor(3000)
  await toast(page, 'Go live').getByRole('button', { name: 'Undo' }).click()
  await expect(toast(page, 'Undone: Go live')).toBeVisible()
})

test('success is a dialog for a user who waits for it, and a notice for one who went on typing', { tag: '@quick' }, async ({
  page,
}) => {
  await open(page, 'newClient')
  const name = pane(page).getByLabel(/Client name/)
  await expect(name).toBeFocused()
  await page.keyboard.type('Who waits')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toContainText('“Who waits” has no users yet')
  await noticed(page)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/dashboard\/clients/)

  await open(page, 'newClient')
  await expect(name).toBeFocused()
  const come = await hold(page, /portal\/clients/)
  await page.keyboard.type('Who goes on')
  await page.keyboard.press('Enter')
  await page.keyboard.type('And the next')
  come()
  await expect(toast(page, 'Who goes on').getByRole('button', { name: 'Open' })).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(name).toHaveValue('And the next')
  await expect(name).toBeFocused()
})

test('a success dialog gives way to a key pressed as it opens, and Enter confirms nothing before it could be seen', {
  tag: '@quick',
}, async ({ page }) => {
  // Keeps the 400 ms from passing after which somebody could have seen it, however slow the machine.
  await page.addInitScript(() => {
    const after = window.setTimeout
    const lasting = (run: () => void, ms?: number) => after(run, ms === 400 ? 60_000 : ms)
    window.setTimeout = lasting as typeof window.setTimeout
  })
  await open(page, 'newClient')
  const name = pane(page).getByLabel(/Client name/)
  await expect(name).toBeFocused()
  await page.keyboard.type('As quick as that')
  await page.keyboard.press('Enter')
  await expect(page.locator('[role=dialog] :focus')).toHaveCount(1)
  await page.keyboard.press('Enter')
  await page.keyboard.type('Next')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(toast(page, 'As quick as that').getByRole('button', { name: 'Open' })).toBeVisible()
  await expect(name).toHaveValue('Next')
})

test('questions the server refused return to a user who waits, and are a notice for one who went on', { tag: '@quick' }, async ({
  page,
}) => {
  const project = (await projects(page)).find((row) => row.stored_status === 'submit_approval')!
  await open(page, 'project', { id: project.id }, { tab: 'specifications' })
  await expect(pane(page).getByRole('heading', { level: 1, name: project.name })).toBeVisible()
  let come = () => {}
  const held = new Promise<void>((resolve) => {
    come = resolve
  })
  await page.route(/projects_cost\//, async (route) => {
    if (route.request().method() === 'GET') return route.continue()
    await held
    await route.fulfill({
      status: 422,
      json: { message: 'The cost is too small', code: 'invalid', fields: { cost_cents: 'The cost is too small' } },
    })
  })
  await run(page, 'project.setCost', '12', '+9d')
  await review(page, 'You can change it until it is sent')
  await expect(palette(page)).toHaveCount(0)
  await keys(page, 'g p')
  await list(page)
  come()
  await expect(toast(page, 'The cost is too small').getByRole('button', { name: 'Open' })).toBeVisible()
  await expect(palette(page)).toHaveCount(0)
  await keys(page, 'j')
  await expect(cursorRow(page)).toHaveAttribute('aria-rowindex', '3')
})

test('what a finished command opens, opens in the background for a user who went on', { tag: '@quick' }, async ({ page }) => {
  const project = await projectFor(page, 'project.clone')
  await open(page, 'project', { id: project.id }, { tab: 'specifications' })
  await expect(pane(page).getByRole('heading', { level: 1, name: project.name })).toBeVisible()
  const come = await hold(page, /surveys\/clone/)
  await keys(page, 'p c')
  await review(page, 'Clone Project. Are you sure?')
  await keys(page, 'g p')
  await list(page)
  await keys(page, 'j j')
  come()
  await expect(toast(page, 'Cloned as').getByRole('button', { name: 'Open' })).toBeVisible()
  await keys(page, 'j')
  await expect(page).toHaveURL(/all-projects/)
  // The copy is listed above it.
  await expect(cursorRow(page)).toHaveAttribute('aria-rowindex', '6')
})

test('g p returns to the list where it was left, past its first page too, and replaces nothing', async ({ page }) => {
  await open(page, 'allProjects')
  await list(page)
  await page.keyboard.type('j'.repeat(15))
  await expect(page).toHaveURL(/page=2/)
  const row = '17'
  await expect(cursorRow(page)).toHaveAttribute('aria-rowindex', row)
  await keys(page, 'Enter')
  await expect(page).toHaveURL(/project-info/)
  await keys(page, 'g p')
  await expect(page).toHaveURL(/all-projects\?page=2/)
  await expect(cursorRow(page)).toHaveAttribute('aria-rowindex', row)
  await expect(page.getByRole('tab', { name: /All projects/ })).toHaveCount(1)
  await expect(page.locator('[data-column] [role=tab][id^=tab-p]')).toHaveCount(2)
})

test('g p returns to a searched and filtered list too', async ({ page }) => {
  await open(page, 'allProjects', {}, { query: { search: 'a', page: 2 } })
  await list(page)
  await keys(page, 'g c')
  await expect(page).toHaveURL(/clients/)
  await keys(page, 'g p')
  await expect(page).toHaveURL(/all-projects\?search=a/)
  await expect(page.getByRole('tab', { name: /All projects/ })).toHaveCount(1)
})
