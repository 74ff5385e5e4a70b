import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { type test as base, expect } from '../support/e2e.ts'
import { call, cursorRow, dialog, drawn, field, keys, list, login, open, palette, pane, press, selected, toast } from './verbs.ts'

/* A client's list of stores by keyboard: its columns corrected, imported, its errors corrected and imported again. */

const region = (page: Page, name: string) => pane(page).getByRole('region', { name })
/** Invalid ZIPs by line. */
const BAD: Readonly<Record<number, string>> = { 2: '0210', 5: '021' }
/** The field that a column is mapped to. */
const holds = (page: Page, heading: string) => pane(page).getByRole('combobox', { name: `“${heading}” holds` })

/** Runs the command by its keys, and passes it a file like the browser's own dialog. */
async function fromFile(page: Page, context: 'app' | 'group', name: string, content: string): Promise<void> {
  // Awaited first: until the browser expects it, a real file chooser opens.
  const chooser = page.waitForEvent('filechooser')
  await press(page, 'group.fromFile', context)
  await expect(palette(page).locator('input[type=file]')).toHaveCount(1)
  await expect(field(page)).toBeFocused()
  await drawn(page)
  await keys(page, 'Enter')
  await (await chooser).setFiles([{ name, mimeType: 'text/csv', buffer: Buffer.from(content) }])
}

/** Types an answer in the palette, and chooses the result. */
async function say(page: Page, label: string, text: string): Promise<void> {
  await expect(field(page)).toHaveAttribute('aria-label', new RegExp(label))
  await page.keyboard.type(text)
  await expect(selected(page)).toContainText(text)
  await keys(page, 'Enter')
}

/** Adds the test to a file, whose options choose the server's engine. */
export function locationFileFlow(test: typeof base, engine: string): void {
  test(`a location file becomes a group, whose errors are corrected and sent again, by keys, on ${engine}`, async ({ page }) => {
    test.setTimeout(150_000)
    await login(page, 'admin')
    const { data: client } = await call(page, 'client.create', { name: `Harbor ${Date.now()}` })
    const name = `Quays ${Date.now()}`
    const line = (at: number, zip: string) => `${at} ${name} Street;Quay ${at};${zip}`
    const result = region(page, 'Result')
    const locations = (count: string) => expect(pane(page)).toContainText(count)
    let errors = ''

    await test.step('n f asks for the file, its client and a name', async () => {
      await open(page, 'clientGroups')
      await list(page)
      const lines = Array.from({ length: 12 }, (_, at) => line(at + 1, BAD[at + 1] ?? `021${at + 10}`))
      await fromFile(page, 'app', `${name}.csv`, ['Where;Called;Code', ...lines].join('\r\n'))
      await say(page, 'Client', client.name)
      await expect(field(page)).toHaveAttribute('aria-label', /Group name/)
      await expect(field(page)).toHaveValue(name)
      await keys(page, 'Enter')
      await expect(page).toHaveURL(/location-file\/\d+/)
    })

    await test.step('its columns are recognized, and corrected by key; undo reverts a correction', async () => {
      await expect(holds(page, 'Where')).toHaveValue('Address')
      await expect(holds(page, 'Code')).toHaveValue('ZIP')
      await expect(holds(page, 'Called')).toHaveValue('Ignore')
      await press(page, 'import.map')
      await say(page, 'Column', 'Called')
      await say(page, 'Holds', 'Name')
      await expect(holds(page, 'Called')).toHaveValue('Name')
      await press(page, 'command.undo')
      await expect(holds(page, 'Called')).toHaveValue('Ignore')
      await press(page, 'command.redo')
      await expect(holds(page, 'Called')).toHaveValue('Name')
    })

    await test.step('the whole file is checked before anything is written', async () => {
      const check = region(page, 'Preview of the whole file')
      await expect(check.getByText('New', { exact: true }).locator('xpath=..')).toContainText('10')
      await expect(check).toContainText('2 lines can’t be read and will be skipped')
    })

    await test.step('Ctrl+Enter imports it, and stays with its errors; a notice leads to the group', async () => {
      await press(page, 'form.send')
      await expect(toast(page, `“${name}”: 10 locations, 2 errors`)).toBeVisible()
      await expect(page.getByRole('dialog')).toHaveCount(0)
      await expect(page).toHaveURL(/location-file\/\d+/)
      await expect(cursorRow(page)).toBeVisible()
    })

    await test.step('j and k walk its errors, e corrects one in its cell, and undo reverts it', async () => {
      await expect(cursorRow(page)).toContainText('ZIP 0210 is not a ZIP code')
      await list(page)
      await press(page, 'list.down')
      await expect(cursorRow(page)).toContainText('ZIP 021 is not a ZIP code')
      await press(page, 'list.up')
      await expect(cursorRow(page)).toContainText('ZIP 0210 is not a ZIP code')
      await press(page, 'list.down')
      await expect(cursorRow(page)).toContainText('ZIP 021 is not a ZIP code of 5 or 9 digits')
      for (const key of ['Shift+F10', 'ContextMenu']) {
        await page.keyboard.press(key)
        await expect(page.getByRole('menuitem', { name: /^Correct/ })).toBeFocused()
        await page.keyboard.press('Escape')
        await expect(result.getByRole('grid')).toBeFocused()
      }
      await press(page, 'import.correct')
      await expect(palette(page)).toContainText(/Correct.*Code 021/)
      await keys(page, 'Escape Escape')
      await expect(palette(page)).toHaveCount(0)
      await list(page)
      await page.keyboard.press('Enter')
      const cell = result.getByRole('row').getByRole('textbox')
      await expect(cell).toBeFocused()
      await keys(page, 'Mod+a')
      await page.keyboard.type('02199')
      await keys(page, 'Enter')
      await expect(result).not.toContainText('ZIP 021 is')
      await press(page, 'command.undo')
      await expect(result).toContainText('ZIP 021 is')
      await press(page, 'command.redo')
      await expect(result).not.toContainText('ZIP 021 is')
    })

    await test.step('the remaining ones are downloaded as a file', async () => {
      const download = page.waitForEvent('download')
      await press(page, 'import.errors')
      await expect(selected(page)).toContainText('CSV')
      await page.keyboard.press('Enter')
      errors = readFileSync(await (await download).path(), 'utf8')
      expect(errors).toContain('ZIP 0210 is not a ZIP code')
      expect(errors).not.toContain('Quay 3')
    })

    await test.step('once corrected, it is imported into the group with a f, which asks nothing else', async () => {
      await press(page, 'import.show')
      await expect(page).toHaveURL(/group-info\/\d+\/locations/)
      await locations('11 locations')
      await press(page, 'pane.tab1')
      await expect(page).not.toHaveURL(/group-info\/\d+\/locations/)
      await fromFile(page, 'group', 'corrected.csv', errors.replace(/(?<=[;,])0210(?=[;,])/, '02110'))
      await expect(page).toHaveURL(/location-file\/\d+/)
      await expect(holds(page, 'Where')).toHaveValue('Address')
      await press(page, 'form.send')
      await expect(await dialog(page, 'Locations added')).toContainText(`“${name}”: 1 location`)
      await keys(page, 'Enter')
      await locations('12 locations')
    })
  })
}
