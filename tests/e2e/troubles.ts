import type { Page } from '@playwright/test'

/** Collects script errors, console errors and content security violations; should stay empty. */
export function troubles(page: Page): string[] {
  const heard: string[] = []
  page.on('pageerror', (error) => heard.push(String(error.stack ?? error).slice(0, 400)))
  page.on(
    'console',
    (message) => message.type() === 'error' && heard.push(`${message.text()} ${message.location().url}`.slice(0, 400)),
  )
  // The browser's own message varies between releases; the event is standard.
  void page.addInitScript(() =>
    addEventListener('securitypolicyviolation', (event) =>
      console.error(`the policy stopped ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile} ${event.sample}`),
    ),
  )
  return heard
}
