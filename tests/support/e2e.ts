import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type BrowserContext, test as base, type Page } from '@playwright/test'
import { startServer, type TestServer } from './server.ts'
import { type Smtp, startSmtp } from './smtp.ts'

export { expect } from '@playwright/test'

type PerWorker = {
  /** More settings of the server, for a file that needs them: `test.use({ settings: { TIME_ZONE: 'Asia/Tokyo' } })`. */
  settings: Record<string, string>
  /** True: the server sends its mail over SMTP to `mailbox`; false: it keeps it in the outbox. */
  viaSmtp: boolean
  mailbox: Smtp
  /** The real server of this worker, on its own copy of the demo marketplace. */
  server: TestServer
  /** The page that is led home (led.ts). It is every worker's, so that a file with a led page needs no worker, and no server, of its own. */
  kept: Kept
}

/** A page that is at home, and what it looked like when it had just been opened. */
export interface Kept {
  context?: BrowserContext
  page?: Page
  looked?: string
}

type PerTest = {
  /** Closes the browsers that a test opened beside its own, and prints what the server said during one that fails. */
  serverLog: undefined
}

/**
 * How many times slower every page's thread runs, and how many times longer a test may take: `SLOW=4 npx playwright test …` shows what a test takes
 * for done too early. Off: 1.
 */
const slow = Number(process.env.SLOW ?? 1)

/** Slows the pages that a context opens from now on. */
function slowed(context: BrowserContext): BrowserContext {
  const slowPage = async (page: Page) => {
    const session = await context.newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: slow })
  }
  // A page that is closed before it was slowed needs it no more.
  context.on('page', (page) => void slowPage(page).catch(() => {}))
  return context
}

/** Playwright's `test` with a real server behind `page.goto('/…')`. */
export const test = base.extend<PerTest, PerWorker>({
  settings: [{}, { option: true, scope: 'worker' }],
  viaSmtp: [false, { option: true, scope: 'worker' }],
  mailbox: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from the pattern
    async ({}, use) => {
      const smtp = await startSmtp()
      await use(smtp)
      await smtp.stop()
    },
    { scope: 'worker' },
  ],
  server: [
    async ({ settings, viaSmtp, mailbox }, use) => {
      const folder = process.env.E2E_FOLDER
      if (!folder) throw new Error('The global setup did not run.')
      const data = mkdtempSync(join(folder, 'worker-'))
      cpSync(join(folder, 'template'), data, { recursive: true })
      const server = await startServer({ DATA_DIR: data, DEMO: 'demo', ...(viaSmtp && { SMTP_URL: mailbox.url }), ...settings })
      await use(server)
      await server.stop()
      rmSync(data, { recursive: true, force: true })
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  browser: [
    async ({ browser }, use) => {
      if (slow > 1) {
        const open = browser.newContext.bind(browser)
        browser.newContext = async (options) => slowed(await open(options))
      }
      await use(browser)
    },
    { scope: 'worker' },
  ],
  kept: [
    async ({ browser }, use) => {
      const kept: Kept = {}
      await use(kept)
      if (browser.isConnected()) await kept.context?.close()
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ server }, use) => use(server.url),
  serverLog: [
    async ({ server, browser, kept }, use, info) => {
      if (slow > 1) info.setTimeout(info.timeout * slow)
      const before = server.log().length
      await use(undefined)
      // Who else was there goes home: a page that stays open would go on hearing, and drawing, what the next tests do.
      await Promise.all(
        browser
          .contexts()
          .filter((context) => context !== kept.context)
          .map((context) => context.close()),
      )
      if (info.status === info.expectedStatus) return
      const log = server.log().slice(before)
      await info.attach('server log', { body: log, contentType: 'text/plain' })
      console.log(`── the server during "${info.title}" ──\n${log.slice(-8000) || '(nothing)'}`)
    },
    { auto: true },
  ],
})
