import type { Page } from '@playwright/test'
import { resolve } from '../../src/routing/match.ts'
import { type RouteId, routeIds, rowOf } from '../../src/routing/routes.ts'
import { tabsOf } from '../../src/routing/tabs.ts'
import { screens as panes } from '../../src/screens.ts'
import { isCommandId } from '../support/commands.ts'
import { expect, test } from '../support/e2e.ts'
import { focusFault } from '../support/focus.ts'
import { looseTexts } from '../support/looseTexts.ts'
import { faults as axeFaults, COLOURS, REPEATED_ROWS, WCAG, wear } from './axe.ts'
import { guestPaths } from './guestPaths.ts'
import { clientRecordIds, pathWith, recordIds } from './recordIds.ts'
import { troubles } from './troubles.ts'
import { column, columns, goTo, list, login, open, pane, visit } from './verbs.ts'

/** Screens in one test: its page is new, and compiles the workspace once for them all. */
const GROUP = 12
test.describe.configure({ mode: 'parallel', timeout: 150_000 })

/** Screens side by side, each as wide as a window, because a page takes longer to load than to check. */
const ABREAST = 3

const DESK = { width: 1440, height: 900 }
const PHONE = { width: 390, height: 844 }

/** axe takes three quarters of the time of these tests, so `npm test` opens the screens without it. */
const AUDITED = process.env.WHOLE === '1'
const ACCESSIBLE = AUDITED ? 'are accessible (WCAG 2.2 AA)' : 'are not yet checked by axe'
const faults = async (...checked: Parameters<typeof axeFaults>) => (AUDITED ? await axeFaults(...checked) : [])

interface Screen {
  id: RouteId
  path: string
  access: string
}
/** Every screen behind sign-in: one per route and per tab, with `{id}` still to be filled in. */
const screens: Screen[] = routeIds.flatMap((id) => {
  const row = rowOf(id)
  if (row.outside || row.leads || id === 'snapshot') return []
  const tabs = Object.values(row.tabs ?? {})
  if (!tabs.length) return [{ id, path: row.path, access: row.access }]
  return tabs.map((tab) => ({
    id,
    path: `${row.path}/${tab.path}`,
    access: tab.access === 'admin' ? 'admin' : row.access,
  }))
})
const groups = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size))
const nameOf = (group: readonly Screen[]) => `${group[0]!.path} to ${group.at(-1)!.path.replace('/dashboard', '')}`

const besideOf = (path: string) => path.replace(/^\/dashboard/, '')

/** Opens screens, up to four side by side, by address or within the page; returns their faults in words. */
async function look(
  page: Page,
  heard: string[],
  [path, ...rest]: readonly [string, ...string[]],
  go: (page: Page, address: string) => Promise<void> = goTo,
): Promise<string[]> {
  heard.length = 0
  const beside = rest.map(besideOf)
  await go(page, `${path}${beside.map((one, at) => `${at ? '&' : '?'}beside=${one}`).join('')}`)
  const at = new URL(page.url())
  const neighbours = at.searchParams.getAll('beside')
  const alerts = page.locator('section[role=tabpanel]:not([inert]) [role=alert]')
  return [
    ...(at.pathname === path ? [] : [`ends at ${at.pathname}`]),
    ...(neighbours.join() === beside.join() ? [] : [`beside it ${neighbours.join()} instead of ${beside.join()}`]),
    ...heard,
    ...(await alerts.allInnerTexts()).map((text) => `says ${text}`),
  ]
}

/** True for a screen whose list another one shows first: the same rows, of which eight are enough. */
const repeats = ({ id }: Screen) => !rowOf(id).tabs && screens.find((other) => panes[other.id] === panes[id])!.id !== id

test.describe('as a client user', () => {
  const foreign = screens.filter((screen) => screen.access === 'admin')
  for (const group of groups(foreign, GROUP * 2)) {
    test(`${nameOf(group)} say that they are for administrators`, async ({ page }) => {
      const heard = troubles(page)
      await login(page, 'client')
      for (const row of groups(group, 4)) {
        const paths = row.map((screen) =>
          pathWith(
            {
              project: [1],
              campaign: [1],
              client: [1],
              activity: [1],
              survey: [1],
              team: [1],
              group: [1],
              import: [1],
              brand: [1],
              webhook: [1],
            },
            screen,
          ),
        )
        const wrong = (await look(page, heard, paths as [string, ...string[]])).filter((text) => !text.startsWith('says '))
        expect.soft(wrong, paths.join()).toEqual([])
        await expect.soft(columns(page), paths.join()).toHaveCount(row.length)
        for (const [at, path] of paths.entries()) {
          const alert = column(page, at + 1).locator('[role=alert]')
          await expect.soft(alert, path).toHaveText(/Only administrators can open this\./)
        }
      }
    })
  }
})

test.describe(`as a client user, their own screens open without an error, ${ACCESSIBLE}, and have no control that isn’t a command`, () => {
  for (const group of groups(
    screens.filter((screen) => screen.access !== 'admin'),
    GROUP * 2,
  )) {
    test(`${nameOf(group)}, to a client user`, { tag: '@quick' }, async ({ page }) => {
      const heard = troubles(page)
      await login(page, 'client')
      const ids = await clientRecordIds(page)
      await page.setViewportSize({ ...DESK, width: DESK.width * ABREAST })
      for (const [nth, row] of groups(group, ABREAST).entries()) {
        const paths = row.map((screen) => pathWith(ids, screen)) as [string, ...string[]]
        const name = paths.join()
        expect.soft(await look(page, heard, paths), name).toEqual([])
        await expect.soft(columns(page), name).toHaveCount(row.length)
        expect.soft(await faults(page, WCAG, nth ? 'main' : undefined), name).toEqual([])
        expect.soft(await strangers(page), name).toEqual([])
        expect.soft(await looseTexts(page), name).toEqual([])
      }
    })
  }
})

// hostile.spec.ts opens every one of these by its address; here one page goes from screen to screen.
test.describe(`as an administrator, screens open without an error, ${ACCESSIBLE}, and have no control that isn’t a command`, () => {
  for (const group of groups(screens, GROUP * 2)) {
    test(`${nameOf(group)}, light and dark`, { tag: '@quick' }, async ({ page }) => {
      const heard = troubles(page)
      await login(page)
      const ids = await recordIds(page)
      const themes = ['light', 'dark'] as const
      for (const [nth, screen] of group.entries()) {
        const path = pathWith(ids, screen)
        // The frame is the same on each screen, so it is checked once in a group.
        const within = nth ? 'main' : undefined
        const without = repeats(screen) ? REPEATED_ROWS : undefined
        // Each screen opens in the theme that the previous one ended in: all but colors is the same in both.
        const [first, second] = nth % 2 ? themes.toReversed() : themes
        await wear(page, first!)
        expect.soft(await look(page, heard, [path], nth ? visit : goTo), path).toEqual([])
        expect.soft(await faults(page, WCAG, within, without), `${path}, ${first}`).toEqual([])
        await wear(page, second!)
        expect.soft(await faults(page, COLOURS, within, without), `${path}, ${second}`).toEqual([])
        expect.soft(await strangers(page), path).toEqual([])
        expect.soft(await looseTexts(page), path).toEqual([])
      }
    })
  }
})

test(`before signing in, screens and the links of a reset, an invitation and a partner open in both themes and on a phone, and ${ACCESSIBLE}`, {
  tag: '@quick',
}, async ({ page, browser, baseURL }) => {
  const context = await browser.newContext({ baseURL: baseURL! })
  const admin = await context.newPage()
  await login(admin)
  const paths = await guestPaths(admin)
  await context.close()
  const title = page.getByRole('heading', { level: 1 })
  for (const path of paths) {
    await page.setViewportSize(DESK)
    await page.goto(path)
    await expect(title).toBeVisible()
    await wear(page, 'light')
    expect.soft(await faults(page, WCAG), `${path}, light`).toEqual([])
    await wear(page, 'dark')
    expect.soft(await faults(page, COLOURS), `${path}, dark`).toEqual([])
    await page.setViewportSize(PHONE)
    expect.soft(await faults(page, COLOURS), `${path}, dark, on a phone`).toEqual([])
    await wear(page, 'light')
    expect.soft(await faults(page, WCAG), `${path}, light, on a phone`).toEqual([])
    expect.soft(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(PHONE.width)
  }
  // The last one is a partner's link; a link that doesn't work opens a page without a request.
  await expect(title).toHaveText(/^Survey request P-/)
})

test('on these screens the focus is never on a hidden element, and a key that opens or sends nothing doesn’t move it', async ({
  page,
  browser,
  baseURL,
}) => {
  const context = await browser.newContext({ baseURL: baseURL! })
  const admin = await context.newPage()
  await login(admin)
  const paths = await guestPaths(admin)
  await context.close()
  for (const path of paths) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    for (const key of 'Tab Escape Space Tab Enter Shift+Tab Escape Tab Tab Space Tab Enter Escape'.split(' ')) {
      const before = page.url()
      const had = await holdsFocus(page)
      const onLink = await page.evaluate(() => document.activeElement!.matches('a[href]'))
      await page.keyboard.press(key)
      // A link leads away, perhaps a moment later.
      if (page.url() !== before || (onLink && key === 'Enter')) break
      // Beyond the first and the last stop Tab goes to the browser; no other key may lose the focus.
      const must = key.endsWith('Tab') ? await holdsFocus(page) : had
      if (must) expect.soft(await focusFault(page), `${path}, ${key}`).toBeNull()
    }
  }
})

const holdsFocus = (page: Page) => page.evaluate(() => document.activeElement !== document.body)

/**
 * Controls in panes that are neither command, route link, form control, menu (checked below) nor view control.
 * View controls are tabs, disclosures, column sorting, row boxes, and elements with `data-view`.
 */
async function strangers(page: Page): Promise<string[]> {
  const found = await page.locator('section[role=tabpanel]:not([inert])').evaluateAll((panes) => {
    const pressable = 'a, button, summary, [role=button], [role=link], [role=menuitem], [onclick]'
    const fields = 'input, select, textarea, [role=checkbox], [role=radio], [role=switch], [role=combobox], [role=option]'
    const declared =
      '[data-command], [data-view], [data-view] *, [aria-haspopup=menu], summary, [role=tab], [role=columnheader] button, [data-field] *, form [type=submit]'
    return panes.flatMap((pane) =>
      [...pane.querySelectorAll<HTMLElement>(pressable)]
        .filter((element) => !element.matches(fields) && !element.matches(declared))
        .map((element) => ({ href: element.getAttribute('href'), html: element.outerHTML.slice(0, 160) })),
    )
  })
  return found.flatMap(({ href, html }) => {
    if (href === null) return [html]
    const leads = /^(mailto|tel|blob):|^https?:/.test(href) || resolve(href.split('?', 1)[0]!) !== null
    return leads ? [] : [`leads nowhere: ${html}`]
  })
}

test('a row’s menu contains only commands', { tag: '@quick' }, async ({ page }) => {
  await login(page)
  await open(page, 'allProjects')
  await list(page)
  await pane(page)
    .getByRole('button', { name: /^All actions for/ })
    .first()
    .click()
  const items = page.getByRole('menu').locator('[role^=menuitem]')
  await expect(items.first()).toBeVisible()
  for (const item of await items.all()) expect(isCommandId((await item.getAttribute('data-item')) ?? '')).toBe(true)
})

test('every tab that a screen shows leads to one of its own', { tag: '@quick' }, async () => {
  for (const { id, path } of screens.filter((screen) => rowOf(screen.id).tabs)) {
    const filled = path.replace(/\{\w+\}/g, '7')
    for (const tab of tabsOf(filled, 'admin')) expect(resolve(tab.ref)?.id, tab.ref).toBe(id)
  }
})
