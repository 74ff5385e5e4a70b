/*
 * Opening a loaded screen: `node tests/bench/opening.bench.ts [--rounds 20]`, about a minute.
 * The real server on a copy of the demo marketplace, one Chromium page (1440 by 900, software rendering).
 * "A project": Enter on a row of All projects until the Overview shows figures, each time another project.
 * "A list": `g c` until Clients shows rows.
 * The clock runs from the last key's timestamp to the frame after the content is in the page.
 * The floor, in the same page after each round: the same requests at once, parsed as JSON, and two frames.
 * The ratio of the medians is to stay at or below 2.5.
 * "A reload" runs from navigation start to a list's first row, with a warm cache and without a floor.
 */
import { parseArgs } from 'node:util'
import type { Page } from '@playwright/test'
import { href } from '../../src/routing/routes.ts'
import { benchInBrowser, goTo, spread } from './browser.ts'

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '20' } } })
const ROUNDS = Number(values.rounds)
const MOST = 2.5

/** What to wait for: an Overview's figures, or the rows of the list with this title. */
type Wanted = { figures: true } | { rows: string }

declare global {
  interface Window {
    isThere: (wanted: Wanted) => boolean
    /** Starts waiting for content; the clock starts with the last key before it. */
    watchContent: (wanted: Wanted) => void
    contentPainted: () => Promise<{ took: number; asked: string[] }>
    /** Requests these addresses at once, reads them, and waits two frames. */
    floorOf: (asked: string[]) => Promise<number>
  }
}
const WATCH = `(() => {
  let key = 0, ended = 0, wanted = null
  window.isThere = ({ figures, rows }) => {
    const panel = [...document.querySelectorAll('[data-active] [role=tabpanel]')].find((one) => !one.closest('[inert]'))
    if (!panel) return false
    if (rows) return panel.querySelector('h1')?.textContent === rows && panel.querySelectorAll('[role=row]').length > 5
    return /%/.test(panel.querySelector('[data-anchor=key]')?.textContent ?? '') && !panel.querySelector('[role=status][aria-label^=Loading]')
  }
  addEventListener('keydown', (event) => { if (!ended) key = event.timeStamp }, true)
  const frame = (then) => requestAnimationFrame(() => { const { port1, port2 } = new MessageChannel(); port1.onmessage = then; port2.postMessage(0) })
  new MutationObserver(() => {
    if (!key || ended || !wanted || !isThere(wanted)) return
    ended = -1
    frame(() => { ended = performance.now() })
  }).observe(document, { subtree: true, childList: true, characterData: true, attributes: true })
  window.watchContent = (what) => { key = 0; ended = 0; wanted = what }
  window.contentPainted = () => new Promise((done, fail) => {
    const began = performance.now()
    const look = () => {
      if (ended <= 0) return performance.now() - began > 20000 ? fail(new Error('nothing came')) : setTimeout(look, 5)
      const asked = performance.getEntriesByType('resource').filter((one) => one.initiatorType === 'fetch' && one.startTime >= key && one.startTime < ended).map((one) => one.name)
      done({ took: ended - key, asked })
    }
    look()
  })
  window.floorOf = async (asked) => {
    const began = performance.now()
    await Promise.all(asked.map((url) => fetch(url, { headers: { 'x-fieldwork': 'workspace' } }).then((answer) => answer.json())))
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))
    return performance.now() - began
  }
})()`

await benchInBrowser(
  async ({ person }) => {
    const context = await person()
    const page = await context.newPage()
    await page.addInitScript(WATCH)
    const lines: Record<string, unknown>[] = []

    await goTo(page, href('allProjects'))
    // The idle page has preloaded the screens ahead.
    await page.waitForTimeout(8000)
    const projects = await rounds(page, { figures: true }, async (round) => {
      if (round > 0) {
        await page.keyboard.press('Alt+w')
        await page.waitForFunction((rows) => window.isThere({ rows }), 'All projects')
        await page.keyboard.press('j')
        await page.waitForTimeout(400)
      }
      return ['Enter']
    })
    lines.push(line('a project: Enter to its figures', projects))

    await page.waitForTimeout(500)
    const clients = await rounds(page, { rows: 'Clients' }, async (round) => {
      if (round > 0) await page.keyboard.press('Alt+w')
      await page.waitForTimeout(400)
      return ['g', 'c']
    })
    lines.push(line('a list: g c to its rows', clients))

    const reloads: number[] = []
    await goTo(page, href('allProjects'))
    for (let round = 0; round < 6; round++) {
      await page.reload({ waitUntil: 'commit' })
      await page.waitForFunction(() => document.querySelectorAll('[role=tabpanel]:not([inert]) [role=row]').length > 5, null, {
        polling: 'raf',
      })
      reloads.push(await page.evaluate(() => new Promise<number>((done) => requestAnimationFrame(() => done(performance.now())))))
      await page.waitForTimeout(1500)
    }
    lines.push({ what: 'a reload: to the first row', ...spread(reloads.slice(1)) })
    console.table(lines)
    const worse = lines.filter((one) => Number(one.ratio) > MOST)
    if (worse.length) throw new Error(`Above ${MOST} times the floor: ${worse.map((one) => one.what).join(', ')}`)
  },
  { size: 'demo' },
)

/** Opens repeatedly; the first round warms up. */
async function rounds(page: Page, wanted: Wanted, before: (round: number) => Promise<string[]>) {
  const times: number[] = []
  const floors: number[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    const keys = await before(round)
    await page.evaluate((what) => window.watchContent(what), wanted)
    for (const key of keys) await page.keyboard.press(key)
    const { took, asked } = await page.evaluate(() => window.contentPainted())
    const floor = await page.evaluate((urls) => window.floorOf(urls), asked)
    await page.evaluate(() => performance.clearResourceTimings())
    if (round === 0) continue
    times.push(took)
    floors.push(floor)
  }
  return { times, floors }
}

function line(what: string, { times, floors }: { times: number[]; floors: number[] }) {
  const ours = spread(times)
  const floor = spread(floors)
  return { what, ...ours, 'floor p50': floor.p50, 'floor p95': floor.p95, ratio: Math.round((ours.p50 / floor.p50) * 100) / 100 }
}
