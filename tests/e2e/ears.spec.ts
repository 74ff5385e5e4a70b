import type { Page } from '@playwright/test'
import { type RouteId, routeIds, rowOf } from '../../src/routing/routes.ts'
import { expect, test } from '../support/e2e.ts'
import { readThrough } from '../support/ears.ts'
import { guestPaths } from './guestPaths.ts'
import { clientRecordIds, pathWith, type RecordIds, recordIds } from './recordIds.ts'
import { login, open, pane, visit } from './verbs.ts'

/*
 * Reads every screen with a screen reader, item by item, on the demo's records.
 */

test.describe.configure({ mode: 'parallel', timeout: 120_000 })

/** The most items to read on a screen; lists and long forms have more. */
const MOST = 1000

const screens = routeIds.flatMap((id: RouteId) => {
  const { path, tabs, access, outside, leads } = rowOf(id)
  if (outside || leads || id === 'snapshot') return []
  return tabs
    ? Object.values(tabs).map((tab) => ({ id, path: `${path}/${tab.path}`, access: tab.access ?? access }))
    : [{ id, path, access }]
})

/** A role without a name, possibly with a state. */
const NAMELESS =
  /^(button|link|image|heading|textbox|searchbox|combobox|listbox|checkbox|radio|radiogroup|switch|slider|spinbutton|tab|tablist|menuitem|region|navigation|dialog|article|progressbar|grid|treegrid|tabpanel)(, (level \d|not |checked|selected|(not )?expanded|disabled|required|invalid|pressed|key shortcuts|has popup|position|placeholder|value|column count|row count).*)?$/
/** Text that a program leaves behind by mistake. */
const UNSPOKEN = /\b(undefined|NaN|null)\b|\[object|Invalid Date|\$\{|(^|\s):r\w+:|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-/

/** A webhook's body is read as it was sent, and JSON has null. */
const isJson = (words: string): boolean => {
  try {
    return typeof JSON.parse(words) === 'object'
  } catch {
    return false
  }
}

/** What is wrong with a screen's spoken text. */
async function wrong(page: Page): Promise<string[]> {
  const { said, ended } = await readThrough(page, MOST)
  return [
    ...said.filter((words) => !words.trim() || NAMELESS.test(words) || (UNSPOKEN.test(words) && !isJson(words))),
    ...(said.some((words) => /^heading, .+, level 1$/.test(words)) ? [] : ['no heading of level 1']),
    ...(ended || said.length >= MOST ? [] : [`stops at “${said.at(-1)}”`]),
  ]
}

/** Goes from screen to screen within the page and reads each. */
async function readAll(page: Page, ids: RecordIds, some: typeof screens): Promise<void> {
  await open(page, 'allProjects')
  for (const screen of some) {
    const path = pathWith(ids, screen)
    await visit(page, path)
    // A record's name arrives with its response.
    await expect.soft(pane(page).locator('h1').first(), path).toHaveText(/./)
    await expect.soft(page, path).toHaveURL(new RegExp(`${path}$`))
    expect.soft(await wrong(page), path).toEqual([])
  }
}

const PARTS = 4
for (let part = 0; part < PARTS; part++)
  test(`every screen can be read through to its end, with a heading and without a nameless element, part ${part + 1} of ${PARTS}`, async ({
    page,
  }) => {
    await login(page)
    const some = screens.filter((_, at) => at % PARTS === part)
    await readAll(page, await recordIds(page), some)
  })

test('so does every screen of a client user', async ({ page }) => {
  await login(page, 'client')
  const some = screens.filter(({ access }) => access !== 'admin')
  expect(some.length).toBeGreaterThan(20)
  await readAll(page, await clientRecordIds(page), some)
})

test('so does every screen before signing in, and a partner’s page', async ({ page, browser, baseURL }) => {
  const context = await browser.newContext({ baseURL: baseURL! })
  const admin = await context.newPage()
  await login(admin)
  const paths = await guestPaths(admin)
  await context.close()
  for (const path of paths) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    expect.soft(await wrong(page), path).toEqual([])
  }
})

test('an element without a name is found', async ({ page }) => {
  await login(page)
  await open(page, 'account')
  await page
    .locator('h1')
    .evaluate((title) => title.insertAdjacentHTML('afterend', '<button></button><p>undefined of 3</p><a href="/"></a>'))
  expect(await wrong(page)).toEqual(['button', 'undefined of 3', 'link'])
})
