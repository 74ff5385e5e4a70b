import type { Page, Request } from '@playwright/test'
import { href } from '../../src/routing/routes.ts'
import { cursorRow, field, keys, list, open, pane, press, projects, ready, rows, select } from '../e2e/verbs.ts'
import { expect, test } from '../support/component.ts'
import { addProjects } from '../support/marketplace.ts'
import type { Portal } from '../support/portal.ts'

/*
 * Reads a record ahead when the cursor rests on its row, or when the palette has it selected.
 */

const OF_RECORD = /\/v3\/portal\/(projects|campaigns)\/(\d+)(?:\/(overview|rewards))?$/
/** Records the requests for single projects, as "530", "530 overview" and "530 rewards". */
function asked(page: Page): { all: string[]; of(id: number): string[] } {
  const all: string[] = []
  page.on('request', (request) => {
    const found = OF_RECORD.exec(new URL(request.url()).pathname)
    if (found) all.push(found.slice(2).filter(Boolean).join(' '))
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
  expect(calls.of(second!.id)).toEqual([`${second!.id}`, `${second!.id} overview`])
})

declare global {
  interface Window {
    placeholders: number
    seenText: boolean
  }
}
/** Runs in the page: counts frames in which the pane in front has placeholders. */
function watchFrames(): void {
  window.placeholders = 0
  const look = () => {
    if (document.querySelector('[data-active] section[role=tabpanel]:not([inert]) [data-loading]')) window.placeholders++
    requestAnimationFrame(look)
  }
  look()
}
/** Runs in the page: notices a text that is shown from now on. */
function watchText(text: string): void {
  window.seenText = false
  new MutationObserver(() => {
    if (document.querySelector('main')!.textContent.includes(text)) window.seenText = true
  }).observe(document.querySelector('main')!, { subtree: true, childList: true, characterData: true })
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
  await api.say('project')
  await again
  await page.clock.pauseAt(Date.now() + 60_000)
  const calls = asked(page)
  await keys(page, 'j')
  // Longer than the cursor rests, shorter than idle work waits for other responses.
  await page.clock.runFor(300)
  await expect.poll(() => calls.of(second!.id)).toEqual([`${second!.id}`, `${second!.id} overview`])
})

/** What a page reads of records: sorted paths of a record's aborted requests, and the most that ran at once. */
function watchRequests(page: Page) {
  const aborted: string[] = []
  const seen = { aborted: (id: number) => aborted.filter((path) => path.split('/').includes(String(id))).toSorted(), most: 0 }
  const running = new Set<Request>()
  page.on('request', (request) => {
    if (!OF_RECORD.test(new URL(request.url()).pathname)) return
    running.add(request)
    seen.most = Math.max(seen.most, running.size)
  })
  page.on('requestfinished', (request) => running.delete(request))
  page.on('requestfailed', (request) => {
    running.delete(request)
    if (request.failure()?.errorText === 'net::ERR_ABORTED') aborted.push(new URL(request.url()).pathname)
  })
  return seen
}

test('a prefetch is aborted when the cursor moves on, and at most two run at once', async ({ page }) => {
  await open(page, 'allProjects')
  await list(page)
  const [, second, third] = await projects(page)
  const requests = watchRequests(page)
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
    .poll(() => requests.aborted(second!.id))
    .toEqual([`/v3/portal/projects/${second!.id}`, `/v3/portal/projects/${second!.id}/overview`])
  await onThird
  expect(requests.most).toBeLessThanOrEqual(2)
})

test('holding j prefetches nothing until it is released, then once', async ({ page, api }) => {
  const [first] = api.market.projects
  await addProjects(api, 40, (nth) => ({ name: `Wave ${nth}` }))
  await page.clock.install()
  const calls = asked(page)
  await open(page, 'allProjects')
  await list(page)
  // The cursor rests on the first row.
  await expect.poll(() => calls.of(first!.id)).toEqual([`${first!.id}`, `${first!.id} overview`])
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
  await api.call('project.edit', { id: second!.id, name: 'Renamed by a colleague', lock_version: second!.lock_version })
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

/** Opens the list of all rewards, one for each of four projects; returns the ids of their projects. */
async function rewards(page: Page, api: Portal): Promise<number[]> {
  const ids = api.market.projects.slice(0, 4).map(({ id }) => id)
  // The newest comes first.
  for (const [at, project_id] of ids.entries())
    await api.make.reward({ id: 64 - at, project_id, name: `Card of P-${project_id}`, amount_cents: 500 })
  // A catalogue that isn't prefetched loads the screen's code, and what requests its rows.
  await open(page, 'project', { id: ids[3]! }, { tab: 'catalogue' })
  await expect(catalogueRow(page, `Card of P-${ids[3]}`)).toBeVisible()
  await keys(page, 'g r')
  await expect(cursorRow(page)).toContainText(`Card of P-${ids[0]}`)
  await expect.poll(() => api.isHeard).toBe(true)
  // The page learns a moment later that it is live, and requests no rows before.
  await expect(page.getByTitle('Changes by others appear as they happen.')).toBeVisible()
  return ids
}
/** Holds the responses of an address until released. */
async function hold(page: Page, address: RegExp): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(address, async (route) => {
    await promise
    await route.continue().catch(() => {})
  })
  return resolve
}
const projectOf = (id: number) => new RegExp(`/portal/projects/${id}$`)
const rowsOf = (id: number) => new RegExp(`/portal/projects/${id}/rewards\\?`)
const catalogueRow = (page: Page, name: string) => pane(page).getByRole('row').filter({ hasText: name })

test('a reward under a resting cursor has its project and its catalogue’s rows prefetched, and opens with no frame of placeholders', async ({
  page,
  api,
}) => {
  const [, second] = await rewards(page, api)
  const calls = asked(page)
  const there = [projectOf(second!), rowsOf(second!)].map((address) => page.waitForResponse(address))
  await keys(page, 'j')
  for (const one of there) await (await one).finished()
  await page.evaluate(watchFrames)
  await keys(page, 'Enter')
  await expect(pane(page).getByRole('heading', { level: 1 })).toContainText(api.market.projects[1]!.name)
  await expect(catalogueRow(page, `Card of P-${second}`)).toBeVisible()
  await ready(page)
  expect(await page.evaluate(() => window.placeholders)).toBe(0)
  expect(calls.of(second!)).toEqual([`${second}`, `${second} rewards`])
})

test('a catalogue’s rows that are still on their way when Enter opens it are waited for, not requested again', async ({
  page,
  api,
}) => {
  const [, second] = await rewards(page, api)
  const calls = asked(page)
  const come = await Promise.all([hold(page, projectOf(second!)), hold(page, rowsOf(second!))])
  await keys(page, 'j')
  await expect.poll(() => calls.of(second!)).toEqual([`${second}`, `${second} rewards`])
  await keys(page, 'Enter')
  await expect(pane(page)).not.toContainText('Card of P-')
  for (const release of come) release()
  await expect(catalogueRow(page, `Card of P-${second}`)).toBeVisible()
  await ready(page)
  expect(calls.of(second!)).toEqual([`${second}`, `${second} rewards`])
})

test('Enter on a reward that wasn’t prefetched requests the catalogue’s rows before its project has come', async ({
  page,
  api,
}) => {
  const [, second] = await rewards(page, api)
  const calls = asked(page)
  const come = await hold(page, projectOf(second!))
  const rows = page.waitForRequest(rowsOf(second!))
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await rows
  come()
  await expect(catalogueRow(page, `Card of P-${second}`)).toBeVisible()
  await ready(page)
  expect(calls.of(second!)).toEqual([`${second}`, `${second} rewards`])
})

test('Enter requests the catalogue’s rows of the next reward while two prefetches of another row still run', async ({
  page,
  api,
}) => {
  const [, second, third] = await rewards(page, api)
  // Their responses never arrive.
  for (const address of [projectOf(second!), rowsOf(second!), projectOf(third!)]) await hold(page, address)
  const prefetched = page.waitForRequest(rowsOf(second!))
  await keys(page, 'j')
  await prefetched
  const needed = page.waitForRequest(rowsOf(third!), { timeout: 20_000 })
  // Both in one task: the prefetches aren't aborted before the screen opens.
  await page.evaluate(() => {
    for (const key of ['j', 'Enter']) document.activeElement!.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
  })
  await needed
})

test('prefetched rows of a catalogue are aborted when the cursor moves on, and at most two requests run at once', async ({
  page,
  api,
}) => {
  const [, second, third] = await rewards(page, api)
  const requests = watchRequests(page)
  // Their responses never arrive.
  await hold(page, projectOf(second!))
  await hold(page, rowsOf(second!))
  const on = page.waitForRequest(rowsOf(second!))
  await keys(page, 'j')
  await on
  const onThird = page.waitForRequest(rowsOf(third!))
  await keys(page, 'j')
  await expect
    .poll(() => requests.aborted(second!))
    .toEqual([`/v3/portal/projects/${second}`, `/v3/portal/projects/${second}/rewards`])
  await onThird
  expect(requests.most).toBe(2)
})

test('a catalogue that a colleague changed since its rows were prefetched opens with what it is now', async ({ page, api }) => {
  const [, second] = await rewards(page, api)
  const calls = asked(page)
  const there = page.waitForResponse(rowsOf(second!))
  await keys(page, 'j')
  await (await there).finished()
  await api.call('reward.edit', { id: 63, name: 'Renamed by a colleague', lock_version: 1 })
  await expect(cursorRow(page)).toContainText('Renamed by a colleague')
  await keys(page, 'Enter')
  await expect(catalogueRow(page, 'Renamed by a colleague')).toBeVisible()
  await ready(page)
  expect(calls.of(second!).filter((one) => one.endsWith('rewards'))).toHaveLength(2)
})

test('a catalogue that the user changed since its rows were prefetched opens with what it is now', async ({ page, api }) => {
  const [, second] = await rewards(page, api)
  const there = page.waitForResponse(rowsOf(second!))
  await keys(page, 'j')
  await (await there).finished()
  await press(page, 'list.edit')
  await pane(page).getByRole('textbox', { name: 'Reward' }).fill('Renamed here')
  await keys(page, 'Enter')
  await expect(cursorRow(page)).toContainText('Renamed here')
  expect(api.writes.map(({ id }) => id)).toEqual(['reward.edit'])
  await page.evaluate(watchText, `Card of P-${second}`)
  await keys(page, 'Enter')
  await expect(catalogueRow(page, 'Renamed here')).toBeVisible()
  await ready(page)
  expect(await page.evaluate(() => window.seenText)).toBe(false)
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

test('a reload reads what the address showed first before the user and the scripts are there, and only once', async ({
  page,
}) => {
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
  for (const later of [/\/assets\/base-/, /validate_token/])
    await page.route(later, async (route) => {
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
