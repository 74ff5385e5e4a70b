import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test as base, expect } from '@playwright/test'
import { connect } from '../../server/db/connect.ts'
import { migrate } from '../../server/db/migrate.ts'
import { seed } from '../../server/demo/seed.ts'
import { cleared, type Kept, keep } from './kept.ts'
import { watchTyping } from './movedFocus.ts'
import { type Postgres, startPostgres } from './postgres.ts'
import { routeAtOnce } from './routes.ts'
import { startServer, type TestServer } from './server.ts'
import { slow, slowed } from './slow.ts'
import { type Smtp, startSmtp } from './smtp.ts'

export { expect } from '@playwright/test'

type PerWorker = {
  /** Extra server settings for a file: `test.use({ settings: { TIME_ZONE: 'Asia/Tokyo' } })`. */
  settings: Record<string, string>
  /** The server's database; on PostgreSQL it holds the smallest marketplace, in a server for this worker alone. */
  engine: 'sqlite' | 'postgres'
  /** True: emails go over SMTP to `mailbox`; false: they stay in the outbox. */
  viaSmtp: boolean
  mailbox: Smtp
  /** This worker's server, on its own copy of the demo marketplace in `folder`. */
  server: TestServer & { folder: string }
  /** How the product moved the focus while the current test typed. */
  moved: string[]
  /** The page that this worker keeps; files that take their `test` from led.ts lead it home by keys. */
  worker: { kept?: Kept }
}

type PerTest = {
  /** Closes extra browsers, and prints the server's log when a test fails. */
  serverLog: undefined
  /** The page that the worker keeps, reset, for a test with these options. */
  kept: () => Promise<Kept>
  /** The options of its context: a test with other options gets another page. */
  options: string
  /** False, or `KEEP_PAGE=0` for all tests: a page in a new browser context, to which nothing was ever sent. */
  keepPage: boolean
}

/** Playwright's `test` with a real server behind `page.goto('/…')`. */
export const test = base.extend<PerTest, PerWorker>({
  settings: [{}, { option: true, scope: 'worker' }],
  engine: ['sqlite', { option: true, scope: 'worker' }],
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
    async ({ settings, viaSmtp, mailbox, engine }, use) => {
      const folder = process.env.E2E_FOLDER
      if (!folder) throw new Error('The global setup did not run.')
      const data = mkdtempSync(join(folder, 'worker-'))
      cpSync(join(folder, 'template'), data, { recursive: true })
      const own = engine === 'postgres' ? await ownPostgres() : null
      const server = await startServer({
        ...{ DATA_DIR: data, DEMO: 'demo' },
        ...(own && { DATABASE_URL: own.url }),
        ...(viaSmtp && { SMTP_URL: mailbox.url }),
        ...settings,
      })
      await use({ ...server, folder: data })
      await server.stop()
      await own?.postgres.stop()
      rmSync(data, { recursive: true, force: true })
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from the pattern
  moved: [async ({}, use) => use([]), { scope: 'worker' }],
  browser: [
    async ({ browser, moved }, use) => {
      const open = browser.newContext.bind(browser)
      browser.newContext = async (options) => {
        const context = await open(options)
        await watchTyping(context, moved)
        return slow > 1 ? slowed(context) : context
      }
      await use(browser)
    },
    { scope: 'worker' },
  ],
  worker: [
    async ({ browser }, use) => {
      const worker: PerWorker['worker'] = {}
      await use(worker)
      if (browser.isConnected()) await worker.kept?.context.close()
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ server }, use) => use(server.url),
  keepPage: [process.env.KEEP_PAGE !== '0', { option: true }],
  options: async (
    {
      baseURL,
      viewport,
      deviceScaleFactor,
      isMobile,
      hasTouch,
      locale,
      timezoneId,
      permissions,
      colorScheme,
      reducedMotion,
      storageState,
    },
    use,
  ) =>
    use(
      JSON.stringify([
        ...[baseURL, viewport, deviceScaleFactor, isMobile, hasTouch],
        ...[locale, timezoneId, permissions, colorScheme, reducedMotion, storageState],
      ]),
    ),
  kept: async ({ worker, browser, options }, use) =>
    use(async () => {
      if (worker.kept?.options !== options || (worker.kept.looked && !(await cleared(worker.kept)))) await drop(worker)
      worker.kept ??= await keep(browser, options)
      return worker.kept
    }),
  context: async ({ keepPage, kept, worker, browser }, use, info) => {
    if (keepPage) {
      await use((await kept()).context)
      if (info.status !== info.expectedStatus || !(await cleared(worker.kept!))) await drop(worker)
    } else {
      const context = await browser.newContext()
      await use(context)
      await context.close()
    }
  },
  page: async ({ keepPage, worker, context }, use) => {
    if (keepPage) return use(worker.kept!.page)
    const page = await context.newPage()
    routeAtOnce(page)
    await use(page)
  },
  serverLog: [
    async ({ server, browser, worker, moved }, use, info) => {
      if (slow > 1) info.setTimeout(info.timeout * slow)
      const before = server.log().length
      await use(undefined)
      // Extra pages are closed, because they would keep listening and rendering through the next tests.
      await Promise.all(
        browser
          .contexts()
          .filter((context) => context !== worker.kept?.context)
          .map((context) => context.close()),
      )
      expect.soft(moved.splice(0), 'the focus moved while somebody typed').toEqual([])
      if (info.status === info.expectedStatus) return
      const log = server.log().slice(before)
      await info.attach('server log', { body: log, contentType: 'text/plain' })
      console.log(`── the server during "${info.title}" ──\n${log.slice(-8000) || '(nothing)'}`)
    },
    { auto: true },
  ],
})

/** A PostgreSQL for this worker alone with the smallest marketplace; fails if it can't be started. */
async function ownPostgres(): Promise<{ postgres: Postgres; url: string }> {
  const postgres = await startPostgres()
  if ('reason' in postgres) throw new Error(`PostgreSQL did not start: ${postgres.reason}`)
  const url = await postgres.url('workspace')
  const database = connect({ url, poolSize: 2 })
  try {
    await migrate(database)
    await seed(database, { size: 'test' })
  } finally {
    await database.close()
  }
  return { postgres, url }
}

/** Closes the page that a worker keeps, so that the next test gets another. */
export async function drop(worker: PerWorker['worker']): Promise<void> {
  const { kept } = worker
  worker.kept = undefined
  await kept?.context.close()
}
