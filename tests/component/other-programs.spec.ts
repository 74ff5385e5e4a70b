import type { Page } from '@playwright/test'
import { addDays } from '../../contract/pacing.ts'
import { columns, cursorRow, field, goTo, keys, list, open, palette, pane, run, toast } from '../e2e/verbs.ts'
import { expect, test } from '../support/component.ts'
import { today } from '../support/today.ts'

/** Replaces every text by elements around a changed one, as browsers' translators do, also what is drawn later. */
async function translate(page: Page): Promise<void> {
  await page.evaluate(() => {
    const seen = new WeakSet<Node>()
    const translateIn = (root: Node) => {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
      const texts: Text[] = []
      for (let text = walker.nextNode(); text; text = walker.nextNode()) texts.push(text as Text)
      for (const text of texts) {
        if (seen.has(text) || !/\S/.test(text.data) || text.parentElement?.closest('script, style, textarea, [translate=no]'))
          continue
        const outer = document.createElement('font')
        const inner = outer.appendChild(document.createElement('font'))
        const now = document.createTextNode(text.data)
        seen.add(now)
        inner.append(now)
        text.replaceWith(outer)
      }
    }
    translateIn(document.body)
    new MutationObserver((changes) => {
      for (const { target, addedNodes } of changes) {
        translateIn(target)
        for (const node of addedNodes) if (node.isConnected) translateIn(node.parentNode!)
      }
    }).observe(document.body, { childList: true, subtree: true, characterData: true })
  })
  await expect(page.locator('font').first()).toBeAttached()
}

/** Errors of the page's scripts. */
function errorsOf(page: Page): string[] {
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  return errors
}

test.describe('a translated page', { tag: '@quick' }, () => {
  test('lists, palette and tabs go on, with the words and figures of now', async ({ page, api }) => {
    const errors = errorsOf(page)
    await open(page, 'allProjects')
    await list(page)
    await translate(page)
    await keys(page, 'x')
    await expect(pane(page).getByText('1 selected')).toBeVisible()
    await keys(page, 'j x')
    await expect(pane(page).getByText('2 selected')).toBeVisible()
    await keys(page, 'Escape')
    await expect(pane(page).getByText('2 selected')).toHaveCount(0)
    await page.keyboard.press('Control+k')
    for (const letter of 'clients') await page.keyboard.type(letter)
    await expect(palette(page).getByRole('option').first()).toContainText('Clients')
    await page.keyboard.press('Escape')
    await keys(page, 'o')
    await expect(columns(page)).toHaveCount(2)
    await keys(page, 'Alt+1')
    await keys(page, 'g c')
    await expect(cursorRow(page)).toContainText(api.market.clients[0]!.name)
    await expect(page.getByText('stopped working')).toHaveCount(0)
    expect(errors).toEqual([])
  })

  test('a form keeps what was typed, and somebody else’s change shows', async ({ page, api }) => {
    const errors = errorsOf(page)
    const client = api.market.clients[0]!
    await open(page, 'client', { id: client.id }, { tab: 'details' })
    await expect(page.getByRole('heading', { name: client.name })).toBeVisible()
    await expect.poll(() => api.isHeard).toBe(true)
    await translate(page)
    await api.call('client.edit', { id: client.id, name: 'Renamed elsewhere', lock_version: 1 })
    await expect(page.getByRole('heading', { name: 'Renamed elsewhere' })).toBeVisible()
    await run(page, 'client.edit', 'Renamed here')
    await expect(page.getByRole('heading', { name: 'Renamed here' })).toBeVisible()
    await open(page, 'newNote', { id: api.market.projects[0]!.id })
    await translate(page)
    await keys(page, 'Control+Enter')
    await expect(pane(page).locator('[data-faults]')).toBeVisible()
    await pane(page).getByLabel('Note *', { exact: true }).fill('Typed')
    await expect(pane(page).locator('[data-faults]')).toHaveCount(0)
    await keys(page, 'Control+Enter')
    await expect.poll(() => api.writes.at(-1)).toMatchObject({ id: 'note.create', input: { note: 'Typed' } })
    expect(errors).toEqual([])
  })
})

test('a browser that refuses storage and locks still shows lists, finds, and hears changes', async ({ page, api }) => {
  await page.addInitScript(() => {
    const refuse = () => {
      throw new DOMException('Refused', 'SecurityError')
    }
    for (const name of ['localStorage', 'sessionStorage', 'indexedDB']) Object.defineProperty(window, name, { get: refuse })
    Object.defineProperty(navigator, 'storage', { get: refuse })
    navigator.locks.request = () => Promise.reject(new DOMException('Refused', 'SecurityError'))
  })
  const errors = errorsOf(page)
  await open(page, 'allProjects')
  await list(page)
  await expect.poll(() => api.isHeard).toBe(true)
  await page.keyboard.press('Control+k')
  for (const letter of 'clients') await page.keyboard.type(letter)
  await expect(palette(page).getByRole('option').first()).toContainText('Clients')
  await page.keyboard.press('Enter')
  await expect(cursorRow(page)).toContainText(api.market.clients[0]!.name)
  expect(errors).toEqual([])
})

test('a computer whose clock is three days ahead has the server’s today', async ({ page }) => {
  const tomorrow = addDays(today(), 1)
  await page.clock.setSystemTime(Date.now() + 3 * 86_400_000)
  await open(page, 'newProject')
  const start = pane(page).getByLabel('Start date *', { exact: true })
  await start.fill('tomorrow')
  await start.blur()
  await expect(start).toHaveValue(`${tomorrow.slice(5, 7)}/${tomorrow.slice(8)}/${tomorrow.slice(0, 4)}`)
})

test('Back closes what is open above, and only then goes back', { tag: '@quick' }, async ({ page }) => {
  await open(page, 'allProjects')
  await list(page)
  await keys(page, 'Enter')
  await expect(page).toHaveURL(/project-info/)
  const url = page.url()
  await page.keyboard.press('Control+k')
  await expect(field(page)).toBeFocused()
  await page.evaluate(() => history.back())
  await expect(palette(page)).toHaveCount(0)
  await expect(page).toHaveURL(url)
  await page.evaluate(() => history.back())
  await expect(page).toHaveURL(/all-projects/)
})

test.describe('a part that fails', { tag: '@quick' }, () => {
  test('by its download takes away itself alone, says so, and opens once it can', async ({ page }) => {
    await page.route('**/assets/HelpSheet-*.js', (route) => route.abort())
    await goTo(page, '/dashboard/all-projects?beside=/clients')
    await list(page)
    await keys(page, '?')
    await expect(toast(page, 'The list of keys couldn’t be loaded')).toBeVisible()
    await expect(columns(page)).toHaveCount(2)
    await list(page)
    const before = (await cursorRow(page).textContent()) ?? ''
    await keys(page, 'j')
    await expect(cursorRow(page)).not.toHaveText(before)
    await page.unroute('**/assets/HelpSheet-*.js')
  })

  test('by an error takes the palette away, and the panes stay', async ({ page }) => {
    await open(page, 'allProjects')
    await list(page)
    await page.keyboard.press('Control+k')
    await expect(field(page)).toBeFocused()
    await page.evaluate(() => {
      const right = Element.prototype.scrollIntoView
      Element.prototype.scrollIntoView = function (this: Element, ...how) {
        if (this.closest('[role=dialog]')) throw new Error('broken on purpose')
        right.apply(this, how)
      }
    })
    await page.keyboard.type('clients')
    await keys(page, 'ArrowDown')
    await expect(toast(page, 'The palette stopped working and was closed')).toBeVisible()
    await expect(palette(page)).toHaveCount(0)
    await list(page)
    await keys(page, 'x')
    await expect(pane(page).getByText('1 selected')).toBeVisible()
  })
})
