import type { Locator } from '@playwright/test'
import { expect, test } from '../support/e2e.ts'
import { call, dialog, list, login, open, palette, pane, press, run, toast } from './verbs.ts'

test.beforeEach(({ page }) => login(page, 'admin'))

/** True if a pointer could reach its center: inside the window, and neither covered nor cut off. Doesn't scroll. */
const reached = (one: Locator): Promise<boolean> =>
  one.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect()
    const hit = document.elementFromPoint(left + width / 2, top + height / 2)
    return hit !== null && (hit === element || element.contains(hit))
  })

test('a choice that opens below a dialog’s field is not cut by the dialog', async ({ page }) => {
  await open(page, 'client', { id: 101 }, { tab: 'users' })
  await list(page)
  await pane(page)
    .getByRole('button', { name: /Add users/ })
    .first()
    .click()
  const form = await dialog(page)
  await form.getByRole('combobox').fill('a')
  await expect(form.getByRole('option')).toHaveCount(8)
  await expect.poll(() => reached(form.getByRole('option').nth(5))).toBe(true)
})

test.describe('at 400 % zoom', () => {
  test.use({ viewport: { width: 320, height: 256 } })

  test('a notice waits behind the palette', async ({ page }) => {
    await open(page, 'clients')
    await list(page)
    await run(page, 'theme.light')
    await run(page, 'theme.system')
    await press(page, 'command.undo')
    await expect(toast(page, 'Undone: Change the theme')).toBeVisible()
    await run(page, 'command.undoList')
    await expect(palette(page).getByRole('option').first()).toBeVisible()
    expect(await reached(toast(page, 'Undone: Change the theme'))).toBe(false)
    // Other tests sign in as the same administrator and expect the system theme.
    await call(page, 'account.edit', { preferences: { theme: 'system' } })
  })
})
