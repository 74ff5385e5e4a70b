import type { Page } from '@playwright/test'

/** Collects what breaks on a page: errors of scripts and of the console, and what the content security policy stops. Empty is how it should be. */
export function troubles(page: Page): string[] {
  const heard: string[] = []
  page.on('pageerror', (error) => heard.push(String(error.stack ?? error).slice(0, 400)))
  page.on(
    'console',
    (message) => message.type() === 'error' && heard.push(`${message.text()} ${message.location().url}`.slice(0, 400)),
  )
  // The browser's own message comes and goes with its releases; the event is the standard's.
  void page.addInitScript(() =>
    addEventListener('securitypolicyviolation', (event) =>
      console.error(`the policy stopped ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile} ${event.sample}`),
    ),
  )
  return heard
}
