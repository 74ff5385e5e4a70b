import type { Page } from '@playwright/test'
import { cursorRow, list, open, pane } from '../e2e/verbs.ts'
import { expect, test } from '../support/component.ts'

// Keys on a page that is behind: the browser hands it one after another, and its own tasks get no turn in between.

/** Presses a key many times, leaving the page only what it does at once. */
const hold = (page: Page, key: string, times: number) =>
  page.evaluate(
    async ({ key, times }) => {
      for (let nth = 0; nth < times; nth++) {
        const at = document.activeElement!
        at.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
        if (at.matches('input, textarea')) document.execCommand('insertText', false, key)
        for (let steps = 0; steps < 10; steps++) await null
      }
    },
    { key, times },
  )

test('a field gets every letter', async ({ page, api }) => {
  await open(page, 'newNote', { id: api.market.projects[0]!.id })
  const field = pane(page).getByLabel('Note *')
  await expect(field).toBeFocused()
  await hold(page, 'a', 130)
  await expect(field).toHaveValue('a'.repeat(130))
  await expect(pane(page).getByText('Something went wrong')).toHaveCount(0)
})

test('a list’s cursor goes as far as the keys', async ({ page }) => {
  await open(page, 'allProjects')
  await list(page)
  const first = Number(await cursorRow(page).getAttribute('aria-rowindex'))
  await hold(page, 'j', 130)
  await expect(cursorRow(page)).toHaveAttribute('aria-rowindex', String(first + 130))
})
