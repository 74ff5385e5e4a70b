// Shared by the browser benches: the real server on a copy of a marketplace, Chromium, signed-in pages, frames.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test'
import { buildWorkspace } from '../../scripts/build.ts'
import { connect, type Database } from '../../server/db/connect.ts'
import type { DemoSize } from '../../server/domain/demoState.ts'
import { chromiumArgs, chromiumPath } from '../support/chromium.ts'
import { startServer } from '../support/server.ts'
import { sizedFolder } from '../support/sizes.ts'

const EMAIL = 'admin@fieldwork.test'
const PASSWORD = 'Fieldwork-1!'

/** A server and a Chromium. `person` signs in again and returns a context whose pages are that user's workspace. */
export interface Bench {
  url: string
  browser: Browser
  /** Another address of the same server to use, such as a proxy. */
  person(base?: string): Promise<BrowserContext>
  /** Like `person` in a Chromium of its own with its files on disk: other contexts keep theirs in its memory. */
  onDisk(base: string): Promise<BrowserContext>
  /** A context with another one's session, as a user's second machine. */
  again(context: BrowserContext): Promise<BrowserContext>
  folder: string
}

/** Builds the workspace, serves a copy of a demo marketplace after `prepare` has changed it, and runs the bench. */
export async function benchInBrowser<T = void>(
  work: (bench: Bench, made: T) => Promise<void>,
  options: { size?: DemoSize; prepare?: (database: Database) => Promise<T>; args?: string[] } = {},
): Promise<void> {
  await buildWorkspace()
  const folder = mkdtempSync(join(tmpdir(), 'fieldwork-bench-'))
  const data = await sizedFolder(options.size ?? 'test', join(folder, 'data'))
  let made = undefined as T
  if (options.prepare) {
    const database = connect({ file: join(data, 'fieldwork.db') })
    made = await options.prepare(database).finally(() => database.close())
  }
  const server = await startServer({ DATA_DIR: data, LOG_LEVEL: 'error' })
  const launch = {
    executablePath: await chromiumPath(),
    args: [...chromiumArgs, '--js-flags=--expose-gc', ...(options.args ?? [])],
  }
  const place = { viewport: { width: 1440, height: 900 }, locale: 'en-US', timezoneId: 'America/New_York' }
  const browser = await chromium.launch(launch)
  try {
    const contextOf = (baseURL: string) => browser.newContext({ baseURL, ...place })
    const signIn = async (context: BrowserContext): Promise<BrowserContext> => {
      const answer = await context.request.post('/v3/portal/auth/sign_in', {
        headers: { 'x-fieldwork': 'workspace' },
        data: { email: EMAIL, password: PASSWORD, remember_cookie: true },
      })
      if (!answer.ok()) throw new Error(`Signing in: ${answer.status()} ${await answer.text()}`)
      return context
    }
    await work(
      {
        url: server.url,
        browser,
        folder,
        person: async (base = server.url) => signIn(await contextOf(base)),
        onDisk: async (base) => {
          const profile = mkdtempSync(join(folder, 'profile-'))
          return signIn(await chromium.launchPersistentContext(profile, { ...launch, ...place, baseURL: base }))
        },
        async again(context) {
          const other = await contextOf(server.url)
          await other.addCookies(await context.cookies())
          return other
        },
      },
      made,
    )
  } finally {
    await browser.close()
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Writes as the workspace would; throws on refusals. */
export async function ask<T>(context: BrowserContext, method: string, path: string, data?: object): Promise<T> {
  const answer = await context.request.fetch(path, {
    method,
    headers: { 'x-fieldwork': 'workspace' },
    ...(data ? { data } : {}),
  })
  if (!answer.ok()) throw new Error(`${method} ${path}: ${answer.status()} ${await answer.text()}`)
  return (await answer.json()) as T
}

/** Opens an address and waits until every visible pane has content. */
export async function goTo(page: Page, address: string): Promise<void> {
  await page.goto(address)
  const panel = page.locator('[role=tabpanel]:not([inert])')
  await panel.first().waitFor({ timeout: 30_000 })
  await page.waitForFunction(
    () => {
      const panels = [...document.querySelectorAll('[role=tabpanel]:not([inert])')]
      return (
        panels.length > 0 &&
        panels.every((panel) => /\S/.test(panel.textContent ?? '') && !panel.querySelector('[role=status][aria-label^=Loading]'))
      )
    },
    null,
    { timeout: 30_000 },
  )
}

/** Whether the browser has stored an index for the next visit; its header is written last. */
export function isIndexKept(page: Page): Promise<boolean> {
  return page.evaluate(async () => {
    try {
      const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('palette')
      for await (const one of (folder as unknown as { values(): AsyncIterable<FileSystemFileHandle> }).values()) {
        const head = await (await one.getFile()).slice(0, 4).arrayBuffer()
        if (head.byteLength === 4 && new Uint32Array(head)[0] !== 0) return true
      }
    } catch {}
    return false
  })
}

/** The median, 95th percentile and maximum, in ms to one digit. */
export function spread(times: readonly number[]): { n: number; p50: number; p95: number; max: number } {
  const sorted = [...times].sort((a, b) => a - b)
  const of = (share: number) =>
    Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0) * 10) / 10
  return { n: sorted.length, p50: of(0.5), p95: of(0.95), max: of(1) }
}

declare global {
  interface Window {
    /** Starts recording frames, long tasks and, per frame, the result of `look`. */
    beginFrames: (look?: string) => void
    /** Stops recording. */
    endFrames: () => { times: number[]; long: number[]; seen: number[] }
  }
}

/** Runs in the page: records each frame and each task over 50 ms between `beginFrames()` and `endFrames()`. */
export const FRAMES = `(() => {
  let times = [], long = [], seen = [], on = false, watch = null
  new PerformanceObserver((list) => { if (on) for (const entry of list.getEntries()) long.push(entry.duration) }).observe({ type: 'longtask' })
  const frame = (now) => {
    if (!on) return
    times.push(now)
    if (watch) seen.push(watch())
    requestAnimationFrame(frame)
  }
  window.beginFrames = (look) => { times = []; long = []; seen = []; on = true; watch = look ? new Function('return ' + look) : null; requestAnimationFrame(frame) }
  window.endFrames = () => { on = false; return { times, long, seen } }
})()`

const FRAME_MS = 1000 / 60
/** Frames of a 60 Hz screen missing between these times, the longest gap, and the number of frames. */
export function dropped(times: readonly number[]): { frames: number; dropped: number; longest: number } {
  const gaps = times.slice(1).map((time, at) => time - times[at]!)
  return {
    frames: times.length,
    dropped: gaps.reduce((sum, gap) => sum + Math.max(0, Math.round(gap / FRAME_MS) - 1), 0),
    longest: Math.round(Math.max(0, ...gaps)),
  }
}
