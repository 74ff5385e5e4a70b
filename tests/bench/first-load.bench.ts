// The weight of the workspace's first load: `node tests/bench/first-load.bench.ts`.
// Builds, serves the demo marketplace, opens it in Chromium with an empty cache, and lists every script until idle.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { buildWorkspace } from '../../scripts/build.ts'
import { chromiumArgs, chromiumPath } from '../support/chromium.ts'
import { FIRST_LOAD_LIMIT, firstLoad } from '../support/first-load.ts'
import { startServer } from '../support/server.ts'
import { areaWeights } from '../support/weights.ts'

await buildWorkspace()
const folder = mkdtempSync(join(tmpdir(), 'fieldwork-bench-'))
const server = await startServer({ DATA_DIR: folder, DEMO: 'demo' })
const browser = await chromium.launch({ executablePath: await chromiumPath(), args: chromiumArgs })
try {
  const scripts = (await firstLoad(browser, server.url)).sort((a, b) => b.gzip - a.gzip)
  const sum = (of: 'plain' | 'gzip' | 'brotli') => scripts.reduce((total, script) => total + script[of], 0)
  console.table([...scripts, { path: 'all', plain: sum('plain'), gzip: sum('gzip'), brotli: sum('brotli') }])
  const ahead = (await firstLoad(browser, server.url, { ahead: true })).reduce((total, script) => total + script.gzip, 0)
  const over = sum('gzip') - FIRST_LOAD_LIMIT
  const kB = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`
  console.log(
    `${scripts.length} scripts, ${kB(sum('gzip'))} gzip, ${kB(sum('brotli'))} brotli; the limit is ${kB(FIRST_LOAD_LIMIT)} gzip: ${over > 0 ? `${kB(over)} TOO MUCH` : `${kB(-over)} to spare`}`,
  )
  console.log(
    `The idle page then fetches ${kB(ahead - sum('gzip'))} more ahead of its use (palette and dialogs): ${kB(ahead)} in all.`,
  )
  console.table(areaWeights().map(({ name, bytes, limit }) => ({ area: name, gzip: bytes, limit, room: limit - bytes })))
  process.exitCode = over > 0 ? 1 : 0
} finally {
  await browser.close()
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}
