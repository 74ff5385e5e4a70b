import type { Page } from '@playwright/test'
import { href } from '../../src/routing/routes.ts'
import { chip } from '../e2e/at-palette.ts'
import {
  call,
  clipboard,
  drawn,
  field,
  goTo,
  keys,
  list,
  open,
  palette,
  pane,
  press,
  projects,
  review,
  run,
  selected,
  toast,
} from '../e2e/verbs.ts'
import { expect, test } from '../support/component.ts'

// Actions on many records at once.
test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

const names = (page: Page) => page.locator('[data-names] li')
const REASON = 'The quota is under review'

/** Selects all projects, some of which can't be paused; returns those that can. */
async function selectAll(page: Page) {
  const { data: all, count } = await call(page, 'project.list', { per_page: 200 })
  const able = all.filter((row) => row.allowed_actions.includes('project.pause'))
  await open(page, 'allProjects')
  await list(page)
  await press(page, 'list.markAll', 'list')
  await expect(pane(page)).toContainText(`${count} selected`)
  return able
}
/** Selects a line of the review with Tab and the arrow keys. */
const line = (page: Page, name: string) => palette(page).locator(`[data-row="${name}"]`)

test('for selected rows a dry run first says how many can be changed, and which can’t and why', { tag: '@quick' }, async ({
  page,
}) => {
  await selectAll(page)
  await run(page, 'project.pause', REASON)
  await expect(palette(page)).toContainText(/\d+ of \d+ can be done; \d+ skipped: /)
  await expect(chip(page)).toContainText(/^\d+ of \d+ projects$/)
  await expect(selected(page)).toHaveAttribute('data-row', 'go')
  await page.keyboard.press('Tab')
  await expect(selected(page)).toHaveAttribute('data-row', 'left')
  await expect(names(page).first()).toContainText(/it is \w+, not active|is over/)
  // However many there are, the page renders few.
  expect(await names(page).count()).toBeLessThan(30)
  await page.keyboard.press('Tab')
  await expect(line(page, 'look')).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Escape')
  for (let at = 0; at < 5 && (await palette(page).isVisible()); at++) await page.keyboard.press('Escape')
  expect((await projects(page, 'Active')).length).toBeGreaterThan(0)
})

test('a dry run skips records that the answers exclude, and for a single one says so at the answer', async ({ page }) => {
  await selectAll(page)
  const paused = (await projects(page, 'Paused')).length
  await run(page, 'project.setStatus', 'Paused', REASON)
  await expect(palette(page)).toContainText(/\d+ skipped: .*it is already paused/)
  await page.keyboard.press('Tab')
  await expect(names(page).filter({ hasText: 'it is already paused' })).toHaveCount(paused)
  for (let at = 0; at < 5 && (await palette(page).isVisible()); at++) await page.keyboard.press('Escape')
  await goTo(page, '/dashboard/all-projects?status=Paused')
  const first = await list(page)
  await expect(first).toContainText('Paused')
  await run(page, 'project.setStatus', 'Paused')
  await expect(palette(page).getByRole('alert')).toContainText('it is already paused')
  await expect(selected(page)).toContainText('Paused')
})

test('a long bulk command shows its progress, and stops between two records when cancelled', async ({ page }) => {
  const all = (await projects(page)).slice(0, 9)
  await open(page, 'allProjects')
  await list(page)
  await keys(page, `${'x j '.repeat(8)}x`)
  await expect(pane(page)).toContainText('9 selected')
  let sent = 0
  let goOn = () => {}
  const held = new Promise<void>((resolve) => {
    goOn = resolve
  })
  await page.route('**/v3/portal/projects/note', async (route) => {
    sent++
    await held
    await route.continue()
  })
  await run(page, 'note.create', 'Seen')
  await review(page, 'Add this note to 9 projects?')
  await expect(palette(page)).toBeHidden()
  const cancel = page.getByRole('button', { name: 'Cancel: Add note' })
  await expect(cancel).toBeVisible()
  await cancel.click()
  goOn()
  await expect(toast(page, /^Stopped: \d of 9 projects (has|have) your note/)).toBeVisible()
  expect(sent).toBeLessThan(all.length)
})

test('a link to a bulk command fills in its records, and runs nothing', async ({ page }) => {
  const able = (await projects(page, 'Active')).filter((row) => row.allowed_actions.includes('project.pause')).slice(0, 2)
  await goTo(page, `${href('allProjects')}?do=project.pause&on=project:${able.map(({ id }) => id)}&reason=Hidden`)
  await expect(chip(page)).toContainText('2 projects')
  // A link's text is shown for review, not skipped.
  await expect(field(page)).toHaveValue('Hidden')
  await expect(field(page)).toBeFocused()
  await drawn(page)
  await page.keyboard.press('Enter')
  await review(page, 'Pause 2 projects?')
  await expect(toast(page, '2 projects are paused')).toBeVisible()
  await press(page, 'copy.command')
  await expect(toast(page, /^Copied/)).toBeVisible()
  const link = new URL(await clipboard(page))
  expect(link.search).toContain(`do=project.pause&on=project:${able.map(({ id }) => id)}`)
  expect(link.search).not.toContain('Hidden')
  await press(page, 'command.undo')
  await expect(toast(page, /^Undone/)).toBeVisible()
})
