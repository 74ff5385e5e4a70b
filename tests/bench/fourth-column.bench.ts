/*
 * Opening a fourth column: `node tests/bench/fourth-column.bench.ts [--rounds 12] [--profile]`, about a minute.
 * The real server on a copy of the small marketplace, one Chromium page (1440 by 900, software rendering).
 * The floor: with a list alone, o opens the Overview of the cursor's row in a second column.
 * Then the same key opens the fourth column beside a list and two Overviews.
 * The clock runs from the key's timestamp to the first frame with the new pane's head and first figures.
 * Charts and map may still be drawing. "Longest task" is the page's longest until a second after that.
 * Every node of the other panes is marked beforehand; one that goes missing fails the bench.
 * The first round of each warms up.
 */
import { parseArgs } from 'node:util'
import type { Page } from '@playwright/test'
import { href } from '../../src/routing/routes.ts'
import { ask, benchInBrowser, FRAMES, goTo, spread } from './browser.ts'
import { printProfile, startProfile } from './profile.ts'

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '12' }, profile: { type: 'boolean', default: false } },
})
const ROUNDS = Number(values.rounds)

declare global {
  interface Window {
    /** Returns the ms from the next key to the frame in which the column of this number shows content. */
    watchColumn: (at: number) => void
    columnPainted: () => Promise<number>
  }
}
const WATCH = `(() => {
  let began = 0, ended = 0, column = 0
  addEventListener('keydown', (event) => { if (!began) began = event.timeStamp }, true)
  const there = () => {
    const panel = document.querySelector('[data-column="' + column + '"] [role=tabpanel]:not([inert])')
    return panel?.querySelector('h1')?.textContent.trim() && panel.querySelector('[data-widget], section, dl') && !panel.querySelector('[role=status][aria-label^=Loading]') && panel.textContent.length > 200
  }
  new MutationObserver(() => {
    if (!began || ended || !there()) return
    ended = -1
    requestAnimationFrame(() => { const { port1, port2 } = new MessageChannel(); port1.onmessage = () => { ended = performance.now() }; port2.postMessage(0) })
  }).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true })
  window.watchColumn = (at) => { began = 0; ended = 0; column = at }
  window.columnPainted = () => new Promise((done) => { const look = () => ended > 0 ? done(ended - began) : setTimeout(look, 10); look() })
})()`

await benchInBrowser(async ({ person }) => {
  const context = await person()
  const { data } = await ask<{ data: { id: number }[] }>(context, 'GET', '/v3/portal/projects')
  const [first, second] = data.slice(-2).map(({ id }) => href('project', { id }, { tab: 'overview' }))
  const list = '/dashboard/all-projects'
  const beside = [first, second].map((path) => `beside=${path!.replace('/dashboard/', '/')}`).join('&')
  const lines: Record<string, unknown>[] = []
  for (const [what, address, at] of [
    ['the second column (the floor)', list, 2],
    ['the fourth column', `${list}?${beside}`, 4],
  ] as const) {
    const page = await context.newPage()
    await goTo(page, address)
    await page.evaluate(FRAMES)
    await page.evaluate(WATCH)
    await page.waitForTimeout(2500)
    const cdp = values.profile && at > 2 ? await startProfile(page) : null
    const times: number[] = []
    const longest: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const { took, long } = await openOne(page, at)
      if (round === 0) continue
      times.push(took)
      longest.push(long)
    }
    if (cdp) await printProfile(cdp)
    lines.push({ what, ...spread(times), 'longest task p50': spread(longest).p50, 'longest task max': spread(longest).max })
    await page.close()
  }
  console.table(lines)
})

/** Opens the cursor's row beside, and closes the new column. */
async function openOne(page: Page, at: number): Promise<{ took: number; long: number }> {
  await page.evaluate((at) => {
    window.watchColumn(at)
    window.beginFrames()
    for (const node of document.querySelectorAll('[data-column] [role=tabpanel]'))
      (node as HTMLElement & { kept?: true }).kept = true
  }, at)
  await page.keyboard.press('o')
  const took = await page.evaluate(() => window.columnPainted())
  await page.waitForTimeout(1000)
  const { long } = await page.evaluate(() => window.endFrames())
  const lost = await page.evaluate(
    (at) =>
      at -
      1 -
      [...document.querySelectorAll('[data-column] [role=tabpanel]')].filter(
        (node) => (node as HTMLElement & { kept?: true }).kept,
      ).length,
    at,
  )
  if (lost > 0) throw new Error(`${lost} of the other panes were mounted anew.`)
  await page.keyboard.press('Alt+w')
  await page.waitForFunction((at) => document.querySelectorAll('[data-column]').length === at - 1, at)
  await page.waitForTimeout(300)
  return { took, long: Math.max(0, ...long) }
}
