import type { Browser, BrowserContext, CDPSession, Page } from '@playwright/test'

/** The page a worker keeps: its process has the workspace compiled already, which is half of what a new page costs. */
export interface Kept {
  context: BrowserContext
  page: Page
  /** The options that its context was made with: a test with others gets another page. */
  options: string
  /** Why no other test may have it; undefined if what was done to it can be taken back. */
  spent?: string
  /** Takes back what the test did, the last first. */
  undo: (() => unknown)[]
  /** What it looked like at home when it was new, where led.ts has led it there. */
  looked?: string
  session: CDPSession
}

type Method = (...args: never[]) => unknown

/** What stays with a page or its context for good. */
const LASTING = [
  ...['addInitScript', 'exposeFunction', 'exposeBinding', 'routeWebSocket', 'routeFromHAR', 'addLocatorHandler', 'newCDPSession'],
  ...['setExtraHTTPHeaders', 'setGeolocation', 'setHTTPCredentials', 'grantPermissions', 'clearPermissions'],
  ...['setDefaultTimeout', 'setDefaultNavigationTimeout', 'close'],
]
const CLOCK = ['install', 'setFixedTime', 'setSystemTime', 'pauseAt']
/** What a page stores, but for its cached files. */
const STORED = 'file_systems,indexeddb,local_storage,service_workers,cache_storage'
const LISTENING = ['on', 'once', 'addListener', 'prependListener']

/** Opens a page with the options of the test that asks, and notes from now on what is done to it. */
export async function keep(browser: Browser, options: string): Promise<Kept> {
  const context = await browser.newContext()
  const page = await context.newPage()
  const kept: Kept = { context, page, options, undo: [], session: await context.newCDPSession(page) }
  const viewport = page.viewportSize()
  for (const one of [page, context]) {
    before(one, LASTING, (name) => (kept.spent = name))
    before(one, LISTENING, (_, event, heard) => kept.undo.push(() => one.off(event, heard)))
    before(one, ['route'], () => kept.undo.push(() => one.unrouteAll({ behavior: 'ignoreErrors' })))
  }
  before(context, ['setOffline'], () => kept.undo.push(() => context.setOffline(false)))
  before(page, ['setViewportSize'], () => kept.undo.push(() => viewport && page.setViewportSize(viewport)))
  const media = { media: null, colorScheme: null, reducedMotion: null, forcedColors: null, contrast: null } as const
  before(page, ['emulateMedia'], () => kept.undo.push(() => page.emulateMedia(media)))
  for (const one of [page.keyboard, page.mouse]) before(one, ['down'], () => (kept.spent = 'held down'))
  before(context.clock, CLOCK, () => (kept.spent = 'clock'))
  return kept
}

/** Hears of each call of these methods before it is made. */
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

/** Takes back what a test did beside the page itself; false where that can't be. */
export async function takenBack(kept: Kept): Promise<boolean> {
  if (kept.spent || kept.page.isClosed()) return false
  const undo = kept.undo.splice(0).reverse()
  for (const step of undo) await step()
  kept.undo.length = 0
  for (const other of kept.context.pages()) if (other !== kept.page) await other.close()
  return !kept.spent
}

/**
 * Makes a kept page as good as new: without session, storage, history or pointer, on a scriptless page of its server.
 * Only the cached and compiled files of the workspace stay. Returns false where that can't be done.
 */
export async function cleared(kept: Kept): Promise<boolean> {
  const { context, page, session } = kept
  try {
    kept.looked = undefined
    if (!(await takenBack(kept))) return false
    // First of all: what a page writes when it is left is nobody's then.
    await context.clearCookies()
    const { origin } = new URL(page.url())
    await page.goto('/healthz')
    if (origin !== 'null' && origin !== new URL(page.url()).origin) return false
    await page.mouse.move(-1, -1)
    // Files too: the palette's index lies there, and would answer before the server does.
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
