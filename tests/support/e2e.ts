import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test as base } from '@playwright/test'
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
}

type PerTest = {
  /** Prints what the server said during a test that fails. */
  serverLog: undefined
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
  baseURL: async ({ server }, use) => use(server.url),
  serverLog: [
    async ({ server }, use, info) => {
      const before = server.log().length
      await use(undefined)
      if (info.status === info.expectedStatus) return
      const log = server.log().slice(before)
      await info.attach('server log', { body: log, contentType: 'text/plain' })
      console.log(`── the server during "${info.title}" ──\n${log.slice(-8000) || '(nothing)'}`)
    },
    { auto: true },
  ],
})
