/*
 * Keystroke to paint: `node tests/bench/palette.bench.ts [--entries 2000] [--queries 40]`. In one Chromium, on one page of the real server:
 * our palette (2,000 names beside its commands and screens), a plain cmdk list of the same 2,000 names, and an empty input, which is the floor.
 *
 * How it is measured: Playwright sends real key events through the browser. The clock starts with the event's own timestamp (when the browser
 * got the key, so that waiting for a busy main thread counts) and ends in the first task after the frame that followed the last change of the
 * document within 150 ms: a list that shows the input's letter at once and its rows a frame later is counted to its rows, and rows that
 * a worker appends still later count too. Frames come every 16.7 ms, so a figure is never finer than that, and the floor contains half a frame on
 * average. Software rendering (no GPU) and a window of 1440 by 900. The first query of each kind warms up and is not counted.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium, type Page } from '@playwright/test'
import { build } from 'vite'
import { buildWorkspace } from '../../scripts/build.ts'
import { chromiumArgs, chromiumPath } from '../support/chromium.ts'
import { startServer } from '../support/server.ts'
import { sizedFolder } from '../support/sizes.ts'
import { makeEntities } from './search-names.ts'

const { values } = parseArgs({
  options: { entries: { type: 'string', default: '2000' }, queries: { type: 'string', default: '40' } },
})
const [ENTRIES, QUERIES, APART] = [Number(values.entries), Number(values.queries), 200]

/** Runs in the page: `window.painted()` answers the milliseconds of the last key, once nothing has changed for 150 ms. */
const WATCH = `(() => {
  let began = 0, ended = 0, changed = 0, waiting = false
  const frame = () => {
    if (waiting) return
    waiting = true
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => { ended = performance.now(); waiting = false }
      port2.postMessage(0)
    })
  }
  addEventListener('keydown', (event) => {
    began = event.timeStamp
    ended = 0
    changed = performance.now()
    frame()
  }, true)
  new MutationObserver(() => {
    if (!began) return
    changed = performance.now()
    waiting ? requestAnimationFrame(() => frame()) : frame()
  }).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: ['aria-selected', 'data-row', 'hidden'] })
  window.painted = () => new Promise((resolve) => {
    const look = () => {
      if (ended && !waiting && performance.now() - Math.max(changed, ended) > 150) { const took = ended - began; began = 0; return resolve(took) }
      setTimeout(look, 20)
    }
    look()
  })
})()`

await buildWorkspace()
const folder = mkdtempSync(join(tmpdir(), 'fieldwork-bench-'))
// The names come from the bench: the marketplace behind them may be small.
const server = await startServer({ DATA_DIR: await sizedFolder('test', join(folder, 'data')), LOG_LEVEL: 'error' })
const browser = await chromium.launch({ executablePath: await chromiumPath(), args: chromiumArgs })
try {
  const entities = makeEntities(ENTRIES)
  const context = await browser.newContext({ baseURL: server.url, viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  const plain = await bundle()
  await page.route('**/assets/plain-cmdk.js', (route) => route.fulfill({ contentType: 'text/javascript', body: plain }))
  await page.route(/palette\/index/, async (route) => {
    const answer = await route.fetch()
    const feed = (await answer.json()) as { full: boolean }
    const put = entities.map(({ kind, id, name, detail }) => [kind, Number(id), name, detail])
    await route.fulfill({ response: answer, json: feed.full ? { ...feed, put } : feed })
  })
  await signIn(page)
  await page.evaluate(WATCH)

  const step = Math.floor(entities.length / QUERIES)
  // The first six letters of a name, and the beginnings of its words: what people type.
  const queries = Array.from({ length: QUERIES }, (_, at) => {
    // A keyboard of this Chromium has no key for ü.
    const name = entities[at * step]!.name.normalize('NFD').replace(/[^\w ]/g, '')
    const words = name.toLowerCase().split(/\s+/)
    return at % 2
      ? name.slice(0, 6).toLowerCase()
      : words
          .map((word) => word.slice(0, 3))
          .join(' ')
          .slice(0, 8)
  })

  const lines: Record<string, unknown>[] = []
  await page.evaluate(() => {
    const input = document.createElement('input')
    input.id = 'floor'
    input.style.cssText = 'position:fixed;top:0;left:40vw;z-index:99'
    document.body.append(input)
    input.focus()
  })
  lines.push(await measure(page, 'an empty input (the floor)', queries))
  await page.evaluate(() => document.getElementById('floor')?.remove())

  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').waitFor()
  await page.waitForTimeout(1500)
  lines.push(await measure(page, `our palette, ${ENTRIES} names`, queries))
  const shown = await page.getByRole('option').count()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')

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
  lines.push(await measure(page, `a plain cmdk list, ${ENTRIES} items`, queries))
  console.table(lines)
  if (!shown) throw new Error('Our palette showed no rows: the figures mean nothing.')
} finally {
  await browser.close()
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function signIn(page: Page): Promise<void> {
  await page.goto('/login')
  await page.getByLabel('Username (e-mail)').fill('admin@fieldwork.test')
  await page.getByLabel('Password', { exact: true }).fill('Fieldwork-1!')
  await page.keyboard.press('Enter')
  await page.getByRole('row').nth(1).waitFor({ timeout: 60_000 })
  await page.waitForTimeout(6000) // the idle page fetches the palette and its index
}

/** The list and its React as one script of its own. */
async function bundle(): Promise<string> {
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
    painted: () => Promise<number>
  }
}

async function measure(page: Page, what: string, queries: readonly string[]): Promise<Record<string, unknown>> {
  const times: number[] = []
  for (const [at, query] of queries.entries()) {
    for (const letter of query) {
      await page.keyboard.press(letter === ' ' ? 'Space' : letter)
      const took = await page.evaluate(() => window.painted())
      if (at > 0) times.push(took)
    }
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Backspace')
    await page.waitForTimeout(APART)
  }
  const sorted = times.sort((a, b) => a - b)
  const of = (share: number) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]! * 10) / 10
  return { what, keystrokes: times.length, p50: of(0.5), p95: of(0.95), max: of(1) }
}
