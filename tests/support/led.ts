import { expect, type Page } from '@playwright/test'
import { goTo, keys, list, login } from '../e2e/verbs.ts'
import { drop, test as fresh } from './e2e.ts'
import { cleared, takenBack } from './kept.ts'

/** The home of a led page: the list of all projects, signed in as an administrator. */
const HOME = '/dashboard/all-projects'

/**
 * Playwright's `test` with a page already on the focused list of all projects. After each test, keys lead it home.
 * The next test gets it if it looks and stores the same as when new, and sent no write; else it is loaded again.
 */
export const test = fresh.extend({
  keepPage: true,
  context: async ({ kept, worker, options }, use, info) => {
    const one = worker.kept?.looked && worker.kept.options === options ? worker.kept : await kept()
    const { page } = one
    if (!one.looked) {
      await login(page)
      await goTo(page, HOME)
      await list(page)
      one.looked = await lookOf(page)
    }
    const writes: string[] = []
    page.on('request', (request) => request.method() !== 'GET' && writes.push(request.url()))
    await use(one.context)
    if (info.status !== info.expectedStatus) return await drop(worker)
    if (!writes.length && (await takenBack(one)) && (await ledHome(page, one.looked))) return
    if (!(await cleared(one))) await drop(worker)
  },
})

/** Leads a page home by keys; returns false if it doesn't look like when it was new. */
async function ledHome(page: Page, looked: string): Promise<boolean> {
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

/** Everything a test could see of the previous one: text, selection, open parts, focus and storage. */
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
      // The desk's count comes late, and changes with what other tests of the worker did.
      title: document.title.replace(/^\(\d+\) /, ''),
      window: [innerWidth, innerHeight, document.documentElement.className],
      text: document.body.textContent?.replace(/Desk[\d,]+ needs? you/g, 'Desk'),
      states: stated.map((one) => states.map((name) => one.getAttribute(name)).join()),
      open: open.length,
      focus: document.activeElement?.outerHTML.slice(0, 200).replace(/(id|aria-activedescendant)="[^"]*"/g, ''),
      scrolled: [...document.querySelectorAll('*')].filter((one) => one.scrollTop > 0).length,
      kept: [Object.entries(localStorage).sort(), Object.entries(sessionStorage).sort()],
      noticed: [navigator.onLine, matchMedia('(prefers-color-scheme: dark)').matches],
    })
  })
