/*
 * `npm run bench -- search-opening [--size=1000000] [--rounds=3]`: from Ctrl+K on a page just opened to names found.
 * A Chromium on the real server's pages; a proxy serves that many names (names-proxy.ts), compressed before.
 * Cold is a browser that has never been here, warm the next visit of the same one; its files are on disk, as a user's.
 * "First" is the first frame with a row among any names, "all" with a row among all of them; "sum" is typed at once.
 * "Since navigation" is the same first row from the start of the page's own loading.
 * The processor's seconds are those of all of Chromium from Ctrl+K to the row among all names.
 */
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { type Browser, expect, type Page } from '@playwright/test'
import { benchInBrowser, goTo, isIndexKept } from './browser.ts'
import { startNamesProxy } from './names-proxy.ts'
import { makeEntities } from './search-names.ts'

const { values } = parseArgs({
  options: { size: { type: 'string', default: '1000000' }, rounds: { type: 'string', default: '3' } },
})
const size = Number(values.size)
/** The goals at a million names, in seconds: cold and warm. */
const GOAL = { cold: 4, warm: 0.3 } as const
/** Milliseconds until a round is given up. */
const MOST_MS = 180_000

/** Runs in the page: `window.openings` gets a time for each number of names that rows were painted among. */
const WATCH = `(() => {
  window.openings = []
  let began = 0
  addEventListener('keydown', (event) => { if (event.ctrlKey && event.key === 'k') began ||= event.timeStamp }, true)
  const look = () => {
    const found = /Found among (\\d{1,3}(?:,\\d{3})*)/.exec(document.querySelector('[role=dialog]')?.textContent ?? '')
    const names = found ? Number(found[1].replaceAll(',', '')) : 0
    if (names && window.openings.at(-1)?.names !== names) {
      const { port1, port2 } = new MessageChannel()
      const one = { names, after: 0, since: 0 }
      window.openings.push(one)
      port1.onmessage = () => { one.since = performance.now(); one.after = one.since - began }
      port2.postMessage(0)
    }
    requestAnimationFrame(look)
  }
  look()
})()`

type Opening = { names: number; after: number; since: number }

/** The processor's seconds of all processes of Chromium so far. */
async function processor(browser: Browser): Promise<number> {
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  await session.detach()
  return processInfo.reduce((sum, { cpuTime }) => sum + cpuTime, 0)
}

async function opening(page: Page): Promise<{ first: number; all: number; since: number; processor: number }> {
  const browser = page.context().browser()!
  await goTo(page, '/dashboard/all-projects')
  await page.evaluate(WATCH)
  const before = await processor(browser)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('sum')
  const openings = (): Promise<Opening[]> => page.evaluate(() => window.openings)
  await expect
    .poll(async () => (await openings()).at(-1)?.names ?? 0, { timeout: MOST_MS, intervals: [100] })
    .toBeGreaterThanOrEqual(size)
  const took = (await processor(browser)) - before
  const seen = await openings()
  const seconds = (ms: number): number => Math.round(ms) / 1000
  return { first: seconds(seen[0]!.after), all: seconds(seen.at(-1)!.after), since: seconds(seen[0]!.since), processor: took }
}

await benchInBrowser(async ({ url, onDisk }) => {
  const proxy = await startNamesProxy(url, makeEntities(size))
  const rows: Record<string, string | number>[] = []
  for (let round = 1; round <= Number(values.rounds); round++) {
    const context = await onDisk(proxy.url)
    for (const visit of ['cold', 'warm'] as const) {
      const page = await context.newPage()
      const { first, all, since, processor: spent } = await opening(page)
      rows.push({
        visit,
        load: loadavg()[0]!.toFixed(1),
        'first (s)': first,
        'all (s)': all,
        'first since navigation (s)': since,
        'processor (s)': spent.toFixed(2),
        [`goal ${GOAL[visit]} s`]: `first ${first < GOAL[visit] ? 'hit' : 'MISSED'}, all ${all < GOAL[visit] ? 'hit' : 'MISSED'}`,
      })
      if (visit === 'cold') await expect.poll(() => isIndexKept(page), { timeout: MOST_MS }).toBe(true)
      await page.close()
    }
    await context.close()
  }
  proxy.stop()
  console.log(`${size.toLocaleString('en')} names`)
  console.table(rows)
})

declare global {
  interface Window {
    openings: Opening[]
  }
}
