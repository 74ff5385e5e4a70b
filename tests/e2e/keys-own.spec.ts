import type { Page } from '@playwright/test'
import { expect, test } from '../support/e2e.ts'
import { call, keys, login, open } from './verbs.ts'

// Tests are independent: two workers share them.
test.describe.configure({ mode: 'parallel' })
test.beforeEach(({ page }) => login(page))

test.describe('a user’s own shortcuts', () => {
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

  test('are set in Account settings and work at once', async ({ page }) => {
    const dialog = await change(page, 'Clients')
    await keys(page, 'q q')
    await dialog.getByRole('button', { name: 'Use these keys' }).press('Enter')
    await expect(dialog).toBeHidden()
    await page.locator('h1').first().click()
    await keys(page, 'q q')
    await expect(page).toHaveURL(/\/dashboard\/clients$/)
  })
})
