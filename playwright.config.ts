import { defineConfig } from '@playwright/test'
import { chromiumArgs, chromiumPath } from './tests/support/chromium.ts'

/** Tests that mostly wait: for mails, which leave after eight seconds, and for a slow network. */
const WAITING = ['quote-flow.spec.ts', 'quote-flow-postgres.spec.ts', 'quote-keys.spec.ts', 'typist.spec.ts'].map(
  (file) => `**/${file}`,
)

export default defineConfig({
  testDir: 'tests/e2e',
  // `npm test` runs the second one beside the API tests (scripts/test/parts.ts).
  projects: [
    { name: 'e2e', testIgnore: WAITING, outputDir: 'test-results/e2e' },
    { name: 'waiting', testMatch: WAITING, outputDir: 'test-results/waiting' },
  ],
  globalSetup: './tests/support/e2e-setup.ts',
  // As many as cores: two use them whole (a third saves nothing, and tests get in each other's way).
  workers: 2,
  // Until ten whole runs in a row needed none (`npm run test:runs`); `npm run test:all` has none.
  retries: process.env.WHOLE ? 0 : 1,
  timeout: 60_000,
  // SLOW slows pages down (tests/support/e2e.ts), so they get more time.
  expect: { timeout: 10_000 * Number(process.env.SLOW ?? 1) },
  forbidOnly: process.env.CI === 'true',
  reporter: 'list',
  use: {
    launchOptions: { executablePath: await chromiumPath(), args: chromiumArgs },
    viewport: { width: 1440, height: 900 },
    locale: 'en-US',
    timezoneId: 'America/New_York',
    // Traces slow every test by a seventh; a failure has its picture, page text and server log without one.
    trace: process.env.TRACE ? 'retain-on-failure' : 'off',
    screenshot: 'only-on-failure',
  },
})
