import type { Page } from '@playwright/test'
import { call, cursorRow, field, keys, list, open, palette, press, ready, seen, toast } from '../e2e/verbs.ts'
import { expect, test } from '../support/component.ts'

/** A notice that appears from here on comes after all earlier ones. */
async function somethingSaid(page: Page) {
  await press(page, 'command.undo')
  await expect(toast(page, 'Nothing to undo.')).toBeVisible()
}

test.describe('a user’s own shortcuts', { tag: '@quick' }, () => {
  test.afterEach(({ page }) =>
    call(page, 'account.edit', { preferences: { keys: {}, single_keys: true } } as never).then(() => undefined),
  )

  /** The dialog for changing a command's shortcut. */
  async function change(page: Page, title: string) {
    await open(page, 'account')
    await page.getByRole('searchbox', { name: 'Search commands' }).fill(title)
    await page.getByRole('button', { name: `Change the keys of ${title}`, exact: true }).press('Enter')
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByLabel('Press the keys')).toBeFocused()
    return dialog
  }

  test('replace the default ones', async ({ page }) => {
    await call(page, 'account.edit', { preferences: { keys: { 'go.clients': 'q q' } } } as never)
    await open(page, 'allProjects')
    await keys(page, 'g c')
    await expect(toast(page, 'it is on q q now')).toBeVisible()
    await somethingSaid(page)
    await expect(page).toHaveURL(/all-projects$/)
  })

  test('say what they conflict with before they are saved', async ({ page }) => {
    const dialog = await change(page, 'Clients')
    await keys(page, 'g u')
    await expect(dialog.getByRole('status')).toContainText('Conflicts with')
    await expect(dialog.getByRole('button', { name: 'Use them anyway' })).toBeVisible()
  })

  test('can’t be those that always open the palette', async ({ page }) => {
    const dialog = await change(page, 'Clients')
    await page.keyboard.press('Control+k')
    await expect(dialog.getByRole('status').or(page.locator('[data-palette]'))).toContainText(
      /always opens the palette|Search or run/,
    )
  })

  test('single letters can be turned off, and Ctrl+K still works', async ({ page }) => {
    await call(page, 'account.edit', { preferences: { single_keys: false } } as never)
    await open(page, 'allProjects')
    await keys(page, 'g c')
    await somethingSaid(page)
    await expect(page).toHaveURL(/all-projects$/)
    await page.keyboard.press('Control+k')
    await expect(field(page)).toBeFocused()
  })
})

test('use ⌘ on a Mac, where Ctrl is left to the caret', async ({ page }) => {
  await page.addInitScript(() => Object.defineProperty(navigator, 'platform', { get: () => 'MacIntel' }))
  await open(page, 'allProjects')
  await list(page)
  await expect(page.getByRole('button', { name: /^Search or run a command/ })).toContainText('⌘K')
  await page.keyboard.press('Control+k')
  // The next key goes to the list, not to an opening palette.
  await keys(page, 'j')
  await expect(cursorRow(page)).toHaveAttribute('aria-rowindex', '3')
  await expect(palette(page)).toHaveCount(0)
  await page.keyboard.press('Meta+k')
  await expect(field(page)).toBeFocused()
})

test('a shortcut is mentioned once after a mouse action', { tag: '@quick' }, async ({ page }) => {
  await open(page, 'clients')
  for (const times of [1, 0]) {
    await press(page, 'go.allProjects')
    await expect(page).toHaveURL(/all-projects/)
    await page.getByTitle('Close', { exact: true }).last().click()
    await expect(page).toHaveURL(/clients$/)
    await somethingSaid(page)
    await expect(toast(page, 'Shortcut for “Close tab”: Alt+W')).toHaveCount(times)
    await seen(page)
  }
})

test('a shortcut is mentioned once after its command was run from the palette', async ({ page }) => {
  await open(page, 'allProjects')
  for (const times of [1, 0]) {
    await page.keyboard.press('Control+k')
    await page.keyboard.type('/partn')
    await expect(page.locator('[data-palette] [role=option][aria-selected=true]')).toContainText('Partners')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/partners/)
    await ready(page)
    await somethingSaid(page)
    await expect(toast(page, /^Shortcut for/)).toHaveCount(times)
    await seen(page)
  }
})

test.describe('on a phone', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } })
  test('no shortcut is mentioned', async ({ page }) => {
    await open(page, 'allProjects')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('/partn')
    await expect(page.locator('[data-palette] [role=option][aria-selected=true]')).toContainText('Partners')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/partners/)
    await ready(page)
    await somethingSaid(page)
    await expect(toast(page, /^Shortcut for/)).toHaveCount(0)
  })
})
