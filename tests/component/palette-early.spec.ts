import type { Page } from '@playwright/test'
import { cursorRow, drawn, field, keys, list, open, palette, pane, projectFor, selected, toast } from '../e2e/verbs.ts'
import { expect, test } from '../support/component.ts'

// Keys typed before there is a field for them.

/** Holds a part of the code until released. */
async function hold(page: Page, code: RegExp): Promise<() => void> {
  let come = () => {}
  const held = new Promise<void>((resolve) => {
    come = resolve
  })
  await page.route(code, async (route) => {
    await held
    await route.continue()
  })
  return () => come()
}
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

test('letters typed before their field opened are undone by Ctrl+Z, like those typed after', async ({ page }) => {
  const come = await hold(page, RUNNER)
  await open(page, 'allProjects')
  await list(page)
  await page.keyboard.type('/snack')
  await page.keyboard.press('Backspace')
  await page.keyboard.type('kers')
  come()
  const box = pane(page).getByRole('searchbox')
  await expect(box).toHaveValue('snackers')
  await page.keyboard.type(' bar')
  await expect(box).toHaveValue('snackers bar')
  // Browsers undo by steps of their own; what counts is that none of the letters stays.
  await expect
    .poll(async () => {
      await page.keyboard.press('Control+z')
      return box.inputValue()
    })
    .toBe('')
  await expect(toast(page, 'Nothing to undo.')).toHaveCount(0)
})

test('Ctrl+Z pressed before the field opened is for its letters, not for what was written last', { tag: '@quick' }, async ({
  page,
}) => {
  const come = await hold(page, RUNNER)
  await open(page, 'allProjects')
  await list(page)
  await page.keyboard.type('/wrong')
  await page.keyboard.press('Control+z')
  await page.keyboard.type('right')
  come()
  await expect(pane(page).getByRole('searchbox')).toHaveValue('right')
  await expect(toast(page, 'Nothing to undo.')).toHaveCount(0)
})

for (const [what, code] of [
  ['that asks them', PALETTE],
  ['that runs commands', RUNNER],
] as const)
  test(`keys typed early wait for the code ${what}, in order`, async ({ page }) => {
    const come = await hold(page, code)
    await open(page, 'allProjects')
    await list(page)
    await keys(page, 'a n')
    await page.keyboard.type('Jxj x*e')
    await page.keyboard.press('Backspace')
    await page.keyboard.type('!')
    await drawn(page)
    await expect(cursorRow(page)).toHaveAttribute('aria-rowindex', '2')
    come()
    await expect(field(page)).toHaveValue('Jxj x*!')
    await expect(field(page)).toBeFocused()
    await page.keyboard.type('?')
    await expect(field(page)).toHaveValue('Jxj x*!?')
  })

test('a click discards a command whose code is still loading, and what was typed for it', async ({ page }) => {
  const come = await hold(page, RUNNER)
  await open(page, 'allProjects')
  await list(page)
  await keys(page, 'a n')
  await page.keyboard.type('words')
  await pane(page).getByRole('columnheader').nth(1).click()
  await expect(toast(page, /words/)).toBeVisible()
  come()
  await fetched(page, RUNNER)
  await drawn(page)
  await expect(palette(page)).toHaveCount(0)
  await keys(page, 'j')
  await expect(palette(page)).toHaveCount(0)
})

test('editing keys wait with the text: select all, a word back, the caret', async ({ page }) => {
  const come = await hold(page, PALETTE)
  await open(page, 'allProjects')
  await list(page)
  await keys(page, 'a n')
  await page.keyboard.type('all of this is typed over')
  await page.keyboard.press('Control+a')
  await page.keyboard.type('one two three')
  await page.keyboard.press('Control+Backspace')
  await page.keyboard.press('Home')
  await page.keyboard.press('Delete')
  await page.keyboard.type('O')
  await page.keyboard.press('End')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Shift+ArrowLeft')
  await page.keyboard.type('O')
  come()
  await expect(field(page)).toHaveValue('One twO ')
})

test('text pasted or picked while keys are waiting comes after them', async ({ page }) => {
  const come = await hold(page, PALETTE)
  await open(page, 'allProjects')
  await list(page)
  await keys(page, 'a n')
  const typed = 'so many that they take a while '.repeat(10)
  await page.keyboard.type(typed)
  come()
  await expect(field(page)).toBeFocused()
  // Inserted without key events, like by an emoji picker.
  await page.keyboard.insertText('é👍')
  await page.keyboard.type('!')
  // Each of the keys waits for its frame.
  await expect(field(page)).toHaveValue(`${typed}é👍!`, { timeout: 30_000 })
})

test('Escape before the question appears cancels everything', async ({ page }) => {
  const come = await hold(page, RUNNER)
  await open(page, 'allProjects')
  await list(page)
  await keys(page, 'a n')
  await page.keyboard.type('x')
  await page.keyboard.press('Escape')
  come()
  await fetched(page, RUNNER)
  await drawn(page)
  await expect(palette(page)).toHaveCount(0)
  await keys(page, 'j')
  await expect(cursorRow(page)).toHaveAttribute('aria-rowindex', '3')
})

test('an Enter pressed before the review appears confirms nothing', { tag: '@quick' }, async ({ page }) => {
  const come = await hold(page, PALETTE)
  const project = await projectFor(page, 'project.clone')
  await open(page, 'project', { id: project.id }, { tab: 'specifications' })
  await expect(pane(page).getByRole('heading', { level: 1, name: project.name })).toBeVisible()
  await fetched(page, RUNNER)
  await keys(page, 'p c')
  await page.keyboard.press('Enter')
  come()
  await expect(selected(page)).toHaveAttribute('data-row', 'go')
  await expect(field(page)).toBeFocused()
  // By then the buffered keys have been replayed.
  await drawn(page)
  await expect(selected(page)).toHaveAttribute('data-row', 'go')
})

test('/ and the first letters of a search arrive, however early', async ({ page }) => {
  await open(page, 'allProjects')
  await list(page)
  await atOnce(page, ['/', 'j'])
  await expect(pane(page).getByRole('searchbox')).toBeFocused()
  await expect(cursorRow(page)).toHaveAttribute('aria-rowindex', '2')
})

test('early keys act on what a command will have done, even before its code has loaded', { tag: '@quick' }, async ({ page }) => {
  const come = await hold(page, RUNNER)
  await open(page, 'allProjects')
  await list(page)
  await page.keyboard.type('/jx')
  await drawn(page)
  await expect(cursorRow(page)).toHaveAttribute('aria-rowindex', '2')
  come()
  await expect(pane(page).getByRole('searchbox')).toHaveValue('jx')
  await expect(pane(page).getByRole('searchbox')).toBeFocused()
})

test('a palette opened before its pane knows its record gains the chip, and loses nothing typed', async ({ page }) => {
  const project = await projectFor(page, 'project.pause', 'Active')
  let answer = () => {}
  const held = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route(new RegExp(`/projects/${project.id}(\\?.*)?$`), async (route) => {
    if (route.request().resourceType() === 'document') return route.continue()
    await held
    await route.continue()
  })
  await page.goto(`/dashboard/project-info/${project.id}/specifications`)
  await expect(page.getByRole('main').first()).toBeVisible()
  await page.keyboard.press('Control+k')
  await expect(field(page)).toBeFocused()
  await page.keyboard.type('pause')
  await page.keyboard.press('ArrowDown')
  const row = 'command:project.setStatus'
  await expect(selected(page)).toHaveAttribute('data-row', row)
  await expect(palette(page).locator('[data-chip]')).toHaveCount(0)
  answer()
  await expect(palette(page).locator('[data-chip]')).toContainText(project.name)
  await expect(field(page)).toHaveValue('pause')
  await expect(selected(page)).toHaveAttribute('data-row', row)
  await expect(field(page)).toBeFocused()
  await expect(palette(page).locator('[data-command="project.pause"]')).not.toContainText('asks which')
})

test('keys pressed before a record has loaded act on it once it has', async ({ page }) => {
  const { id } = await projectFor(page, 'project.edit')
  const come = await hold(page, new RegExp(`/projects/${id}(\\?|$)`))
  await page.goto(`/dashboard/project-info/${id}/project-notes`)
  await expect(pane(page)).toBeVisible()
  await fetched(page, RUNNER)
  await page.keyboard.type('anBefore it was read')
  await page.keyboard.press('Enter')
  await expect(palette(page)).toHaveCount(0)
  come()
  await expect(toast(page, /note/i)).toBeVisible()
  await expect(pane(page).getByText('Before it was read')).toBeVisible()
})
