import type { Browser } from '@playwright/test'
import { PARTNER_PAGES } from '../../contract/pages.ts'
import { expect, test } from '../support/e2e.ts'
import { FIRST_LOAD_LIMIT, firstLoad, PARTNER_LOAD_LIMIT, publicLoad, type Script } from '../support/first-load.ts'
import { areaWeights, sayTooHeavy } from '../support/weights.ts'

let loaded: Promise<Script[]> | undefined
/** The scripts of a first load, shared by a worker's tests. */
const once = (browser: Browser, url: string) => (loaded ??= firstLoad(browser, url))

test(`the first load of the workspace fetches at most ${FIRST_LOAD_LIMIT / 1000} kB of gzipped script`, {
  tag: '@quick',
}, async ({ browser, server }) => {
  const scripts = await once(browser, server.url)
  const weights = scripts.toSorted((a, b) => b.gzip - a.gzip).map(({ path, gzip }) => `${String(gzip).padStart(7)} ${path}`)
  const total = scripts.reduce((sum, script) => sum + script.gzip, 0)
  expect(total, `${total} bytes:\n${weights.join('\n')}`).toBeLessThanOrEqual(FIRST_LOAD_LIMIT)
})

test('no area of the workspace exceeds its weight limit', { tag: '@quick' }, () => {
  const tooHeavy = areaWeights().filter(({ bytes, limit }) => bytes > limit)
  expect(
    tooHeavy.map(({ name }) => name),
    tooHeavy.map(sayTooHeavy).join('\n'),
  ).toEqual([])
})

test('no library of maps or charts is in the first load', async ({ browser, server }) => {
  const scripts = await once(browser, server.url)
  for (const { path } of scripts) expect(path).not.toMatch(/maplibre|uplot|supercluster|topojson/i)
})

test('scripts are sent compressed', async ({ browser, server }) => {
  const scripts = await once(browser, server.url)
  for (const { path, plain, gzip, brotli } of scripts.filter((script) => script.plain > 2000)) {
    expect(gzip, path).toBeLessThan(plain * 0.7)
    expect(brotli, path).toBeLessThan(gzip)
  }
})

test('a partner’s page is one script of at most 90 kB, beside the check for older browsers, without the workspace', async ({
  browser,
  server,
}) => {
  const scripts = await publicLoad(browser, server.url, PARTNER_PAGES.unknown)
  expect(scripts.map(({ path }) => path).sort()).toEqual([expect.stringMatching(/^\/assets\/partner-/), '/older-browser.js'])
  expect(scripts.reduce((sum, { gzip }) => sum + gzip, 0)).toBeLessThanOrEqual(PARTNER_LOAD_LIMIT)
})
