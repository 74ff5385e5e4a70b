import type { Locator, Page } from '@playwright/test'
import { routeIds, rowOf } from '../../src/routing/routes.ts'
import { expect, test } from '../support/e2e.ts'
import { guestPaths } from './guestPaths.ts'
import { pathWith, recordIds } from './recordIds.ts'
import { login, open, pane, visit } from './verbs.ts'

/*
 * Every form refuses an empty sending, and what is typed next stays in the field that has the focus by then.
 */

const TEXTS =
  'input:not([type=checkbox], [type=radio], [type=file], [type=range], [type=search], [hidden], [tabindex="-1"]), textarea'
const WRONG = ':is([aria-invalid=true], [data-fault])'

/** Empties a form and sends it by a key; returns false if it isn't refused. */
async function refused(page: Page, form: Locator, key: string): Promise<boolean> {
  const fields = form.locator(TEXTS).filter({ visible: true })
  for (const field of await fields.all()) if (await field.isEditable()) await field.fill('')
  const last = fields.last()
  if (!(await last.count())) return false
  await last.focus()
  await page.keyboard.press(key)
  return await form
    .locator(WRONG)
    .first()
    .waitFor({ state: 'attached', timeout: 700 })
    .then(
      () => true,
      () => false,
    )
}

/** Types into the focused field with the pauses of a person; returns where the focus went, or null if it stayed. */
async function strays(page: Page): Promise<string | null> {
  // The focus reaches the first wrong field in the frame after it is marked.
  await page.evaluate(() => new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next))))
  const field = await page.evaluateHandle(() => document.activeElement)
  const start = await field.evaluate((one) => `${one?.tagName} ${one?.closest('[data-field]')?.getAttribute('data-field') ?? ''}`)
  for (const letter of '300') {
    await page.keyboard.type(letter)
    await page.waitForTimeout(60)
    const now = await field.evaluate((one) =>
      document.activeElement === one
        ? null
        : `${document.activeElement?.tagName} ${document.activeElement?.textContent?.slice(0, 30)}`,
    )
    if (now) return `${start}: to ${now} after ${letter}`
  }
  return null
}

/** Tries every form that is shown; returns how many were refused, and the strays. */
async function tryForms(page: Page, forms: Locator, key = 'Control+Enter'): Promise<{ refused: number; wrong: string[] }> {
  const wrong: string[] = []
  let count = 0
  for (const form of await forms.all()) {
    if (!(await refused(page, form, key))) continue
    count++
    const stray = await strays(page)
    if (stray) wrong.push(`${new URL(page.url()).pathname}: ${stray}`)
  }
  return { refused: count, wrong }
}

test('what is typed after a refusal stays in its field, in every form of the workspace', async ({ page }) => {
  test.setTimeout(240_000)
  await login(page)
  const ids = await recordIds(page)
  const wrong: string[] = []
  const tried: string[] = []
  await open(page, 'allProjects')
  page.on('dialog', (asked) => void asked.accept())
  for (const id of routeIds) {
    const row = rowOf(id)
    if (row.outside || row.leads || id === 'snapshot') continue
    const paths = row.tabs ? Object.values(row.tabs).map((tab) => `${row.path}/${tab.path}`) : [row.path]
    for (const path of paths) {
      const address = pathWith(ids, { id, path })
      await visit(page, address)
      const found = await tryForms(page, pane(page).locator('form'))
      if (found.refused) tried.push(address)
      wrong.push(...found.wrong)
    }
  }
  expect(wrong).toEqual([])
  expect(tried.length, tried.join()).toBeGreaterThan(30)
})

test('what is typed after a refusal stays in its field, on every page without a session', async ({ page, browser, baseURL }) => {
  await login(page)
  const guest = await (await browser.newContext({ baseURL: baseURL! })).newPage()
  const wrong: string[] = []
  const tried: string[] = []
  for (const path of await guestPaths(page)) {
    await guest.goto(path)
    const form = guest.locator('form')
    const asked = guest.getByText('Yes, we can')
    await form
      .first()
      .or(asked)
      .waitFor({ timeout: 3000 })
      .catch(() => {})
    const answers = await asked.isVisible()
    if (answers) await asked.click()
    const found = await tryForms(guest, form, answers ? 'Control+Enter' : 'Enter')
    if (found.refused) tried.push(path.split('?')[0]!)
    wrong.push(...found.wrong)
  }
  expect(wrong).toEqual([])
  expect(tried.length, tried.join()).toBe(6)
})
