/*
 * Many users at once: `node tests/bench/live.bench.ts [--workspaces 20] [--writes 25]`, about two minutes.
 * The real server on a copy of the small marketplace, and 20 workspaces on the list of active projects.
 * Each has its own browser context (connections, live stream); all are in one Chromium.
 * Another user renames the first row's project by the API, repeatedly, at odd moments.
 * The time runs from sending the write to the frame after the one with the new name, by this machine's clock.
 * "First" and "last" are the first and last workspace to show it, "all" is all of them.
 * All 20 pages share two cores here; twenty people have twenty machines.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Page } from '@playwright/test'
import { ask, benchInBrowser, goTo, spread } from './browser.ts'

const { values } = parseArgs({
  options: { workspaces: { type: 'string', default: '20' }, writes: { type: 'string', default: '25' } },
})
const [WORKSPACES, WRITES] = [Number(values.workspaces), Number(values.writes)]

declare global {
  interface Window {
    /** The time of day in ms at which each name was first painted. */
    paintedAt: Record<string, number>
  }
}
const WATCH = `(() => {
  window.paintedAt = {}
  const look = () => {
    for (const row of document.querySelectorAll('[role=row]')) {
      const name = /Live \\d+/.exec(row.textContent)?.[0]
      if (!name || window.paintedAt[name]) continue
      window.paintedAt[name] = Infinity
      requestAnimationFrame(() => setTimeout(() => { window.paintedAt[name] = performance.timeOrigin + performance.now() }))
    }
  }
  new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true })
})()`

await benchInBrowser(async ({ person, again }) => {
  const writer = await person()
  const reader = await person()
  const pages: Page[] = []
  for (let at = 0; at < WORKSPACES; at++) {
    const page = await (await again(reader)).newPage()
    await goTo(page, '/dashboard/all-projects?status=Active')
    await page.getByText('live', { exact: true }).waitFor({ timeout: 30_000 })
    await page.evaluate(WATCH)
    pages.push(page)
  }
  const { data } = await ask<{ data: { id: number }[] }>(writer, 'GET', '/v3/portal/projects?status=Active')
  const id = data[0]!.id
  await delay(3000)

  const all: number[] = []
  const first: number[] = []
  const last: number[] = []
  const answered: number[] = []
  for (let write = 0; write < WRITES; write++) {
    // Odd moments, so writes never align with event batching or frames.
    await delay(900 + (write % 7) * 83)
    const name = `Live ${1000 + write}`
    const sent = performance.timeOrigin + performance.now()
    await ask(writer, 'PUT', '/v3/portal/projects', { id, name })
    answered.push(performance.timeOrigin + performance.now() - sent)
    const times = await Promise.all(
      pages.map(async (page) => {
        await page.waitForFunction((name) => Number.isFinite(window.paintedAt[name] ?? Infinity), name, {
          timeout: 20_000,
          polling: 50,
        })
        return (await page.evaluate((name) => window.paintedAt[name]!, name)) - sent
      }),
    )
    // The first write warms up.
    if (write === 0) continue
    all.push(...times)
    first.push(Math.min(...times))
    last.push(Math.max(...times))
  }
  console.table([
    { what: 'the write itself, to its answer (the floor)', ...spread(answered.slice(1)) },
    { what: 'painted in the first workspace', ...spread(first) },
    { what: `painted in the last of ${WORKSPACES}`, ...spread(last) },
    { what: 'painted, all workspaces', ...spread(all) },
  ])
  const worst = spread(all).max
  console.log(
    `The goal is a second: ${worst <= 1000 ? 'met by all' : `NOT MET: the slowest took ${worst} ms; p95 ${spread(all).p95}`}`,
  )
})
