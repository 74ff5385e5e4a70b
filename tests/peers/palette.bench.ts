/*
 * Keystroke to paint, some three minutes:
 * `node tests/peers/palette.bench.ts [--queries 14] [--sizes 100000,1000000] [--plain 2000,10000] [--profile]`.
 * One Chromium on the real server's pages, with an empty input (the floor) first.
 * Then our palette at 100,000 and 1,000,000 names, and a plain cmdk list of 2,000 and 10,000 items.
 * A proxy serves the index with tests/bench/search-names.ts.
 *
 * Playwright sends real key events. The clock starts with the event's timestamp, so waiting for the thread counts.
 * It ends in the first task after a frame. There are two ends.
 * "p50", "p95" and "max" end with the frame after the last visible change.
 * Visible means at least partly inside the window and the list, and not only for screen readers.
 * A list that echoes the letter at once is timed until its rows appear, and visible late rows count.
 * "Settled" ends with the frame after the last change of anything within 250 ms.
 * Our palette draws rows below the edge 100 ms after the last letter, so this is never below 100.
 * Frames come every 16.7 ms, which limits precision; the floor includes half a frame on average.
 * Software rendering (no GPU), 1440 by 900. Each kind's first query warms up and doesn't count.
 * `--profile` prints where the page's own thread spent its time during typing.
 */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { expect, type Page } from '@playwright/test'
import { build } from 'vite'
import type { Entity } from '../../src/search/types.ts'
import { benchInBrowser, goTo, isIndexKept, spread } from '../bench/browser.ts'
import { printProfile, startProfile } from '../bench/profile.ts'
import { makeEntities } from '../bench/search-names.ts'
import { startNamesProxy } from './names-proxy.ts'

const { values } = parseArgs({
  options: {
    queries: { type: 'string', default: '14' },
    sizes: { type: 'string', default: '100000,1000000' },
    /** Sizes of the plain lists; empty for none. */
    plain: { type: 'string', default: '2000,10000' },
    profile: { type: 'boolean', default: false },
  },
})
const QUERIES = Number(values.queries)
const SIZES = values.sizes.split(',').map(Number)
const PLAIN = values.plain.split(',').filter(Boolean).map(Number)
const FRAME_MS = 1000 / 60

/**
 * Runs in the page: `window.painted()` returns two times once nothing has changed for a while.
 * They are the ms from the last key to the last visible paint, and to the last paint at all.
 */
const WATCH = `(() => {
  const QUIET = 250
  let began = 0, ended = 0, endedInSight = 0, changed = 0, waiting = false, records = []
  const within = (element, top, bottom) => {
    const list = element.closest('[role=listbox]')
    const edge = list && list !== element ? list.getBoundingClientRect() : { top: 0, bottom: innerHeight }
    return bottom > Math.max(0, edge.top) && top < Math.min(innerHeight, edge.bottom)
  }
  const elementOf = (node) => node.nodeType === 1 ? node : node.parentElement
  const shows = (node) => {
    const element = elementOf(node)
    // What is only spoken is not painted.
    if (!element || !element.isConnected || element.closest('.sr-only')) return false
    const { top, bottom } = element.getBoundingClientRect()
    return within(element, top, bottom)
  }
  // What was removed came after what was before it.
  const showed = (record) => {
    if (!record.target.isConnected || elementOf(record.target).closest('.sr-only')) return false
    const before = record.previousSibling && elementOf(record.previousSibling)
    const place = before && before.isConnected && before !== record.target ? before.getBoundingClientRect().bottom : elementOf(record.target).getBoundingClientRect().top
    return within(elementOf(record.target), place, place + 1)
  }
  const inSight = (record) => record.type !== 'childList' ? shows(record.target) : [...record.addedNodes].some(shows) || (record.removedNodes.length > 0 && showed(record))
  const frame = () => {
    if (waiting) return
    waiting = true
    requestAnimationFrame(() => {
      const drawn = records
      records = []
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => {
        const now = performance.now()
        ended = now
        waiting = false
        if (!endedInSight || drawn.some(inSight)) endedInSight = now
      }
      port2.postMessage(0)
    })
  }
  addEventListener('keydown', (event) => {
    began = event.timeStamp
    ended = endedInSight = 0
    records = []
    changed = performance.now()
    frame()
  }, true)
  new MutationObserver((more) => {
    if (!began) return
    changed = performance.now()
    records.push(...more)
    waiting ? requestAnimationFrame(() => frame()) : frame()
  }).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: ['aria-selected', 'data-row', 'hidden'] })
  window.painted = () => new Promise((resolve) => {
    const look = () => {
      if (ended && !waiting && performance.now() - Math.max(changed, ended) > QUIET) { const took = { sight: endedInSight - began, settled: ended - began }; began = 0; return resolve(took) }
      setTimeout(look, 20)
    }
    look()
  })
})()`

type Line = { what: string; n: number; p50: number; p95: number; max: number; 'settled p50': number; 'settled p95': number }
const words = (count: number) => count.toLocaleString('en')

await benchInBrowser(async ({ url, person, folder }) => {
  const lines: Line[] = []
  let floor: Line | null = null
  const built: Record<string, unknown>[] = []
  for (const size of SIZES) {
    const entities = makeEntities(size)
    const queries = queriesOf(entities)
    const proxy = await startNamesProxy(url, entities)
    const context = await person(proxy.url)
    const page = await context.newPage()
    await goTo(page, '/dashboard/all-projects')
    await page.evaluate(WATCH)
    const cold = await opened(page, size)
    await page.keyboard.press('Escape')
    // The names are stored for the next visit once they can be searched.
    await expect.poll(() => isIndexKept(page), { timeout: 60_000 }).toBe(true)
    await goTo(page, '/dashboard/all-projects')
    await page.evaluate(WATCH)
    const warm = await opened(page, size)
    built.push({
      names: words(size),
      'cold: first after (s)': cold.first,
      'all (s)': cold.all,
      'longest task (ms)': cold.longest,
      'warm: first after (s)': warm.first,
      'all again (s)': warm.all,
      'its longest task (ms)': warm.longest,
    })
    await page.keyboard.press('Escape')
    // After the names, which load from the page's first idle moment.
    if (!floor) {
      floor = await emptyInput(page, queries)
      lines.push(floor)
    }
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('combobox').waitFor()
    await page.waitForTimeout(1500)
    const cdp = values.profile ? await startProfile(page) : null
    lines.push(await measure(page, `our palette, ${words(size)} names`, queries))
    if (cdp) await printProfile(cdp)
    await context.close()
    proxy.stop()
  }
  const plain = await bundle(folder)
  for (const size of PLAIN) {
    const entities = makeEntities(size)
    const context = await person()
    const page = await context.newPage()
    await page.route('**/assets/plain-cmdk.js', (route) => route.fulfill({ contentType: 'text/javascript', body: plain }))
    await page.route(/palette\/index/, (route) => route.fulfill({ json: { cursor: 1, full: true, put: [], drop: [] } }))
    await goTo(page, '/dashboard/all-projects')
    await page.evaluate(WATCH)
    await page.evaluate(
      (names) => {
        window.entries = names
      },
      entities.map(({ name }) => name),
    )
    await page.addScriptTag({ url: '/assets/plain-cmdk.js', type: 'module' })
    await page.evaluate(() => window.showPlain())
    await page.locator('#plain input').focus()
    await page.waitForTimeout(1500)
    // An engine that takes a second for each letter gets fewer of them.
    lines.push(await measure(page, `a plain cmdk list, ${words(size)} items`, queriesOf(entities).slice(0, size > 5000 ? 5 : 8)))
    await context.close()
  }
  console.table(built)
  console.table(lines)
  for (const line of lines.filter(({ what }) => what.startsWith('our'))) {
    const over = line.p95 - floor!.p95
    console.log(
      `${line.what}: p95 is ${over.toFixed(1)} ms above the floor's; the goal is one frame (16.7): ${over <= FRAME_MS ? 'met' : 'NOT MET'}`,
    )
  }
})

/** A name's first six letters, and prefixes of its words: what people type. */
function queriesOf(entities: readonly Entity[]): string[] {
  const step = Math.floor(entities.length / QUERIES)
  return Array.from({ length: QUERIES }, (_, at) => {
    // Chromium's test keyboard has no ü.
    const name = entities[at * step]!.name.normalize('NFD').replace(/[^\w ]/g, '')
    const parts = name.toLowerCase().split(/\s+/)
    return at % 2
      ? name.slice(0, 6).toLowerCase()
      : parts
          .map((word) => word.slice(0, 3))
          .join(' ')
          .slice(0, 8)
  })
}

async function emptyInput(page: Page, queries: readonly string[]): Promise<Line> {
  await page.evaluate(() => {
    const input = document.createElement('input')
    input.id = 'floor'
    input.style.cssText = 'position:fixed;top:0;left:40vw;z-index:99'
    document.body.append(input)
    input.focus()
  })
  const line = await measure(page, 'an empty input (the floor)', queries)
  await page.evaluate(() => document.getElementById('floor')?.remove())
  return line
}

/** From Ctrl+K on a page just opened: seconds to the first names and to all, and the longest task in ms. */
async function opened(page: Page, size: number): Promise<{ first: number; all: number; longest: number }> {
  await page.evaluate(() => {
    window.longest = 0
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) window.longest = Math.max(window.longest, entry.duration)
    }).observe({ type: 'longtask' })
  })
  const began = performance.now()
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').waitFor()
  const seconds = () => Math.round((performance.now() - began) / 10) / 100
  const first = await full(page, size, seconds)
  return { first, all: seconds(), longest: Math.round(await page.evaluate(() => window.longest)) }
}

/** Waits until the palette can search all names, and returns when the first were found; throws if it never can. */
async function full(page: Page, size: number, seconds: () => number): Promise<number> {
  const until = performance.now() + 90_000
  let first = 0
  await page.keyboard.type('sum')
  while (performance.now() < until) {
    const heads = await page
      .getByRole('dialog')
      .getByText(/^Found among|^Also found/)
      .allTextContents()
    if (heads.length) first ||= seconds()
    if (heads.includes(`Found among ${words(size)}`)) {
      await page.keyboard.press('Control+a')
      await page.keyboard.press('Backspace')
      return first
    }
    // A page's first search exceeds its budget and shows only "Also found", so it is typed again.
    await page.keyboard.press('Backspace')
    await page.keyboard.type('m')
    await page.waitForTimeout(30)
  }
  throw new Error(`The palette never found anything among ${words(size)}`)
}

/** Bundles the list and its React as one script. */
async function bundle(folder: string): Promise<string> {
  const outDir = join(folder, 'plain')
  await build({
    configFile: false,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      outDir,
      lib: { entry: resolve(import.meta.dirname, 'page/plain-cmdk.tsx'), formats: ['es'], fileName: () => 'plain-cmdk.js' },
    },
  })
  return readFileSync(join(outDir, 'plain-cmdk.js'), 'utf8')
}

declare global {
  interface Window {
    painted: () => Promise<{ sight: number; settled: number }>
    longest: number
  }
}

async function measure(page: Page, what: string, queries: readonly string[]): Promise<Line> {
  const times: number[] = []
  const settled: number[] = []
  for (const [at, query] of queries.entries()) {
    for (const letter of query) {
      await page.keyboard.press(letter === ' ' ? 'Space' : letter)
      const took = await page.evaluate(() => window.painted())
      if (at === 0) continue
      times.push(took.sight)
      settled.push(took.settled)
    }
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Backspace')
    await page.evaluate(() => window.painted())
  }
  const { p50, p95 } = spread(settled)
  return { what, ...spread(times), 'settled p50': p50, 'settled p95': p95 }
}
