// Our projects beside a bare react-admin list and a plain table over the same API, in one run and in turns:
// `node tests/peers/react-admin.bench.ts [--rounds 7] [--size demo]`.
// Chromium at 10 Mbit/s and 40 ms, 1440 by 900: first rows with an empty and a warm cache, and a click on a row.
// react-admin comes from the npm registry into a folder of `.cache/`, without an account; it is no dependency of ours.
// The clock runs from navigation, or from the click, to the frame after the rows or the record are in the page.
// A record is its name and figures: ours and react-admin's come from the list's row, before the server answers.
// "With charts" is when all of ours has come, from two calls.
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import type { BrowserContext, Page } from '@playwright/test'
import { href } from '../../src/routing/routes.ts'
import { benchInBrowser } from '../bench/browser.ts'
import { buildFloor, reactAdminVersion, serveFloor } from './floor.ts'

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '7' }, size: { type: 'string', default: 'demo' } },
})
const ROUNDS = Number(values.rounds)
/** How many records are opened after each load with a warm cache. */
const RECORDS = 3
/** 10 Mbit/s in each direction and 40 ms. */
const NETWORK = { offline: false, latency: 40, downloadThroughput: 10e6 / 8, uploadThroughput: 10e6 / 8 }

type Wanted = 'rows' | 'record'
declare global {
  interface Window {
    shows: (wanted: Wanted) => boolean
    /** The clock starts with the next click. */
    awaitRecord: () => void
    /** When the frame after the last placeholder of ours was gone began. */
    whole: () => Promise<number>
    /** When the frame after what is waited for began, and the click before it; 0 if there was none. */
    shown: () => Promise<{ at: number; click: number; kB: number }>
  }
}
/** `shows` differs by page: ours has tabs, react-admin a table or fields, the plain page a table or a list of terms. */
const WATCH = `(() => {
  const ours = !/^\\/(bare|plain)\\//.test(location.pathname)
  let wanted = 'rows', ended = 0, click = 0
  const panel = () => [...document.querySelectorAll('[data-active] [role=tabpanel]')].find((one) => one.matches('section') && !one.closest('[inert]'))
  window.shows = (what) => {
    if (!ours) return what === 'rows' ? document.querySelectorAll('tbody tr').length > 5 : !!document.querySelector('.RaLabeled-label, [data-row]')
    const front = panel()
    const title = front?.querySelector('h1')?.textContent ?? ''
    if (!/\\S/.test(title)) return false
    if (what === 'rows') return title === 'All projects' && !front.querySelector('[data-loading]') && front.querySelectorAll('[role=row]').length > 5
    return title !== 'All projects' && /%/.test(front.querySelector('[data-anchor=key]')?.textContent ?? '')
  }
  window.whole = () => new Promise((done) => {
    const look = (at) => (shows('record') && !panel().querySelector('[data-loading]') ? done(at) : requestAnimationFrame(look))
    look(performance.now())
  })
  const look = () => {
    if (ended || !shows(wanted) || (wanted === 'record' && !click)) return
    ended = -1
    requestAnimationFrame(() => { const { port1, port2 } = new MessageChannel(); port1.onmessage = () => { ended = performance.now() }; port2.postMessage(0) })
  }
  new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true, attributes: true })
  addEventListener('click', (event) => { if (wanted === 'record' && !click) click = event.timeStamp }, true)
  window.awaitRecord = () => { wanted = 'record'; ended = 0; click = 0 }
  window.shown = () => new Promise((done, fail) => {
    const since = performance.now()
    const wait = () => {
      if (ended > 0) {
        const kB = performance.getEntriesByType('resource').filter((one) => one.startTime < ended).reduce((sum, one) => sum + one.transferSize, 0) / 1000
        return done({ at: ended, click, kB })
      }
      if (performance.now() - since > 30000) return fail(new Error('nothing came'))
      setTimeout(wait, 5)
    }
    wait()
  })
})()`

const LINES = [
  'rows, empty cache',
  'rows, warm cache',
  'a record, first',
  'a record, then',
  'with charts, first',
  'with charts, then',
] as const
type Line = (typeof LINES)[number]
type Times = Record<Line, number[]>
interface Side {
  name: string
  address: string
  /** A row of the list by its place. */
  row: (nth: number) => string
  times: Times
  kB: { empty: number; warm: number }
}
const none = () => Object.fromEntries(LINES.map((line) => [line, [] as number[]])) as Times

await benchInBrowser(
  async ({ url, person }) => {
    const missing = await buildFloor()
    if (missing) console.log(`react-admin left out, as it could not be installed:\n${missing}`)
    const proxy = await serveFloor(url)
    const theirs = (nth: number) => `tbody tr:nth-child(${nth})`
    const side = (name: string, address: string, row: Side['row']): Side => ({
      ...{ name, address, row, times: none(), kB: { empty: 0, warm: 0 } },
    })
    const sides = [
      side('ours', href('allProjects'), (nth) => `[role=tabpanel]:not([inert]) [role=row][aria-rowindex="${nth + 1}"]`),
      ...(missing ? [] : [side('react-admin', '/bare/#/projects', theirs)]),
      side('plain table', '/plain/', theirs),
    ]
    try {
      console.log(`Load ${loadavg()[0]!.toFixed(1)}, ${ROUNDS} rounds in turns, the first not counted`)
      for (let round = 0; round <= ROUNDS; round++)
        for (const one of sides) {
          const context = await person(proxy.url)
          const times = await measure(context, one).finally(() => context.close())
          if (round > 0) for (const line of LINES) one.times[line].push(...times[line])
        }
      report(sides)
    } finally {
      proxy.stop()
    }
  },
  values.size as 'demo' | 'mid',
)

/** One empty cache: the list, the first record, the list again, and records. */
async function measure(context: BrowserContext, side: Side): Promise<Times> {
  const times = none()
  const page = await context.newPage()
  await page.addInitScript(WATCH)
  const cdp = await context.newCDPSession(page)
  await cdp.send('Network.enable')
  await cdp.send('Network.emulateNetworkConditions', NETWORK)
  const load = async () => {
    // From another page, as the same address with another hash would load nothing.
    await page.goto('about:blank')
    await page.goto(side.address, { waitUntil: 'commit' })
    return await page.evaluate(() => window.shown())
  }
  const first = await load()
  times['rows, empty cache'].push(first.at)
  side.kB.empty = first.kB
  await page.waitForTimeout(5000)
  await record(page, side, 2, 'first', times)
  await page.waitForTimeout(1000)
  const again = await load()
  times['rows, warm cache'].push(again.at)
  side.kB.warm = again.kB
  for (let nth = 0; nth < RECORDS; nth++) {
    await page.waitForTimeout(1500)
    await record(page, side, 3 + nth, 'then', times)
    await load()
  }
  return times
}

/** A click on a row at once, before anything can be asked for ahead. */
async function record(page: Page, side: Side, nth: number, which: 'first' | 'then', times: Times): Promise<void> {
  const box = (await page.locator(side.row(nth)).first().boundingBox())!
  await page.evaluate(() => window.awaitRecord())
  await page.mouse.click(box.x + 80, box.y + box.height / 2)
  const { at, click } = await page.evaluate(() => window.shown())
  times[`a record, ${which}`].push(at - click)
  if (side.name === 'ours') times[`with charts, ${which}`].push((await page.evaluate(() => window.whole())) - click)
}

function report(sides: readonly Side[]): void {
  const middle = (times: readonly number[]) => [...times].sort((a, b) => a - b)[times.length >> 1]!
  const least = (times: readonly number[]) => Math.min(...times)
  const [ours, ...others] = sides as [Side, ...Side[]]
  const found = LINES.map((line) => ({
    line,
    'ours, ms': Math.round(middle(ours.times[line])),
    'ours, least': Math.round(least(ours.times[line])),
    ...Object.fromEntries(
      others
        .filter(({ times }) => times[line].length)
        .flatMap(({ name, times }) => [
          [`${name}, ms`, Math.round(middle(times[line]))],
          [`${name}, least`, Math.round(least(times[line]))],
          [`ours / ${name}`, Math.round((100 * middle(ours.times[line])) / middle(times[line])) / 100],
        ]),
    ),
  }))
  console.table(found)
  console.log(
    sides
      .map(({ name, kB }) => `${name}: ${Math.round(kB.empty)} kB until the rows, ${Math.round(kB.warm)} when warm`)
      .join('; '),
  )
  console.log(
    `Load ${loadavg()[0]!.toFixed(1)}; medians.${sides.length > 2 ? ` react-admin ${reactAdminVersion()}.` : ''} ` +
      'Not equal: ours asks who is signed in, draws tabs, navigation and rows in sight (theirs all 50), and its record has ' +
      'filters and charts that wait for two calls where theirs has ten fields of its row. Neither of theirs signs in, ' +
      'sorts, filters, edits or hears of changes.',
  )
}
