import type { Page } from '@playwright/test'
import { cursorRow, field, keys, list, open, pane, press, projects, toast } from '../e2e/verbs.ts'
import { expect, test } from '../support/component.ts'

test.beforeEach(async ({ page }) => {
  await open(page, 'allProjects')
  await list(page)
})

const strip = (page: Page) => page.getByRole('status', { name: 'Keys that can follow' })

test.describe('sequences', () => {
  test('the keys that can follow are shown after a pause', async ({ page }) => {
    await keys(page, 'g')
    await expect(strip(page)).toContainText('Clients')
  })

  test('nothing is shown to a quick typist', async ({ page }) => {
    await keys(page, 'g g')
    await expect(strip(page)).toBeEmpty()
  })

  test('a wrong key ends a sequence at once', async ({ page }) => {
    await keys(page, 'g')
    await expect(strip(page)).toContainText('Clients')
    await keys(page, 'Escape')
    await expect(strip(page)).toBeEmpty()
    await keys(page, 'c')
    await expect(page).toHaveURL(/all-projects$/)
  })

  test('the same keys run what the focused record defines', async ({ page }) => {
    const [project] = await projects(page, 'Approved')
    await open(page, 'project', { id: project!.id }, { tab: 'specifications' })
    await expect(pane(page).getByRole('heading', { level: 1, name: project!.name })).toBeVisible()
    await keys(page, 'g')
    await expect(strip(page)).toContainText('Go live')
  })
})

test.describe('in lists', () => {
  const at = (page: Page) => cursorRow(page).getAttribute('aria-rowindex')

  test('j and k move the cursor', async ({ page }) => {
    const first = Number(await at(page))
    await keys(page, 'j j k')
    await expect(cursorRow(page)).toHaveAttribute('aria-rowindex', String(first + 1))
  })

  test('the grid names the cursor’s row to a screen reader', async ({ page }) => {
    await keys(page, 'j')
    await expect(cursorRow(page)).toHaveAttribute('aria-rowindex', '3')
    const grid = pane(page).locator('[aria-activedescendant]')
    await expect(grid).toHaveAttribute('aria-activedescendant', (await cursorRow(page).getAttribute('id'))!)
  })

  test('Shift+G goes to the last row, g g to the first', async ({ page }) => {
    const first = (await at(page))!
    await keys(page, 'Shift+g')
    await expect(cursorRow(page)).not.toHaveAttribute('aria-rowindex', first)
    await keys(page, 'g g')
    await expect(cursorRow(page)).toHaveAttribute('aria-rowindex', first)
  })

  test('x selects the row under the cursor, and leaves the cursor there', async ({ page }) => {
    await keys(page, 'j x')
    await expect(cursorRow(page)).toHaveAttribute('aria-selected', 'true')
    await expect(pane(page).locator('[role=row][aria-selected=true]')).toHaveCount(1)
  })

  test('Shift+J selects a range', async ({ page }) => {
    await keys(page, 'Shift+j Shift+j')
    await expect(pane(page).locator('[role=row][aria-selected=true]')).toHaveCount(3)
  })

  test('Escape clears the selection', async ({ page }) => {
    const selected = pane(page).locator('[role=row][aria-selected=true]')
    await keys(page, 'x')
    await expect(selected).toHaveCount(1)
    await keys(page, 'Escape')
    await expect(selected).toHaveCount(0)
  })

  test('] and [ move by a page', async ({ page }) => {
    await keys(page, ']')
    await expect(page).toHaveURL(/page=2/)
    await keys(page, '[')
    await expect(page).not.toHaveURL(/page=/)
  })

  test('/ searches, and Escape returns to the rows', async ({ page }) => {
    await press(page, 'list.search')
    await expect(pane(page).getByRole('searchbox')).toBeFocused()
    await keys(page, 'Escape')
    await keys(page, 'j')
    await expect(cursorRow(page)).toBeVisible()
    await expect(pane(page).getByRole('searchbox')).toBeHidden()
  })

  test('s opens the sort menu', async ({ page }) => {
    await press(page, 'list.sort')
    await expect(page.getByRole('menu', { name: 'Sort' })).toBeVisible()
  })
})

test.describe('in a text field', () => {
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

  test('Ctrl+K on a Russian keyboard opens the palette', async ({ page }) => {
    await page.evaluate(() => {
      document.activeElement!.dispatchEvent(
        new KeyboardEvent('keydown', { key: 'л', code: 'KeyK', ctrlKey: true, bubbles: true, cancelable: true }),
      )
    })
    await expect(field(page)).toBeFocused()
  })
})

test.describe('the ? sheet', () => {
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
