/*
 * Frames lost while a key is held: `node tests/bench/held-j.bench.ts [--rows 100000] [--profile]`, two minutes.
 * The real server on a copy of the small marketplace, with 100,000 pending rewards in one project and 10 in another.
 * The 10 are the floor. Chromium at 1440 by 900 with software rendering drives each Reward Center for five seconds:
 * j held (30 repeats a second), PageDown held, and the scroll bar dragged over all rows, then a hundredth of them.
 * requestAnimationFrame counts frames: a gap of n sixtieths of a second is n - 1 lost frames.
 * "Unread" is the share of frames with visible rows not loaded, shown as numbers and bars.
 * "Empty" is the share of frames in which part of the list showed no row at all.
 * "Thread" and "script" are the page thread's processor time, so they compare on a busy machine too.
 * The bar moves between frames, as in a browser: set within one, it would be noticed only in the next.
 * `--profile` prints where the page's own thread spent its time.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Page } from '@playwright/test'
import { sql } from 'kysely'
import { href } from '../../src/routing/routes.ts'
import { benchInBrowser, dropped, FRAMES, goTo } from './browser.ts'
import { printProfile, startProfile } from './profile.ts'

const { values } = parseArgs({
  options: { rows: { type: 'string', default: '100000' }, profile: { type: 'boolean', default: false } },
})
const ROWS = Number(values.rows)
const FEW = 10
const HELD_MS = 5000
const EVERY_MS = 1000 / 30
/** 1 when visible rows aren't loaded, 2 when part of the list shows no row at all. */
const BLANKS = `(() => {
  const grid = document.querySelector('[role=tabpanel]:not([inert]) :is([role=grid], [role=treegrid])')
  const { top, bottom } = grid.getBoundingClientRect()
  let covered = 0, unread = false, last = top + 32
  for (const row of grid.querySelectorAll('[role=row][aria-selected]')) {
    const place = row.getBoundingClientRect()
    if (place.bottom <= top + 32 || place.top >= bottom) continue
    covered += Math.min(place.bottom, bottom) - Math.max(place.top, top + 32)
    unread ||= row.querySelector('[data-gap]') !== null
  }
  const room = Math.min(bottom - top - 32, (grid.getAttribute('aria-rowcount') - 1) * 32)
  return covered < room - 2 ? 2 : unread ? 1 : 0
})()`

await benchInBrowser<{ few: number; many: number }>(
  async ({ person }, { few, many }) => {
    const lines: Record<string, unknown>[] = []
    for (const [project, rows] of [
      [few, FEW],
      [many, ROWS],
    ] as const) {
      const context = await person()
      const page = await context.newPage()
      const path = href('project', { id: project }, { tab: 'rewardCenter' })
      const what = (name: string) => `${name}, ${rows.toLocaleString('en')} rows`
      const open = async () => {
        await goTo(page, path)
        await page.evaluate(FRAMES)
        await page.locator('[role=row][data-cursor]').waitFor({ timeout: 30_000 })
        await page.waitForTimeout(1500)
      }
      await open()
      const cdp = values.profile && rows > FEW ? await startProfile(page) : null
      lines.push({ what: what('j held'), ...(await held(page, 'j')) })
      if (cdp) await printProfile(cdp)
      await open()
      lines.push({ what: what('PageDown held'), ...(await held(page, 'PageDown')) })
      if (rows > FEW) {
        await open()
        lines.push({ what: what('scroll bar dragged'), ...(await dragged(page, 1)) })
        await open()
        lines.push({ what: what('scroll bar dragged slowly'), ...(await dragged(page, 0.01)) })
      }
      await context.close()
    }
    console.table(lines)
  },
  {
    async prepare({ db }) {
      const [many, few] = await db
        .selectFrom('projects')
        .select('id')
        .where('generation', '=', 'project')
        .orderBy('id')
        .limit(2)
        .execute()
      await db.deleteFrom('entries').where('project_id', 'in', [many!.id, few!.id]).execute()
      for (const [project, rows] of [
        [many!.id, ROWS],
        [few!.id, FEW],
      ])
        await sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${rows})
          insert into entries (created_at, updated_at, lock_version, project_id, email, email_key, ip, amount_cents, provider_id, status)
          select '2026-11-20T10:00:00.000Z', '2026-11-20T10:00:00.000Z', 1, ${project}, 'person' || i || '@panel.test', 'person' || i || '@panel.test',
            '10.' || (i / 65536) || '.' || (i / 256 % 256) || '.' || (i % 256), 500, 600, 'pending' from n`.execute(db)
      return { many: many!.id, few: few!.id }
    },
  },
)

/** The page thread's processor time since `before`, in ms per frame, and layouts; other work doesn't affect it. */
async function threadTime(page: Page): Promise<(frames: number) => Promise<Record<string, number>>> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' })
  const read = async () => new Map((await cdp.send('Performance.getMetrics')).metrics.map(({ name, value }) => [name, value]))
  const before = await read()
  return async (frames) => {
    const after = await read()
    const of = (name: string) => after.get(name)! - before.get(name)!
    const perFrame = (name: string) => Math.round((100_000 * of(name)) / frames) / 100
    await cdp.detach()
    return {
      'thread (ms/frame)': perFrame('TaskDuration'),
      'script (ms/frame)': perFrame('ScriptDuration'),
      layouts: of('LayoutCount'),
    }
  }
}

/** Holds a key like a keyboard: a press, then repeats until released. */
async function held(page: Page, key: string): Promise<Record<string, unknown>> {
  const spent = await threadTime(page)
  await page.evaluate((look) => window.beginFrames(look), BLANKS)
  const began = performance.now()
  let sent = 0
  while (performance.now() - began < HELD_MS) {
    await page.keyboard.down(key)
    sent += 1
    const next = began + sent * EVERY_MS - performance.now()
    if (next > 0) await delay(next)
  }
  await page.keyboard.up(key)
  return { ...(await result(page, spent)), keys: sent, 'at row': await cursorAt(page) }
}

/** Drags the scroll bar over a share of the rows in five seconds. */
async function dragged(page: Page, share: number): Promise<Record<string, unknown>> {
  const spent = await threadTime(page)
  await page.evaluate((look) => window.beginFrames(look), BLANKS)
  await page.evaluate(
    ([ms, far]) => {
      const row = document.querySelector('[role=row][data-cursor]')
      let scroller = row?.parentElement
      while (scroller && scroller.scrollHeight <= scroller.clientHeight + 1000) scroller = scroller.parentElement
      if (!scroller) throw new Error('Nothing can be scrolled')
      const began = performance.now()
      return new Promise<void>((done) => {
        const step = () => {
          const share = Math.min(1, (performance.now() - began) / ms!)
          scroller.scrollTop = share * far! * (scroller.scrollHeight - scroller.clientHeight)
          share < 1 ? setTimeout(step, 8) : done()
        }
        step()
      })
    },
    [HELD_MS, share],
  )
  return result(page, spent)
}

async function result(page: Page, spent: (frames: number) => Promise<Record<string, number>>): Promise<Record<string, unknown>> {
  const { times, long, seen } = await page.evaluate(() => window.endFrames())
  const { frames, dropped: lost, longest } = dropped(times)
  const thread = await spent(times.length)
  const shareOf = (some: readonly number[]) => Math.round((1000 * some.length) / Math.max(1, seen.length)) / 10
  return {
    frames,
    lost,
    'lost (%)': Math.round((1000 * lost) / Math.max(1, frames + lost)) / 10,
    'longest wait (ms)': longest,
    'tasks > 50 ms': long.length,
    'unread (%)': shareOf(seen.filter((what) => what === 1)),
    'empty (%)': shareOf(seen.filter((what) => what === 2)),
    ...thread,
  }
}

async function cursorAt(page: Page): Promise<string | null> {
  const row = page.locator('[role=row][data-cursor]').first()
  return row.getAttribute('aria-rowindex', { timeout: 5000 }).catch(() => null)
}
