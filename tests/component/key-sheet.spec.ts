import type { Page } from '@playwright/test'
import manifest from '../../package.json' with { type: 'json' }
import { cursorRow, field, keys, list, open, palette, press, rows, search, select, toast } from '../e2e/verbs.ts'
import { expect, test } from '../support/component.ts'

const sheet = (page: Page) => page.getByRole('dialog', { name: 'Keys and commands' })
const chosen = (page: Page) => sheet(page).locator('[role=option][aria-selected=true]')
const recorder = (page: Page, title: string) => page.getByRole('dialog', { name: `Keys of “${title}”` })

/** Opens the sheet over the clients and types until the command is selected. */
async function find(page: Page, text: string, id: string) {
  await press(page, 'help.keys')
  await expect(sheet(page).getByRole('combobox')).toBeFocused()
  await page.keyboard.type(text)
  await expect(chosen(page)).toHaveAttribute('data-id', id)
}

test.describe('the ? sheet', () => {
  test.beforeEach(async ({ page }) => {
    await open(page, 'clients')
    await list(page)
  })

  test('runs the selected command on the row that had the cursor, with the text typed after Enter', { tag: '@quick' }, async ({
    page,
  }) => {
    await keys(page, 'j')
    const name = (await cursorRow(page).getByRole('link').first().textContent()) ?? ''
    await find(page, 'edit client', 'client.edit')
    await page.keyboard.press('Enter')
    await expect(sheet(page)).toHaveCount(0)
    await expect(palette(page)).toContainText(name.trim())
  })

  test('says which release runs', async ({ page }) => {
    await press(page, 'help.keys')
    await expect(sheet(page)).toContainText(`Fieldwork ${manifest.version}.`)
  })

  test('runs a command that leads to a field, which then has the focus', async ({ page }) => {
    await find(page, 'search this list', 'list.search')
    await page.keyboard.press('Enter')
    await page.keyboard.type('acme')
    await expect(page.getByRole('searchbox').first()).toHaveValue('acme')
    await expect(page.getByRole('searchbox').first()).toBeFocused()
  })

  test('says why a command can’t run, and stays open', async ({ page }) => {
    await find(page, 'go live', 'project.goLive')
    await page.keyboard.press('Enter')
    await expect(sheet(page).getByRole('status')).toContainText('“Go live” can’t run now: choose a project first.')
  })

  test('moves to another command by arrows', async ({ page }) => {
    await find(page, 'go to column', 'column.first')
    await page.keyboard.press('ArrowDown')
    await expect(chosen(page)).toHaveAttribute('data-id', 'column.second')
  })

  test('rebinds in at most ten keys, and the new keys work', { tag: '@quick' }, async ({ page, api }) => {
    await find(page, 'partners', 'go.partners')
    let pressed = 1
    const hit = async (key: string) => {
      pressed += 1
      await page.keyboard.press(key)
    }
    await hit('F2')
    await expect(recorder(page, 'Partners').getByLabel('Press the keys')).toBeFocused()
    await hit('z')
    await hit('z')
    await hit('Enter')
    await expect(recorder(page, 'Partners')).toHaveCount(0)
    await expect(chosen(page)).toHaveAttribute('data-id', 'go.partners')
    await expect(chosen(page)).toContainText('z z')
    await expect(sheet(page).getByRole('combobox')).toBeFocused()
    await hit('Escape')
    await hit('Escape')
    await expect(sheet(page)).toHaveCount(0)
    expect(pressed).toBeLessThanOrEqual(10)
    await keys(page, 'z z')
    await expect(page).toHaveURL(/partners/)
    expect(api.writes.map(({ id }) => id)).toEqual(['account.edit'])
  })

  test('names the conflicts of new keys before it takes them', async ({ page }) => {
    await find(page, 'partners', 'go.partners')
    await keys(page, 'F2')
    const dialog = recorder(page, 'Partners')
    await expect(dialog.getByLabel('Press the keys')).toBeFocused()
    await keys(page, 'g u Enter')
    await expect(dialog.getByRole('status')).toContainText('Conflicts with')
    await expect(dialog.getByRole('button', { name: 'Use them anyway' })).toBeFocused()
  })
})

test('the keys of a command are changed from its row in the palette', async ({ page }) => {
  await open(page, 'clients')
  await list(page)
  await search(page, 'outbox')
  await select(page, rows(page, 'go.outbox'))
  await keys(page, 'F2')
  await expect(recorder(page, 'Outbox').getByLabel('Press the keys')).toBeFocused()
  await keys(page, 'z z Enter')
  await expect(rows(page, 'go.outbox').locator('kbd')).toHaveText('z z')
  await expect(field(page)).toBeFocused()
  await expect(toast(page, /./)).toHaveCount(0)
})
