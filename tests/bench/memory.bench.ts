/*
 * Whether an hour of work leaks: `node tests/bench/memory.bench.ts [--opens 600]`, about four minutes.
 * The real server on a copy of the small marketplace, one Chromium page.
 * By keyboard and in-page navigation it opens and closes lists, projects, Overviews and the palette, each beside.
 * Every 100 opens it collects garbage twice by DevTools, then counts heap, DOM nodes, documents and listeners.
 * The first 100 warm the caches, which keep some responses for a quick return, and don't count.
 * Growth is the slope of a line through the later readings, per 100 opens; without leaks it is around 0.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { CDPSession, Page } from '@playwright/test'
import { href } from '../../src/routing/routes.ts'
import { ask, benchInBrowser, goTo } from './browser.ts'

const { values } = parseArgs({ options: { opens: { type: 'string', default: '600' } } })
const OPENS = Number(values.opens)
const EVERY = 100

type Reading = { opens: number; 'heap (MB)': number; nodes: number; listeners: number; documents: number }

await benchInBrowser(async ({ person }) => {
  const context = await person()
  const page = await context.newPage()
  const { data } = await ask<{ data: { id: number }[] }>(context, 'GET', '/v3/portal/projects')
  const ids = data.map(({ id }) => id).slice(0, 12)
  const tabs = ['overview', 'specifications', 'history', 'notes', 'rewardCenter', 'overview'] as const
  const screens = [
    ...ids.map((id, at) => href('project', { id }, { tab: tabs[at % tabs.length]! })),
    ...(['clients', 'jobs', 'allProjects', 'surveyProjects'] as const).map((id) => href(id)),
    href('usersInfo', {}, { tab: 'clientUsers' }),
  ]
  await goTo(page, '/dashboard/all-projects')
  const cdp = await context.newCDPSession(page)
  await cdp.send('HeapProfiler.enable')
  await cdp.send('Performance.enable')
  const readings: Reading[] = []
  for (let opens = 0; opens <= OPENS; opens++) {
    if (opens && opens % EVERY === 0) readings.push(await read(cdp, opens))
    await (opens % 5 === 4 ? palette(page) : beside(page, screens[opens % screens.length]!))
  }
  console.table(readings)
  const later = readings.slice(1)
  if (later.length < 3) return
  console.log(
    `Growth per ${EVERY} opens and closes after the first ${EVERY * 2}: heap ${slope(later, 'heap (MB)').toFixed(2)} MB, nodes ${slope(later, 'nodes').toFixed(0)}, listeners ${slope(later, 'listeners').toFixed(0)}`,
  )
})

/** Opens a path beside by pasting its link into the palette, looks at it, and closes it. */
async function beside(page: Page, path: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').waitFor()
  await page.keyboard.insertText(path)
  await page.locator('[role=option][aria-selected=true]').first().waitFor()
  await page.keyboard.press('Control+Enter')
  await page.waitForFunction(() => document.querySelectorAll('[data-column]').length === 2, null, { timeout: 15_000 })
  await page.waitForFunction(
    () => {
      const panel = document.querySelector('[data-column="2"] [role=tabpanel]:not([inert])')
      return panel && (panel.textContent ?? '').length > 30 && !panel.querySelector('[role=status][aria-label^=Loading]')
    },
    null,
    { timeout: 15_000 },
  )
  await page.waitForTimeout(60)
  await page.keyboard.press('Alt+w')
  await page.waitForFunction(() => document.querySelectorAll('[data-column]').length === 1, null, { timeout: 15_000 })
}

async function palette(page: Page): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').waitFor()
  await page.keyboard.type('brand tr')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

async function read(cdp: CDPSession, opens: number): Promise<Reading> {
  for (let round = 0; round < 2; round++) {
    await cdp.send('HeapProfiler.collectGarbage')
    await delay(300)
  }
  const { usedSize } = await cdp.send('Runtime.getHeapUsage')
  const { metrics } = await cdp.send('Performance.getMetrics')
  const of = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN
  return {
    opens,
    'heap (MB)': Math.round(usedSize / 10_000) / 100,
    nodes: of('Nodes'),
    listeners: of('JSEventListeners'),
    documents: of('Documents'),
  }
}

/** The slope of the least-squares line through the readings, per reading. */
function slope(readings: readonly Reading[], what: 'heap (MB)' | 'nodes' | 'listeners'): number {
  const middle = (readings.length - 1) / 2
  const mean = readings.reduce((sum, reading) => sum + reading[what], 0) / readings.length
  const over = readings.reduce((sum, reading, at) => sum + (at - middle) * (reading[what] - mean), 0)
  return over / readings.reduce((sum, _, at) => sum + (at - middle) ** 2, 0)
}
