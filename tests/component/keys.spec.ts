import type { Page } from '@playwright/test'
import { cursorRow, field, keys, list, open, pane, press, toast } from '../e2e/verbs.ts'
import { expect, test } from '../support/component.ts'

test.beforeEach(async ({ page }) => {
  await open(page, 'allProjects')
  await list(page)
})

const strip = (page: Page) => page.getByRole('status', { name: 'Keys that can follow' })

test.describe('in lists', { tag: '@quick' }, () => {
  test('the grid names the cursor’s row to a screen reader', async ({ page }) => {
    await keys(page, 'j')
    await expect(cursorRow(page)).toHaveAttribute('aria-rowindex', '3')
    const grid = pane(page).locator('[aria-activedescendant]')
    await expect(grid).toHaveAttribute('aria-activedescendant', (await cursorRow(page).getAttribute('id'))!)
  })

  test('/ searches, and Escape returns to the rows', async ({ page }) => {
    await press(page, 'list.search')
    await expect(pane(page).getByRole('searchbox')).toBeFocused()
    await keys(page, 'Escape')
    await keys(page, 'j')
    await expect(cursorRow(page)).toBeVisible()
    await expect(pane(page).getByRole('searchbox')).toBeHidden()
  })
})

test.describe('in a text field', { tag: '@quick' }, () => {
  test('single letters are typed', async ({ page }) => {
    await press(page, 'list.search')
    await expect(pane(page).getByRole('searchbox')).toBeFocused()
    await page.keyboard.type('g c x ?')
    await expect(pane(page).getByRole('searchbox')).toHaveValue('g c x ?')
    await expect(page).toHaveURL(/all-projects/)
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })

  test('Ctrl+Z belongs to the field', async ({ page }) => {
    await press(page, 'list.search')
    await page.keyboard.type('snack')
    await page.keyboard.press('Control+z')
    const box = pane(page).getByRole('searchbox')
    await expect(box).toBeFocused()
    await expect(box).not.toHaveValue('snack')
    await expect(toast(page, 'Nothing to undo.')).toHaveCount(0)
  })

  test('a word being composed by an input method runs nothing', async ({ page }) => {
    await page.evaluate(() => {
      for (const key of ['g', 'c'])
        document.activeElement!.dispatchEvent(
          new KeyboardEvent('keydown', { key, code: `Key${key.toUpperCase()}`, isComposing: true, bubbles: true }),
        )
    })
    await keys(page, 'g')
    await expect(strip(page)).toContainText('Clients')
    await expect(page).toHaveURL(/all-projects$/)
  })

  test('the Enter that ends a composition stays in its field, with Safari’s code too', async ({ page, api }) => {
    const end = () =>
      page.evaluate(() => {
        const key = { key: 'Enter', code: 'Enter', keyCode: 229, bubbles: true, cancelable: true }
        document.activeElement!.dispatchEvent(new KeyboardEvent('keydown', key))
      })
    await open(page, 'clients')
    await list(page)
    await keys(page, 'e')
    const cell = pane(page).locator('[role=row][data-cursor] input')
    await cell.fill('にほん')
    await end()
    await expect(cell).toBeFocused()
    expect(api.writes).toEqual([])
    await keys(page, 'Escape')
    await keys(page, '/')
    await page.keyboard.type('東京')
    await end()
    await expect(pane(page).getByRole('searchbox')).toBeFocused()
  })

  test('Ctrl+K on a Russian keyboard opens the palette', async ({ page }) => {
    await page.evaluate(() => {
      document.activeElement!.dispatchEvent(
        new KeyboardEvent('keydown', { key: 'л', code: 'KeyK', ctrlKey: true, bubbles: true, cancelable: true }),
      )
    })
    await expect(field(page)).toBeFocused()
  })
})

test.describe('the ? sheet', { tag: '@quick' }, () => {
  test('is searched by what a key does', async ({ page }) => {
    await press(page, 'help.keys')
    const sheet = page.getByRole('dialog', { name: 'Keys and commands' })
    await sheet.getByRole('combobox').fill('close tab')
    await expect(sheet.getByText('Close tab', { exact: true })).toBeVisible()
    await expect(sheet.getByText('Go live')).toHaveCount(0)
  })

  test('gives the focus back when it closes', async ({ page }) => {
    await press(page, 'help.keys')
    await expect(page.getByRole('dialog')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await list(page)
    const before = (await cursorRow(page).textContent()) ?? ''
    await keys(page, 'j')
    await expect(cursorRow(page)).not.toHaveText(before)
  })
})
