import type { Page, Request } from '@playwright/test'
import { href } from '../../src/routing/routes.ts'
import { cursorRow, field, keys, list, open, pane, projects, ready, rows, select } from '../e2e/verbs.ts'
import { expect, test } from '../support/component.ts'

/*
 * Reads a record ahead when the cursor rests on its row, or when the palette has it selected.
 */

const OF_RECORD = /\/v3\/portal\/(projects|campaigns)\/(\d+)(\/overview)?$/
/** Records the requests for single projects, as "530" and "530 figures". */
function asked(page: Page): { all: string[]; of(id: number): string[] } {
  const all: string[] = []
  page.on('request', (request) => {
    const found = OF_RECORD.exec(new URL(request.url()).pathname)
    if (found) all.push(`${found[2]}${found[3] ? ' figures' : ''}`)
  })
  return { all, of: (id) => all.filter((one) => one.startsWith(`${id}`)).toSorted() }
}

test('the row under a resting cursor is prefetched once, and opens with its figures and no placeholder', async ({
  page,
  api,
}) => {
  await open(page, 'allProjects')
  await list(page)
  await expect.poll(() => api.isHeard).toBe(true)
  const [, second] = await projects(page)
  // The first opening loads the screen's code.
  await keys(page, 'Enter')
  await ready(page)
  await keys(page, 'Alt+w')
  await list(page)
  const calls = asked(page)
  const figures = page.waitForResponse((answer) => answer.url().endsWith(`/${second!.id}/overview`))
  await keys(page, 'j')
  await (await figures).finished()
  await expect(cursorRow(page)).toContainText(second!.name)
  await page.evaluate(watchPlaceholders)
  await keys(page, 'Enter')
  await expect(pane(page).locator('[data-anchor=key]')).toContainText('%')
  await ready(page)
  expect(await page.evaluate(() => window.placeholders)).toBe(0)
  expect(calls.of(second!.id)).toEqual([`${second!.id}`, `${second!.id} figures`])
})

declare global {
  interface Window {
    placeholders: number
  }
}
/** Runs in the page: counts added placeholders. */
function watchPlaceholders(): void {
  window.placeholders = 0
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes)
      for (const node of addedNodes)
        if (node instanceof Element && (node.matches('[data-loading]') || node.querySelector('[data-loading]')))
          window.placeholders += 1
  }).observe(document.querySelector('main')!, { subtree: true, childList: true })
}

test('the row under a resting cursor is prefetched while the list waits for a response', async ({ page, api }) => {
  await page.clock.install()
  await open(page, 'allProjects')
  await list(page)
  await expect.poll(() => api.isHeard).toBe(true)
  const [, second] = await projects(page)
  const again = page.waitForRequest(/\/projects\/all/)
  // Its response never arrives.
  await page.route(/\/projects\/all/, () => {})
  api.say('project')
  await again
  await page.clock.pauseAt(Date.now() + 60_000)
  const calls = asked(page)
  await keys(page, 'j')
  // Longer than the cursor rests, shorter than idle work waits for other responses.
  await page.clock.runFor(300)
  await expect.poll(() => calls.of(second!.id)).toEqual([`${second!.id}`, `${second!.id} figures`])
})

test('a prefetch is aborted when the cursor moves on, and at most two run at once', async ({ page }) => {
  await open(page, 'allProjects')
  await list(page)
  const [, second, third] = await projects(page)
  const taken: string[] = []
  const way = new Set<Request>()
  let most = 0
  page.on('request', (request) => {
    if (!OF_RECORD.test(new URL(request.url()).pathname)) return
    way.add(request)
    most = Math.max(most, way.size)
  })
  page.on('requestfinished', (request) => way.delete(request))
  page.on('requestfailed', (request) => {
    way.delete(request)
    if (request.failure()?.errorText === 'net::ERR_ABORTED') taken.push(new URL(request.url()).pathname)
  })
  const asks = (id: number) => page.waitForRequest((request) => request.url().endsWith(`/${id}/overview`))
  // Its responses never arrive.
  await page.route(new RegExp(`/portal/projects/${second!.id}(/overview)?$`), () => {})
  const on = asks(second!.id)
  await keys(page, 'j')
  await on
  const onThird = asks(third!.id)
  await keys(page, 'j')
  await expect
    // The first row's requests may have been on their way, too.
    .poll(() => taken.filter((path) => path.split('/').includes(String(second!.id))).toSorted())
    .toEqual([`/v3/portal/projects/${second!.id}`, `/v3/portal/projects/${second!.id}/overview`])
  await onThird
  expect(most).toBeLessThanOrEqual(2)
})

test('holding j prefetches nothing until it is released, then once', async ({ page, api }) => {
  const [first] = api.market.projects
  api.market.projects.push(...Array.from({ length: 40 }, (_, nth) => ({ ...first!, id: 9000 + nth, name: `Wave ${nth}` })))
  await page.clock.install()
  const calls = asked(page)
  await open(page, 'allProjects')
  await list(page)
  // The cursor rests on the first row.
  await expect.poll(() => calls.of(first!.id)).toEqual([`${first!.id}`, `${first!.id} figures`])
  await page.clock.pauseAt(Date.now() + 60_000)
  calls.all.length = 0
  for (let nth = 0; nth < 25; nth++) {
    await page.keyboard.down('j')
    await page.clock.runFor(35)
  }
  await page.keyboard.up('j')
  expect(calls.all).toEqual([])
  await page.clock.resume()
  await expect.poll(() => calls.all.length).toBe(2)
  expect(new Set(calls.all.map((one) => one.split(' ')[0])).size).toBe(1)
})

test('a record that changed since its prefetch is read again', async ({ page, api }) => {
  await open(page, 'allProjects')
  await list(page)
  await expect.poll(() => api.isHeard).toBe(true)
  const [, second] = await projects(page)
  const calls = asked(page)
  await keys(page, 'j')
  await expect.poll(() => calls.of(second!.id).length).toBe(2)
  api.market.projects.find(({ id }) => id === second!.id)!.name = 'Renamed by a colleague'
  api.say('project')
  await expect(cursorRow(page)).toContainText('Renamed by a colleague')
  await keys(page, 'Enter')
  await expect(pane(page).getByRole('heading', { level: 1 })).toContainText('Renamed by a colleague')
  await expect.poll(() => calls.of(second!.id).length).toBe(4)
})

test('a browser in data-saver mode prefetches nothing', async ({ page }) => {
  await page.addInitScript(() => Object.defineProperty(navigator, 'connection', { value: { saveData: true } }))
  await page.clock.install()
  await open(page, 'allProjects')
  await list(page)
  const calls = asked(page)
  await keys(page, 'j')
  await page.clock.runFor(5000)
  await keys(page, 'j')
  await page.clock.runFor(5000)
  expect(calls.all).toEqual([])
  await keys(page, 'Enter')
  await ready(page)
  expect(calls.all.length).toBe(2)
})

test('the selected row of the palette is prefetched', async ({ page }) => {
  await page.goto(href('clients'))
  await list(page)
  const [, second] = await projects(page)
  const calls = asked(page)
  await keys(page, 'Mod+k')
  await expect(field(page)).toBeFocused()
  await page.keyboard.type(second!.name)
  await select(page, rows(page).filter({ hasText: second!.name }))
  await expect.poll(() => calls.of(second!.id)).toContain(`${second!.id}`)
  await keys(page, 'Enter')
  await ready(page)
  await expect(pane(page).getByRole('heading', { level: 1 })).toContainText(second!.name)
})

test('a reload reads what the address showed first before the workspace’s scripts are there, and only once', async ({ page }) => {
  await open(page, 'allProjects', {}, { query: { search: 'a' } })
  await list(page)
  // Written down once the first screen is settled.
  await expect.poll(() => page.evaluate(() => JSON.stringify(localStorage))).toContain('fieldwork.first.')
  const reads: string[] = []
  const early = Promise.withResolvers<void>()
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (!pathname.endsWith('/projects/all') || searchParams.get('page') !== '1') return
    reads.push(searchParams.get('search')!)
    early.resolve()
  })
  await page.route(/\/assets\/base-/, async (route) => {
    await early.promise
    await route.continue()
  })
  await page.reload()
  await list(page)
  await ready(page)
  expect(reads).toEqual(['a'])
})

test('a reload asks who is signed in before the workspace’s scripts are there, and only once', async ({ page }) => {
  await open(page, 'allProjects')
  await list(page)
  let times = 0
  const asked = Promise.withResolvers<void>()
  page.on('request', (request) => {
    if (!request.url().includes('/validate_token')) return
    times++
    asked.resolve()
  })
  await page.route(/\/assets\/base-/, async (route) => {
    await asked.promise
    await route.continue()
  })
  await page.reload()
  await list(page)
  expect(times).toBe(1)
})
