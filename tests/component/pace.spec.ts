import type { Page } from '@playwright/test'
import { cursorRow, field, list, open, pane, search, selected } from '../e2e/verbs.ts'
import { expect, test } from '../support/component.ts'

// Keys on a page that is behind: the browser hands it one after another, and its own tasks get no turn in between.

/** Presses a key many times, leaving the page only what it does at once. */
const hold = (page: Page, key: string, times: number) =>
  page.evaluate(
    async ({ key, times }) => {
      for (let nth = 0; nth < times; nth++) {
        const at = document.activeElement!
        at.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
        if (key.length === 1 && at.matches('input, textarea')) document.execCommand('insertText', false, key)
        for (let steps = 0; steps < 10; steps++) await null
      }
    },
    { key, times },
  )

/** What the page could not do. */
const errors: string[] = []
test.beforeEach(({ page }) => {
  errors.length = 0
  page.on('pageerror', (error) => errors.push(String(error)))
})
test.afterEach(() => expect(errors).toEqual([]))

test('a field gets every letter', async ({ page, api }) => {
  await open(page, 'newNote', { id: api.market.projects[0]!.id })
  const note = pane(page).getByLabel('Note *')
  await expect(note).toBeFocused()
  await hold(page, 'a', 130)
  await expect(note).toHaveValue('a'.repeat(130))
})

test('a list’s cursor goes as far as the keys', async ({ page }) => {
  await open(page, 'allProjects')
  await list(page)
  const first = Number(await cursorRow(page).getAttribute('aria-rowindex'))
  for (const key of ['j', 'k', 'j', 'k', 'j', 'k', 'j']) await hold(page, key, 20)
  await expect(cursorRow(page)).toHaveAttribute('aria-rowindex', String(first + 20))
})

test('the palette gets every letter and every arrow', async ({ page }) => {
  await open(page, 'allProjects')
  await search(page)
  const first = await selected(page).getAttribute('data-row')
  for (const key of ['ArrowDown', 'ArrowUp', 'ArrowDown', 'ArrowUp']) await hold(page, key, 30)
  await expect(selected(page)).toHaveAttribute('data-row', first!)
  await hold(page, 'a', 130)
  await expect(field(page)).toHaveValue('a'.repeat(130))
})
