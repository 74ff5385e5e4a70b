import type { Page } from '@playwright/test'
import { addDays } from '../../contract/pacing.ts'
import { href } from '../../src/routing/routes.ts'
import { list, open, pane, press } from '../e2e/verbs.ts'
import { expect, test } from '../support/component.ts'
import { figures } from '../support/marketplace.ts'
import { today } from '../support/today.ts'

// A pane prints completely, without the frame, in light colors.

/** The pages of a PDF, whose page objects aren't compressed. */
async function pagesOf(page: Page): Promise<number> {
  const pdf = await page.pdf({ format: 'A4' })
  return pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0
}
/** The code for printing loads once the page is idle. */
const canPrint = (page: Page) => page.locator('[data-announcer]').waitFor({ state: 'attached' })
async function rowsOf(page: Page): Promise<number> {
  await canPrint(page)
  await list(page)
  return Number(await pane(page).locator('[role=grid], [role=treegrid]').getAttribute('aria-rowcount')) - 1
}
const onPaper = (page: Page) => page.emulateMedia({ media: 'print' })

test('a list prints all loaded rows over pages, with its header on each, no row cut, and without the frame', {
  tag: '@quick',
}, async ({ page }) => {
  await open(page, 'allProjects', {}, { query: { status: 'Active' } })
  const rows = await rowsOf(page)
  const before = await pagesOf(page)
  expect(before).toBe(1)
  await open(page, 'allProjects')
  const all = await rowsOf(page)
  expect(all).toBeGreaterThan(rows)
  expect(await pagesOf(page)).toBe(2)
  await onPaper(page)
  const table = page.getByRole('table', { name: 'All projects' })
  await expect(table.locator('tbody tr')).toHaveCount(all)
  const style = (selector: string, name: 'display' | 'breakInside') =>
    table
      .locator(selector)
      .first()
      .evaluate((one, name) => getComputedStyle(one)[name], name)
  expect(await style('thead', 'display')).toBe('table-header-group')
  expect(await style('tbody tr', 'breakInside')).toBe('avoid')
  await expect(pane(page).getByRole('heading', { name: 'All projects' })).toBeVisible()
  for (const frame of ['header', 'nav', 'footer', '[role=tablist]', '[role=grid]', 'main button', 'kbd'])
    await expect(page.locator(frame).filter({ visible: true }), frame).toHaveCount(0)
  await page.emulateMedia({ media: 'screen' })
  await expect(page.getByRole('banner')).toBeVisible()
  await expect(table).toHaveCount(0)
})

test('an Overview prints its filters, chart and map at the width of the paper, light even in the dark theme', async ({
  page,
  api,
}) => {
  const days = [0, 1, 2, 3, 4, 5, 6].map((at) => addDays(today(), at - 3))
  figures(api, 530, {
    delivery_trend: days.map((date, at) => ({
      date,
      delivered: 40,
      cumulative: at > 3 ? null : 40 * (at + 1),
      expected: 33.4 * (at + 1),
    })),
    geoaddress: [{ latitude: 40.7, longitude: -74, count: 30 }],
    age: [{ value: 1, label: '18 to 24', count: 10, percent: 100 }],
    total: 10,
  })
  await page.emulateMedia({ colorScheme: 'dark' })
  await open(page, 'project', { id: 530 }, { query: { gender: 'female' } })
  // Its points are there before the map is drawn, and paper gets a table of a map that isn't.
  await expect(pane(page).locator('[data-drawn]')).toBeVisible()
  await expect(pane(page).locator('.u-over')).toBeVisible()
  await canPrint(page)
  await onPaper(page)
  await expect(pane(page).locator('[data-chip=on]')).toHaveText(/Gender\s*Female/)
  await expect(pane(page).locator('[data-chip=off]').filter({ visible: true })).toHaveCount(0)
  const lightness = (color: string) => Number(/^(?:oklch|lab)\((\d[\d.]*)/.exec(color)?.[1])
  const ink = await pane(page)
    .getByRole('heading', { level: 1 })
    .evaluate((one) => getComputedStyle(one).color)
  expect(lightness(ink)).toBeLessThan(30)
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)).toBe('rgb(255, 255, 255)')
  // Not the WebGL canvas, which stays white on paper.
  const map = pane(page).getByRole('region', { name: 'Completes by place' })
  const colours = await map.locator('canvas:not(.maplibregl-canvas)').evaluate((copy: HTMLCanvasElement) => {
    const { data } = copy.getContext('2d')!.getImageData(0, 0, copy.width, copy.height)
    return new Set(new Uint32Array(data.buffer)).size
  })
  expect(colours).toBeGreaterThan(2)
  // The narrowest paper leaves 700 px between its margins, or 960 px on its side.
  const widest = () =>
    pane(page)
      .locator('[data-drawing] canvas')
      .evaluateAll((all) => Math.max(...all.map((canvas) => canvas.getBoundingClientRect().width)))
  await page.setViewportSize({ width: 720, height: 1000 })
  expect(await widest()).toBeLessThanOrEqual(700)
  await page.setViewportSize({ width: 1000, height: 720 })
  expect(await widest()).toBeGreaterThan(850)
  expect(await widest()).toBeLessThanOrEqual(960)
})

test('a map is drawn once it is visible; until then paper has a table of its places', async ({ page, api }) => {
  figures(api, 530, { geoaddress: [{ latitude: 40.7, longitude: -74, count: 30 }], total: 30 })
  await page.setViewportSize({ width: 1000, height: 320 })
  await open(page, 'project', { id: 530 }, { tab: 'overview' })
  await canPrint(page)
  const map = pane(page).getByRole('region', { name: 'Completes by place' })
  const canvas = map.locator('.maplibregl-canvas')
  await expect(map).toBeAttached()
  await expect(map).not.toBeInViewport()
  const firstRow = pane(page).getByRole('table', { name: 'Completes by place' }).getByRole('row').nth(1)
  await onPaper(page)
  await expect(firstRow).toHaveText('40.7, -74.030')
  await page.emulateMedia({ media: 'screen' })
  // Longer than a map in sight may take to begin, and than its table waits.
  await page.waitForTimeout(4500)
  await expect(canvas).toHaveCount(0)
  await onPaper(page)
  await expect(firstRow).toHaveText('New York, New York30')
  await page.emulateMedia({ media: 'screen' })
  await map.scrollIntoViewIfNeeded()
  await expect(canvas).toBeVisible()
})

test('a map whose outlines don’t come is a table that says so', async ({ page, api }) => {
  figures(api, 530, { geoaddress: [{ latitude: 40.7, longitude: -74, count: 30 }], total: 30 })
  await page.context().route(/counties-10m.*\.json/, (route) => route.abort())
  await open(page, 'project', { id: 530 }, { tab: 'overview' })
  await expect(pane(page)).toContainText(/The map couldn’t be drawn: .* These are its largest places\./)
  await expect(pane(page).getByRole('table', { name: 'Completes by place' }).getByRole('row').nth(1)).toHaveText('40.7, -74.030')
})

test('questions never scrolled to are loaded before printing, and say what to do if they can’t be', async ({ page }) => {
  await page.addInitScript(() => {
    window.print = () => {
      dispatchEvent(new Event('beforeprint'))
      const sections = [...document.querySelectorAll('[data-printed] [data-question]')]
      const printed = sections.filter((one) => one.querySelector('[data-answers]')).length
      Object.assign(window, { printed: { printed, questions: sections.length } })
      dispatchEvent(new Event('afterprint'))
    }
  })
  await page.setViewportSize({ width: 1000, height: 320 })
  await open(page, 'project', { id: 530 }, { tab: 'userResponses' })
  const last = pane(page).locator('[data-question]').last()
  await expect(pane(page).getByRole('listbox').first()).toBeVisible()
  await canPrint(page)
  await expect(last.locator('[data-answers]')).toHaveCount(0)
  // The browser's own key can't wait.
  const atOnce = await last.evaluate((question) => {
    dispatchEvent(new Event('beforeprint'))
    const text = question.textContent
    dispatchEvent(new Event('afterprint'))
    return text
  })
  expect(atOnce).toContain('Not loaded yet. “Print this page” (w p) loads it first.')
  await press(page, 'pane.print')
  const printed = () => page.evaluate(() => (window as { printed?: { printed: number; questions: number } }).printed)
  await expect.poll(printed).toEqual({ printed: 9, questions: 9 })
  await expect(last.locator('[data-answers]')).toHaveCount(0)
})

test('bars on paper are as high as their labels, and bins keep their height', async ({ page }) => {
  await open(page, 'project', { id: 530 }, { tab: 'userResponses' })
  const rows = pane(page).getByRole('listbox').first().getByRole('option')
  await expect(rows.first()).toBeVisible()
  await canPrint(page)
  await page.setViewportSize({ width: 700, height: 1000 })
  await onPaper(page)
  // On paper, all questions are drawn once their answers have loaded.
  await expect(async () => {
    const sizes = await pane(page)
      .locator('.grid-cols-subgrid[data-answer]')
      .evaluateAll((all) =>
        all.map((row) => {
          const label = row.querySelector('[title]')!
          return { over: label.scrollHeight - row.clientHeight, lines: label.scrollHeight }
        }),
      )
    expect(Math.max(...sizes.map(({ lines }) => lines))).toBeGreaterThan(22)
    expect(Math.max(...sizes.map(({ over }) => over))).toBeLessThanOrEqual(1)
  }).toPass({ timeout: 10_000 })
})

test('a report of columns begins on its first page, and a map keeps its clusters', async ({ page, api }) => {
  figures(api, 530, {
    geoaddress: [
      { latitude: 40.7, longitude: -74, count: 30 },
      { latitude: 40.71, longitude: -74.01, count: 20 },
    ],
    total: 50,
  })
  await open(page, 'project', { id: 530 })
  await pane(page).getByRole('region', { name: 'Completes by place' }).scrollIntoViewIfNeeded()
  await expect(pane(page).locator('[data-drawn]')).toBeVisible()
  await canPrint(page)
  await onPaper(page)
  await expect(pane(page).locator('.point-map-bubble').first()).toBeVisible()
  await page.emulateMedia({ media: 'screen' })
  await open(page, 'project', { id: 530 }, { tab: 'clientReporting' })
  await expect(pane(page).getByRole('grid')).toBeVisible()
  await canPrint(page)
  await onPaper(page)
  const report = pane(page).getByRole('table')
  await expect(report).toBeVisible()
  const uncut = await report.evaluate((table) => {
    const cut: string[] = []
    for (let one: Element | null = table; one; one = one.parentElement)
      if (getComputedStyle(one).breakInside === 'avoid') cut.push(one.tagName)
    return cut
  })
  expect(uncut).toEqual([])
})

test('“Print this page” prints the pane that has the focus, with its address, the time and pages at the foot', async ({
  page,
}) => {
  await page.addInitScript(() => {
    window.print = () => {
      dispatchEvent(new Event('beforeprint'))
      const rules = document.adoptedStyleSheets.flatMap((sheet) => [...sheet.cssRules].map((rule) => rule.cssText))
      Object.assign(window, { printed: rules.find((rule) => rule.startsWith('@page')) })
      dispatchEvent(new Event('afterprint'))
    }
  })
  await page.goto(`${href('clients')}?beside=/partners`)
  await list(page)
  await press(page, 'pane.print')
  const printed = () => page.evaluate(() => (window as { printed?: string }).printed ?? '')
  await expect.poll(printed).toContain('@page')
  const rule = await printed()
  expect(rule).toContain(`${new URL(page.url()).origin}/dashboard/clients`)
  expect(rule).toContain('counter(pages)')
  expect(rule).toMatch(/\w{3} \d+, \d{4}, \d+:\d\d [AP]M/)
  expect(rule).not.toContain('beside')
  await expect(page.locator('[data-printed], [data-paper]')).toHaveCount(0)
})
