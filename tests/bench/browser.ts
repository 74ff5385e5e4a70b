// Shared by the browser benches: the real server on a copy of a marketplace, Chromium, signed-in pages.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium, type Page } from '@playwright/test'
import { buildWorkspace } from '../../scripts/build.ts'
import type { DemoSize } from '../../server/domain/demoState.ts'
import { chromiumArgs, chromiumPath } from '../support/chromium.ts'
import { startServer } from '../support/server.ts'
import { sizedFolder } from '../support/sizes.ts'

const EMAIL = 'admin@fieldwork.test'
const PASSWORD = 'Fieldwork-1!'

/** A server and a Chromium. `person` signs in again and returns a context whose pages are that user's workspace. */
export interface Bench {
  url: string
  /** Another address of the same server to use, such as a proxy. */
  person(base?: string): Promise<BrowserContext>
  folder: string
}

/** Builds the workspace, serves a copy of a demo marketplace, and runs the bench. */
export async function benchInBrowser(work: (bench: Bench) => Promise<void>, size: DemoSize = 'test'): Promise<void> {
  await buildWorkspace()
  const folder = mkdtempSync(join(tmpdir(), 'fieldwork-bench-'))
  const data = await sizedFolder(size, join(folder, 'data'))
  const server = await startServer({ DATA_DIR: data, LOG_LEVEL: 'error' })
  const browser = await chromium.launch({ executablePath: await chromiumPath(), args: chromiumArgs })
  try {
    const person = async (baseURL = server.url): Promise<BrowserContext> => {
      const place = { viewport: { width: 1440, height: 900 }, locale: 'en-US', timezoneId: 'America/New_York' }
      const context = await browser.newContext({ baseURL, ...place })
      const answer = await context.request.post('/v3/portal/auth/sign_in', {
        headers: { 'x-fieldwork': 'workspace' },
        data: { email: EMAIL, password: PASSWORD, remember_cookie: true },
      })
      if (!answer.ok()) throw new Error(`Signing in: ${answer.status()} ${await answer.text()}`)
      return context
    }
    await work({ url: server.url, folder, person })
  } finally {
    await browser.close()
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
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
