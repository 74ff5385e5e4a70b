import { cpSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { href, routeIds, rowOf } from '../../src/routing/routes.ts'
import { screens as panes } from '../../src/screens.ts'
import { test as base, expect } from '../support/e2e.ts'
import { poison } from '../support/hostile.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { seesFaults, watch, wrong } from './harmless.ts'
import { pathWith, recordIds } from './recordIds.ts'
import {
  call,
  columns,
  drawn,
  goTo,
  keys,
  list,
  login,
  open,
  palette,
  pane,
  press,
  ready,
  run,
  search,
  selected,
} from './verbs.ts'

// A marketplace whose every text is an attack: each must show as plain text, in its place.
// Its server isn't a worker fixture, which would mean another worker and browser. It ends with the worker's process.
let hostile: Promise<TestServer> | undefined
async function startHostile(): Promise<TestServer> {
  const data = mkdtempSync(join(process.env.E2E_FOLDER!, 'hostile-'))
  cpSync(join(process.env.E2E_FOLDER!, 'template'), data, { recursive: true })
  poison(join(data, 'fieldwork.db'))
  return await startServer({ DATA_DIR: data, DEMO: 'demo' })
}
const test = base.extend({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from the pattern
  baseURL: async ({}, use, info) => {
    hostile ??= startHostile()
    const server = await hostile
    await use(server.url)
    if (info.status !== info.expectedStatus) console.log(server.log().slice(-8000))
  },
})
// One worker takes them all: another would make this marketplace and start its server again.
test.describe.configure({ timeout: 150_000 })

/** Screens with content of their own, and each of their tabs. */
const screens = routeIds.flatMap((id) => {
  const row = rowOf(id)
  if (row.outside || row.leads || id === 'snapshot' || !panes[id]) return []
  const tabs = Object.values(row.tabs ?? {})
  return tabs.length ? tabs.map((tab) => ({ id, path: `${row.path}/${tab.path}` })) : [{ id, path: row.path }]
})

async function looked(page: Page, heard: string[], name: string) {
  expect.soft([...heard, ...(await wrong(page))], name).toEqual([])
  heard.length = 0
}

/** Screens side by side, each as wide as a normal window, because a page takes longer to load than to check. */
const ABREAST = 4
/** Screens in one test, so that a test's time stays the same as screens are added. */
const A_TEST = 48

test.describe('with hostile text everywhere', () => {
  const parts = Math.ceil(screens.length / A_TEST)
  for (let part = 0; part < parts; part++) {
    test(`on every screen, part ${part + 1} of ${parts}: nothing is executed, moved or reversed`, async ({ page }) => {
      const heard = watch(page)
      await login(page)
      const ids = await recordIds(page)
      await page.setViewportSize({ width: 900 * ABREAST, height: 900 })
      // Another record for each screen, because texts differ between records.
      const paths = screens.map((screen, nth) => pathWith(ids, screen, nth * 3)).filter((_, nth) => nth % parts === part)
      for (let at = 0; at < paths.length; at += ABREAST) {
        const [first, ...others] = paths.slice(at, at + ABREAST) as [string, ...string[]]
        const beside = new URLSearchParams(others.map((path) => ['beside', path.replace(/^\/dashboard/, '')]))
        await goTo(page, `${first}?${beside}`)
        await expect(columns(page)).toHaveCount(others.length + 1)
        await looked(page, heard, [first, ...others].join())
      }
    })
  }

  test('in the palette, questions, reviews, notices and comparisons', async ({ page }) => {
    const heard = watch(page)
    await login(page)
    const { project } = await recordIds(page)
    await open(page, 'allProjects')
    await list(page)
    expect(await seesFaults(page)).toEqual([])
    heard.length = 0

    for (const words of ['<img src', 'turned round', 'שלום', '__proto__', 'WWWW', 'constructor', '"><svg']) {
      await search(page, words)
      await expect(selected(page)).toHaveCount(1)
      await looked(page, heard, `searching ${words}`)
      await page.keyboard.press('Tab')
      await looked(page, heard, `acting on ${words}`)
      await leave(page)
    }
    await keys(page, 'x j x j x j x j x j x j x j x')
    await run(page, 'project.pause', 'A break')
    await looked(page, heard, 'the review of several')
    await page.keyboard.press('Tab')
    await expect(palette(page).locator('[data-names] li').first()).toBeVisible()
    await looked(page, heard, 'who can’t, and why')
    await leave(page)
    await page.keyboard.press('Escape')

    const grid = pane(page).locator('[role=grid], [role=treegrid]')
    for (const id of ['list.filter', 'list.sort', 'list.menu'] as const) {
      // What closed gives the focus back a frame later, maybe to the button that opened it.
      await drawn(page)
      await grid.focus()
      await expect(grid).toBeFocused()
      await press(page, id)
      await expect(page.locator('[role=menu], [role=dialog], [role=listbox]').first()).toBeVisible()
      await looked(page, heard, id)
      await page.keyboard.press('Escape')
      await expect(page.locator('[role=menu], [role=dialog], [role=listbox]')).toHaveCount(0)
    }
    await grid.focus()
    await run(page, 'view.open')
    await expect(selected(page)).toHaveCount(1)
    await looked(page, heard, 'saved views')
    await leave(page)
    await page.keyboard.press('g')
    await expect(page.getByRole('status', { name: 'Keys that can follow' })).toBeVisible()
    await looked(page, heard, 'the keys that can follow')
    await page.keyboard.press('Escape')

    // Text typed here is shown again in a notice, a dialog, a history and a mail.
    const bad = '<img src=x onerror="window.__pwned=1">\u202eturned'
    await goTo(page, href('project', { id: project[0]! }, { tab: 'notes' }))
    await run(page, 'note.create', bad)
    await expect(page.locator('[data-sonner-toast]').first()).toBeVisible()
    await expect(pane(page).getByText('onerror').first()).toBeVisible()
    await looked(page, heard, 'a note')
    await run(page, 'project.clone')
    await looked(page, heard, 'a review with a name in it')
    await leave(page)
    await goTo(page, href('clients'))
    await list(page)
    await run(page, 'client.edit', bad)
    await expect(grid.getByText('onerror').first()).toBeVisible()
    await goTo(page, href('project', { id: project[0]! }))
    await ready(page)
    await press(page, 'project.follow')
    await expect(page.locator('[data-sonner-toast]').filter({ hasText: 'parent.__pwned' }).first()).toBeVisible()
    await looked(page, heard, 'a notice with a name in it')
    // A client without projects can be removed.
    const { data: made } = await call(page, 'client.create', { name: `${bad} too` })
    await goTo(page, href('client', { id: made.id }))
    await expect(pane(page).getByRole('heading', { level: 1 })).toContainText('onerror')
    await run(page, 'client.remove')
    await expect(selected(page)).toHaveAttribute('data-row', 'go')
    await looked(page, heard, 'a question with a name in it')
    await leave(page)

    const [one, two, three] = project as [number, number, number]
    await goTo(
      page,
      `/dashboard/project-info/${one}/dashboard?beside=/project-info/${two}/dashboard&beside=/project-info/${three}/specifications&linked=1`,
    )
    await looked(page, heard, 'three compared')
    await page.emulateMedia({ media: 'print' })
    await looked(page, heard, 'printed')
    await page.emulateMedia({ media: 'screen' })
  })

  test('in links, stored layouts, mail, on a narrow window and for a client user', async ({ page, browser }) => {
    const heard = watch(page)
    await login(page)
    const { project, client } = await recordIds(page)
    const bad = encodeURIComponent('"><img src=x onerror="window.__pwned=1">\u202e')
    for (const path of [
      `/dashboard/all-projects?search=${bad}&status=__proto__&sort=${bad}&page=1e9&view=${bad}`,
      `/dashboard/all-projects?beside=javascript:window.__pwned=1&beside=//evil.test/&beside=${bad}&at=9`,
      `/dashboard/project-info/${project[0]}/notes?do=note.create&note=${bad}`,
      `/dashboard/project-info/${project[0]}/dashboard?do=__proto__&constructor=${bad}`,
      `/dashboard/project-info/${bad}/dashboard`,
      '/w/hostile-layout-0',
      '/w/hostile-layout-1',
      '/w/__proto__',
    ]) {
      await page.goto(path).catch(() => page.goto(`/${path}`))
      await ready(page)
      heard.splice(0, heard.length, ...heard.filter((line) => !/status of 4\d\d/.test(line)))
      await looked(page, heard, path)
      if (path.includes('do=note')) await leave(page)
    }

    await page.setViewportSize({ width: 390, height: 844 })
    const [wide] = project.filter((id) => id % 16 === 2)
    for (const path of [
      href('allProjects'),
      href('project', { id: wide ?? project[0]! }, { tab: 'specifications' }),
      href('project', { id: project[1]! }, { tab: 'overview' }),
      href('client', { id: client[1]! }),
      href('outbox'),
      href('jobs'),
    ]) {
      await page.goto(path)
      await ready(page)
      await looked(page, heard, `${path}, narrow`)
    }

    // A mail is read without our security policy, so its text itself must be harmless.
    const invited = await call(page, 'user.invite', {
      email: 'who@mail.test',
      first_name: '<img src=x onerror="window.__pwned=1">',
      last_name: '"><script>window.__pwned=1</script>',
      role_id: 3,
      client_id: client[0],
    } as never)
    expect(invited.message).toBeTruthy()
    const { data: mails } = await call(page, 'outbox.list', { search: 'who@mail.test' })
    const { data: mail } = await call(page, 'outbox.get', { id: mails[0]!.id })
    const context = await browser.newContext()
    const reader = await context.newPage()
    const read = watch(reader)
    await reader.setContent(mail.html)
    expect(
      await reader.evaluate(() => [...document.querySelectorAll('img, script, svg, iframe, [onerror], [onload]')].length),
    ).toBe(0)
    expect(
      await reader
        .locator('a')
        .evaluateAll((links) => links.map((link) => link.getAttribute('href')!).filter((to) => !/^https?:/.test(to))),
    ).toEqual([])
    expect(read).toEqual([])
    await context.close()

    await page.setViewportSize({ width: 1440, height: 900 })
    // Leaves the open page before its session ends, or it would keep making requests.
    await page.goto('about:blank')
    await page.context().clearCookies()
    await login(page, 'client')
    for (const path of [href('allProjects'), href('newSurveyRequest'), href('account')]) {
      await page.goto(path)
      await ready(page)
      await looked(page, heard, `${path}, as a client user`)
    }
  })
})

/** Closes the palette, from any depth. */
async function leave(page: Page) {
  for (let at = 0; at < 6 && (await palette(page).or(page.getByRole('dialog')).count()); at++) {
    await page.keyboard.press('Escape')
    await drawn(page)
  }
  await expect(palette(page)).toHaveCount(0)
}
