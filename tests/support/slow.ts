import type { BrowserContext, Page } from '@playwright/test'

/**
 * Slows every page's thread and extends test timeouts by this factor; off: 1.
 * `SLOW=4 npx playwright test …` shows where a test acts too early.
 */
export const slow = Number(process.env.SLOW ?? 1)

/** Slows pages that a context opens from now on. */
export function slowed(context: BrowserContext): BrowserContext {
  const slowPage = async (page: Page) => {
    const session = await context.newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: slow })
  }
  // A page may close before it was slowed.
  context.on('page', (page) => void slowPage(page).catch(() => {}))
  return context
}
