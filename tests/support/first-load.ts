import { get } from 'node:http'
import type { Browser } from '@playwright/test'

/** The limit for the first load with all 144 screens: gzipped script, in bytes (decisions.md 14). */
export const FIRST_LOAD_LIMIT = 220_000

/** The limit for a partner's first visit: gzipped script, in bytes (screens-quote-flow.md, Feasibility). */
export const PARTNER_LOAD_LIMIT = 90_000

/** A script as the server sends it, in bytes. */
export type Script = { path: string; plain: number; gzip: number; brotli: number }

/** Loading ends after this many ms without requests; longer than the idle preload's four seconds. */
const QUIET = 2500
const QUIET_AHEAD = 6000

/**
 * The scripts a signed-in workspace loads with an empty cache: modules, their preloads and their workers.
 * Sizes are the bodies the server sends for each encoding. Maps and charts count only if the first screen shows one.
 * `ahead` includes idle preloads (palette, dialogs); without it the page never becomes idle.
 */
export async function firstLoad(browser: Browser, url: string, { ahead = false } = {}): Promise<Script[]> {
  const login = await browser.newContext({ baseURL: url })
  const door = await login.newPage()
  await door.goto('/login')
  await door.getByLabel('Username (email)').fill('admin@fieldwork.test')
  await door.getByLabel(/^Password/).fill('Fieldwork-1!')
  await door.keyboard.press('Enter')
  await door.waitForURL((address) => !address.pathname.startsWith('/login'))
  await door.getByRole('main').waitFor()
  const home = new URL(door.url()).pathname
  const storageState = await login.storageState()
  await login.close()

  const fresh = await browser.newContext({ baseURL: url, storageState })
  if (!ahead) await fresh.addInitScript('window.requestIdleCallback = () => 0')
  const asked = new Set<string>()
  let last = performance.now()
  // On the context, not the page: a worker requests its own imports.
  fresh.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.endsWith('.js')) {
      asked.add(pathname)
      last = performance.now()
    }
  })
  const page = await fresh.newPage()
  await page.goto(home)
  await page.getByRole('main').waitFor()
  await page.getByRole('row').nth(5).waitFor()
  while (performance.now() - last < (ahead ? QUIET_AHEAD : QUIET)) await page.waitForTimeout(100)
  await fresh.close()
  return await sizesOf(url, asked)
}

/** The scripts that a page loads with an empty cache, without a session. */
export async function publicLoad(browser: Browser, url: string, path: string): Promise<Script[]> {
  const fresh = await browser.newContext({ baseURL: url })
  const asked = new Set<string>()
  fresh.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.endsWith('.js')) asked.add(pathname)
  })
  const page = await fresh.newPage()
  await page.goto(path)
  await page.waitForLoadState('networkidle')
  await fresh.close()
  return await sizesOf(url, asked)
}

async function sizesOf(url: string, paths: Iterable<string>): Promise<Script[]> {
  return await Promise.all(
    [...paths].map(async (path) => ({
      path,
      plain: await sizeOf(url + path, 'identity'),
      gzip: await sizeOf(url + path, 'gzip'),
      brotli: await sizeOf(url + path, 'br'),
    })),
  )
}

/** The bytes of a body in one encoding; `fetch` would unpack it. */
function sizeOf(address: string, encoding: string): Promise<number> {
  return new Promise((done, failed) => {
    get(address, { headers: { 'accept-encoding': encoding } }, (answer) => {
      let bytes = 0
      answer.on('data', (part: Buffer) => (bytes += part.length))
      answer.on('end', () => (answer.statusCode === 200 ? done(bytes) : failed(new Error(`${address}: ${answer.statusCode}`))))
    }).on('error', failed)
  })
}
