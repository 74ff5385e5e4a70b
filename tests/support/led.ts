import { expect, type Page, type Request } from '@playwright/test'
import { goTo, keys, list, login } from '../e2e/verbs.ts'
import { test as fresh } from './e2e.ts'

/** The home of a led page: the list of all projects, signed in as an administrator. */
const HOME = '/dashboard/all-projects'

/**
 * Playwright's `test` with a page already on the list of all projects, focused; one per worker, led home by keys.
 * A test gets it only if it looks, stores and behaves as when new, and sent no write.
 * Anything else (a route, a clock, a resized window, another address) ends it, and the next test gets a new one.
 */
export const test = fresh.extend<{ writes: string[] }>({
  // What a test mustn't do if its page is to be kept.
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from the pattern
  writes: async ({}, use) => use([]),
  context: async ({ kept, browser, baseURL, viewport, locale, timezoneId }, use) => {
    kept.context ??= await browser.newContext({ baseURL, viewport, locale, timezoneId })
    await use(kept.context)
  },
  page: async ({ kept, context, writes }, use, info) => {
    if (!kept.page) {
      kept.page = await context.newPage()
      await login(kept.page)
      await goTo(kept.page, HOME)
      await list(kept.page)
      kept.looked = await lookOf(kept.page)
    }
    const { page } = kept
    const hear = (request: Request) => request.method() !== 'GET' && writes.push(`${request.method()} ${request.url()}`)
    page.on('request', hear)
    await use(page)
    page.off('request', hear)
    if (info.status === info.expectedStatus && !writes.length && (await ledHome(page, kept.looked!))) return
    kept.context = undefined
    kept.page = undefined
    await context.close()
  },
})

/** Leads a page home by keys; returns false if it doesn't look as when new. */
async function ledHome(page: Page, looked: string): Promise<boolean> {
  if (page.context().pages().length > 1) return false
  try {
    for (let at = 0; at < 3; at++) await page.keyboard.press('Escape')
    if (new URL(page.url()).pathname !== HOME) await keys(page, 'g p')
    await page.waitForURL((url) => url.pathname === HOME, { timeout: 2000 })
    await list(page)
    await keys(page, 'g g')
    await page.mouse.move(0, 0)
    // Closing may take a while.
    await expect.poll(() => lookOf(page), { timeout: 1000, intervals: [20, 50, 100] }).toBe(looked)
    return true
  } catch {
    return false
  }
}

/** Everything a test could see of the one before: text, selection, open parts, focus and storage. */
const lookOf = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    await new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)))
    const states = [
      'aria-selected',
      'aria-expanded',
      'aria-checked',
      'aria-pressed',
      'aria-current',
      'data-cursor',
      'data-active',
    ]
    const stated = [...document.querySelectorAll<HTMLElement>(states.map((name) => `[${name}]`).join())]
    const open = document.querySelectorAll('[role=dialog], [role=menu], [data-palette], [data-sonner-toast], [role=tooltip]')
    return JSON.stringify({
      address: location.href,
      title: document.title,
      window: [innerWidth, innerHeight, document.documentElement.className],
      text: document.body.textContent,
      states: stated.map((one) => states.map((name) => one.getAttribute(name)).join()),
      open: open.length,
      focus: document.activeElement?.outerHTML.slice(0, 200).replace(/(id|aria-activedescendant)="[^"]*"/g, ''),
      scrolled: [...document.querySelectorAll('*')].filter((one) => one.scrollTop > 0).length,
      kept: [Object.entries(localStorage).sort(), Object.entries(sessionStorage).sort()],
      noticed: [navigator.onLine, matchMedia('(prefers-color-scheme: dark)').matches],
    })
  })
