import type { Locator } from '@playwright/test'
import { expect, test } from '../support/e2e.ts'
import { call, dialog, keys, list, login, open, palette, pane, press, projectFor, run, toast } from './verbs.ts'

test.beforeEach(({ page }) => login(page, 'admin'))

/** Whether a pointer at its middle would reach it: inside the window, and covered or cut by nothing. Scrolls nothing. */
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
    .getByRole('button', { name: /Add a user/ })
    .first()
    .click()
  const form = await dialog(page)
  await form.getByRole('combobox').fill('a')
  await expect(form.getByRole('option')).toHaveCount(8)
  await expect.poll(() => reached(form.getByRole('option').nth(5))).toBe(true)
})

test('a question that is filled in already says what it asks', async ({ page }) => {
  const project = await projectFor(page, 'project.reprice')
  await open(page, 'project', { id: project.id }, { tab: 'specifications' })
  await press(page, 'project.reprice')
  const heading = palette(page).locator('[cmdk-group-heading]')
  await expect(heading).toHaveText('Cost')
  await keys(page, 'Enter')
  await expect(heading).toHaveText('Valid until')
})

test.describe('at 400 % zoom', () => {
  test.use({ viewport: { width: 320, height: 256 } })

  test('a review shows its question, its text is scrolled by keys, and a field stands in sight behind its answers', async ({
    page,
  }) => {
    const project = await projectFor(page, 'project.reprice')
    await open(page, 'project', { id: project.id }, { tab: 'specifications' })
    await press(page, 'project.reprice')
    await page.keyboard.type('1450')
    await keys(page, 'Enter')
    await expect(palette(page).locator('[cmdk-group-heading]')).toHaveText('Valid until')
    await expect(palette(page).getByRole('combobox')).toBeInViewport({ ratio: 1 })
    await keys(page, 'Enter')
    await expect(palette(page).getByRole('combobox', { name: 'Reason' })).toBeFocused()
    await page.keyboard.type('Another sample, which costs less')
    await keys(page, 'Enter')
    await expect(palette(page).locator('[data-review-text] h2')).toBeInViewport({ ratio: 1 })
    await expect(palette(page).getByRole('option', { name: 'Back' })).toBeInViewport({ ratio: 1 })
    const text = palette(page).locator('[data-review-text]')
    // A longer text than fits: what a review of many says.
    await text.evaluate((box) =>
      box.append(
        ...Array.from({ length: 12 }, (_, at) => Object.assign(document.createElement('p'), { textContent: `Line ${at}` })),
      ),
    )
    await keys(page, 'PageDown PageDown PageDown PageDown PageDown PageDown PageDown')
    await expect(text.getByText('Line 11')).toBeInViewport()
  })

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
    // Other tests sign in as the same administrator and expect the system's theme.
    await call(page, 'account.edit', { preferences: { theme: 'system' } })
  })
})
