import type { Browser, BrowserContext, CDPSession, Page } from '@playwright/test'
import { routeAtOnce } from './routes.ts'

/** The page a worker keeps: its process has already compiled the workspace, which is half the cost of a new page. */
export interface Kept {
  context: BrowserContext
  page: Page
  /** The options of its context: a test with other options gets another page. */
  options: string
  /** Why no other test may use it; undefined if all changes to it can be reverted. */
  spent?: string
  /** Reverts the test's changes, the last first. */
  undo: (() => unknown)[]
  /** How it looked at home when it was new, if led.ts has led it there. */
  looked?: string
  session: CDPSession
}

type Method = (...args: never[]) => unknown

/** Methods whose effect on a page or its context is permanent. */
const LASTING = [
  ...['addInitScript', 'exposeFunction', 'exposeBinding', 'routeWebSocket', 'routeFromHAR', 'addLocatorHandler', 'newCDPSession'],
  ...['setExtraHTTPHeaders', 'setGeolocation', 'setHTTPCredentials', 'grantPermissions', 'clearPermissions'],
  ...['setDefaultTimeout', 'setDefaultNavigationTimeout', 'close'],
]
const CLOCK = ['install', 'setFixedTime', 'setSystemTime', 'pauseAt']
/** A page's storage, except for its cached files. */
const STORED = 'file_systems,indexeddb,local_storage,service_workers,cache_storage'
const LISTENING = ['on', 'once', 'addListener', 'prependListener']

/** Opens a page with a test's options, and records changes to it from now on. */
export async function keep(browser: Browser, options: string): Promise<Kept> {
  const context = await browser.newContext()
  const page = await context.newPage()
  routeAtOnce(page)
  const keptPage: Kept = { context, page, options, undo: [], session: await context.newCDPSession(page) }
  const viewport = page.viewportSize()
  for (const one of [page, context]) {
    before(one, LASTING, (name) => (keptPage.spent = name))
    before(one, LISTENING, (_, event, heard) => keptPage.undo.push(() => one.off(event, heard)))
    before(one, ['route'], () => keptPage.undo.push(() => one.unrouteAll({ behavior: 'ignoreErrors' })))
  }
  before(context, ['setOffline'], () => keptPage.undo.push(() => context.setOffline(false)))
  before(page, ['setViewportSize'], () => keptPage.undo.push(() => viewport && page.setViewportSize(viewport)))
  const media = { media: null, colorScheme: null, reducedMotion: null, forcedColors: null, contrast: null } as const
  before(page, ['emulateMedia'], () => keptPage.undo.push(() => page.emulateMedia(media)))
  for (const one of [page.keyboard, page.mouse]) before(one, ['down'], () => (keptPage.spent = 'held down'))
  before(context.clock, CLOCK, () => (keptPage.spent = 'clock'))
  return keptPage
}

/** Calls back before each call of these methods. */
function before(target: object, names: readonly string[], hear: (name: string, ...args: never[]) => unknown): void {
  const methods = target as Record<string, Method | undefined>
  for (const name of names) {
    const method = methods[name]?.bind(target)
    if (!method) continue
    methods[name] = (...args) => {
      hear(name, ...args)
      return method(...args)
    }
  }
}

/** Reverts a test's changes outside the page itself; false if that isn't possible. */
export async function takenBack(keptPage: Kept): Promise<boolean> {
  if (keptPage.spent || keptPage.page.isClosed()) return false
  const undo = keptPage.undo.splice(0).reverse()
  for (const step of undo) await step()
  keptPage.undo.length = 0
  for (const other of keptPage.context.pages()) if (other !== keptPage.page) await other.close()
  return !keptPage.spent
}

/**
 * Resets a kept page: without session, storage, history or pointer, on a page of its server without scripts.
 * Only the workspace's cached and compiled files stay. Returns false if that isn't possible.
 */
export async function cleared(keptPage: Kept): Promise<boolean> {
  const { context, page, session } = keptPage
  try {
    keptPage.looked = undefined
    if (!(await takenBack(keptPage))) return false
    // First of all, so that whatever a page writes when it is left belongs to nobody.
    await context.clearCookies()
    const { origin } = new URL(page.url())
    await page.goto('/healthz')
    if (origin !== 'null' && origin !== new URL(page.url()).origin) return false
    await page.mouse.move(-1, -1)
    // Includes files: the palette's stored index would respond before the server does.
    await session.send('Storage.clearDataForOrigin', { origin: new URL(page.url()).origin, storageTypes: STORED })
    await page.evaluate(() => {
      localStorage.clear()
      sessionStorage.clear()
      window.name = ''
    })
    await session.send('Page.resetNavigationHistory')
    return true
  } catch {
    return false
  }
}
