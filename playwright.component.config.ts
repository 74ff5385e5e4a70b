import { defineConfig } from '@playwright/test'
import endToEnd from './playwright.config.ts'

const { projects: _, ...shared } = endToEnd

/** Tests of keys and palette in Chromium over a small marketplace (tests/support/component.ts). */
export default defineConfig({
  ...shared,
  testDir: 'tests/component',
  outputDir: 'test-results/component',
  globalSetup: './tests/support/component-setup.ts',
  fullyParallel: true,
})
