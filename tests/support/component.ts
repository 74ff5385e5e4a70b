import { type BrowserContext, test as base, expect, type Page } from '@playwright/test'
import { watchTyping } from './movedFocus.ts'
import { BLANK, Portal } from './portal.ts'
import { routeAtOnce } from './routes.ts'
import { slow, slowed } from './slow.ts'

export { expect } from '@playwright/test'

interface PerWorker {
  server: Portal
  kept: Kept
}
/** The browser window that a worker's tests share in turn. */
interface Kept {
  context?: BrowserContext
  page?: Page
  /** The options that it was opened with. */
  like?: string
  /** How the product moved the focus while a test typed. */
  moved: string[]
}
interface PerTest {
  /** The server behind the page, with the same marketplace for each test; `writes` are the page's writes. */
  api: Portal
}

/**
 * Playwright's `test` with the built workspace over the server in this process, signed in: one window per worker.
 * Each test opens a new document with empty storage.
 * A test that changes the window itself (a clock, an init script, another size, a second page) closes it.
 */
export const test = base.extend<PerTest, PerWorker>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from the pattern
    async ({}, use) => {
      const template = process.env.COMPONENT_TEMPLATE
      if (!template) throw new Error('The global setup did not run.')
      const server = new Portal(template)
      await server.start()
      await use(server)
      await server.stop()
    },
    { scope: 'worker' },
  ],
  kept: [
    async ({ browser }, use) => {
      const worker: Kept = { moved: [] }
      await use(worker)
      if (browser.isConnected()) await worker.context?.close()
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ server }, use) => use(server.url),
  api: [
    async ({ server }, use, info) => {
      if (slow > 1) info.setTimeout(info.timeout * slow)
      await server.begin()
      await use(server)
      expect(server.faults, 'errors of the server').toEqual([])
    },
    { auto: true },
  ],
  context: async ({ kept, browser, baseURL, viewport, locale, timezoneId, permissions }, use) => {
    const like = JSON.stringify([viewport, permissions])
    if (kept.like !== like) {
      await kept.context?.close()
      const context = await browser.newContext({ baseURL, viewport, locale, timezoneId, permissions })
      kept.context = slow > 1 ? slowed(context) : context
      await watchTyping(kept.context, kept.moved)
      kept.page = await kept.context.newPage()
      routeAtOnce(kept.page)
      kept.like = like
    }
    await use(kept.context!)
  },
  page: async ({ kept, context, api }, use) => {
    const page = kept.page!
    await page.goto(BLANK)
    await page.evaluate(emptied)
    await context.clearCookies()
    const marks = watched(page)
    await use(page)
    expect(kept.moved.splice(0), 'the focus moved while somebody typed').toEqual([])
    marks.end()
    page.removeAllListeners()
    // This test's workspace must make no more calls: neither while the next one starts, nor past this one's routes.
    if (!marks.changed && context.pages().length === 1 && !page.isClosed()) {
      await page.goto(BLANK)
      await page.unrouteAll({ behavior: 'ignoreErrors' })
    } else {
      kept.like = undefined
      await context.close()
    }
    void api
  },
})

/** In the page: clears all of its storage. */
async function emptied(): Promise<void> {
  localStorage.clear()
  sessionStorage.clear()
  for (const { name } of await indexedDB.databases()) indexedDB.deleteDatabase(name!)
  const root = await navigator.storage.getDirectory()
  for await (const name of (root as unknown as { keys(): AsyncIterable<string> }).keys())
    await root.removeEntry(name, { recursive: true })
}

/** Detects whether a test changes its window in a way that outlasts the document. */
function watched(page: Page) {
  const marks = { changed: false, end: () => {} }
  const lasting: [object, string][] = [
    ...['addInitScript', 'emulateMedia', 'setViewportSize', 'exposeFunction', 'setExtraHTTPHeaders'].map(
      (name): [object, string] => [page, name],
    ),
    [page.clock, 'install'],
    [page.context(), 'setOffline'],
    [page.context(), 'addInitScript'],
  ]
  const ends = lasting.map(([owner, name]) => {
    const all = owner as Record<string, (...given: unknown[]) => unknown>
    all[name] = (...given) => {
      marks.changed = true
      return (Object.getPrototypeOf(all)[name] as (...given: unknown[]) => unknown).apply(all, given)
    }
    return () => delete all[name]
  })
  marks.end = () => {
    for (const end of ends) end()
  }
  return marks
}
