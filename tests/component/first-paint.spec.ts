import type { Page } from '@playwright/test'
import { addDays } from '../../contract/pacing.ts'
import { href } from '../../src/routing/routes.ts'
import { cursorRow, keys, list, open, pane, projects, ready, search, select } from '../e2e/verbs.ts'
import { expect, test } from '../support/component.ts'
import { figures } from '../support/marketplace.ts'
import { today } from '../support/today.ts'

/*
 * A screen has the same layout before and after its data arrive, and nothing in it moves.
 */

/** Holds back responses and the code of screens until each is released. */
async function held(page: Page, address: RegExp): Promise<() => void> {
  let come = () => {}
  const until = new Promise<void>((resolve) => {
    come = resolve
  })
  await page.route(address, async (route) => {
    await until
    await route.continue()
  })
  return come
}

/** The layout shift on the page, as browsers measure it: the share of the window times the distance. */
const shifted = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list, observer) => {
          observer.disconnect()
          resolve(list.getEntries().reduce((sum, entry) => sum + (entry as PerformanceEntry & { value: number }).value, 0))
        }).observe({ type: 'layout-shift', buffered: true })
        // Without a shift, the observer never calls back.
        requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(() => resolve(0))))
      }),
  )
const skeleton = (page: Page, kind: string) => pane(page).locator(`[data-skeleton=${kind}]`)
const top = async (page: Page, selector: string) => (await pane(page).locator(selector).first().boundingBox())?.y ?? Number.NaN

test('a loading list has its title, filters and rows, and nothing moves', async ({ page }) => {
  const code = await held(page, /assets\/ClientsPane/)
  const rows = await held(page, /portal\/clients/)
  await page.goto(href('clients'))
  await expect(skeleton(page, 'list')).toBeVisible()
  code()
  await expect(pane(page).getByRole('heading', { name: 'Clients' })).toBeVisible()
  rows()
  await ready(page)
  await expect(pane(page).getByRole('row').nth(1)).toBeVisible()
  expect(await shifted(page)).toBeLessThan(0.02)
})

test('a loading Overview has its tiles where the charts come, and nothing moves', async ({ page, api }) => {
  const days = [0, 1, 2, 3, 4, 5, 6].map((at) => addDays(today(), at - 3))
  figures(api, 530, {
    delivery_trend: days.map((date, at) => ({ date, delivered: 40, cumulative: at > 3 ? null : 40 * (at + 1), expected: 9 })),
    age: [18, 25, 35, 45, 55].map((from) => ({ value: from, label: `${from} and older`, count: 10, percent: 20 })),
    geoaddress: [{ latitude: 40.7, longitude: -74, count: 30 }],
    total: 50,
  })
  const record = await held(page, /portal\/projects\/530(\?|$)/)
  const overview = await held(page, /530\/overview/)
  await page.goto(href('project', { id: 530 }, { tab: 'overview' }))
  await expect(skeleton(page, 'charts')).toBeVisible()
  const tiles = { key: Number.NaN, trend: Number.NaN, age: Number.NaN }
  for (const id of Object.keys(tiles) as (keyof typeof tiles)[]) tiles[id] = await top(page, `[data-tile=${id}]`)
  record()
  await expect(pane(page).getByRole('heading', { level: 1 })).toContainText('Alder')
  overview()
  await ready(page)
  await expect(pane(page).locator('.u-over')).toBeVisible()
  for (const [id, y] of Object.entries(tiles))
    expect(Math.abs((await top(page, `[data-anchor=${id}]`)) - y), id).toBeLessThanOrEqual(8)
  expect(await shifted(page)).toBeLessThan(0.02)
})

for (const [tab, shape, first] of [
  ['specifications', 'specifications', '[data-row]'],
  ['history', 'entries', 'ol'],
  ['notes', 'entries', '[data-command="note.create"]'],
  ['rewardCenter', 'list', 'fieldset'],
  ['userResponses', 'answers', '[data-questions]'],
] as const)
  test(`a record’s tab has its own placeholder while it loads: ${tab}`, async ({ page }) => {
    const record = await held(page, /portal\/projects\/530(\?|$)/)
    await page.goto(href('project', { id: 530 }, { tab }))
    const place = skeleton(page, shape)
    await expect(place).toBeVisible()
    const { y } = (await place.boundingBox())!
    record()
    await ready(page)
    await expect(place).toHaveCount(0)
    // Content starts where its placeholder started.
    expect(Math.abs((await pane(page).getByRole('tabpanel').boundingBox())!.y - y)).toBeLessThanOrEqual(2)
    await expect(pane(page).locator(first).first()).toBeVisible()
    expect(await shifted(page)).toBeLessThan(0.02)
  })

for (const [filter, query] of [
  ['none', {}],
  ['901', {}],
  ['none', { service: '12' }],
] as const)
  test(`a brand’s visits on a phone stay where they are while they arrive: ${JSON.stringify({ filter, ...query })}`, async ({
    page,
    api,
  }) => {
    // Longer than the words in its place.
    await api.set('services', 12, { name: 'Drive-through counters on highways and in stations of the north' })
    await page.setViewportSize({ width: 390, height: 844 })
    const parts = []
    for (const address of [/visitation\/brands\/1/, /load_filters/, /visitation\/counts/])
      parts.push({ address, come: await held(page, address) })
    await page.goto(href('brand', { id: 1, filter }, { query }))
    const start = pane(page).locator('[data-anchor=figures]')
    await expect(start).toBeVisible()
    const { y } = (await start.boundingBox())!
    for (const { address, come } of parts) {
      const arrived = page.waitForResponse(address)
      come()
      await arrived
      expect((await start.boundingBox())!.y, String(address)).toBe(y)
    }
    await ready(page)
    await expect(pane(page).getByText(/Data since/)).toBeVisible()
    await expect(pane(page).getByRole('button', { name: 'Save filter' })).toBeVisible()
    expect((await start.boundingBox())!.y).toBe(y)
  })

test('a loading form has its header and fields, and nothing moves', async ({ page }) => {
  const record = await held(page, /portal\/projects\/530(\?|$)/)
  await page.goto(href('editProject', { id: 530 }))
  await expect(skeleton(page, 'form')).toBeVisible()
  record()
  await ready(page)
  await expect(pane(page).getByRole('textbox').first()).toBeVisible()
  expect(await shifted(page)).toBeLessThan(0.02)
})

test('a record’s tab has its name before the record is read, from the row that opened it', async ({ page }) => {
  const tab = (name: string) => page.getByRole('tab', { name: new RegExp(`^${name}`) })
  await open(page, 'allProjects')
  await list(page)
  const inList = await cursorRow(page).locator('[role=gridcell] a, [role=rowheader] a').first().textContent()
  const details = await held(page, /portal\/(projects|campaigns)\/\d+/)
  await keys(page, 'Enter')
  await expect(tab(inList!)).toBeVisible()
  details()
  await ready(page)

  await open(page, 'allProjects')
  await list(page)
  const [, , third] = await projects(page)
  await search(page, third!.name)
  await select(page, page.locator('[data-palette] [role=option]', { hasText: third!.name }).first())
  const others = await held(page, /portal\/(projects|campaigns)\/\d+/)
  await keys(page, 'Enter')
  await expect(tab(third!.name)).toBeVisible()
  others()
})
