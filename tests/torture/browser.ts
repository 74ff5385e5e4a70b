import { type Browser, chromium } from '@playwright/test'
import { chromiumArgs, chromiumPath } from '../support/chromium.ts'
import { leftover } from '../support/leftovers.ts'

/** Starts a browser that a stopped torture ends; Playwright would exit before the rest has ended. */
export async function openBrowser(): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: await chromiumPath(),
    args: chromiumArgs,
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  })
  const close = leftover(() => browser.close())
  browser.once('disconnected', () => void close().catch(() => {}))
  return browser
}
