import type { Page } from '@playwright/test'

/** Runs in the page: what is wrong with the focus after it has settled, or null. */
async function misplaced(): Promise<string | null> {
  const OVER = ':is([role=dialog], [role=alertdialog])[data-state=open], [role=menu]'
  const wrong = (): string | null => {
    const at = document.activeElement
    if (!at || at === document.body || at === document.documentElement) return 'on nothing'
    const named = `${at.tagName.toLowerCase()} “${(at.getAttribute('aria-label') ?? at.textContent ?? '').trim().slice(0, 40)}”`
    const over = [...document.querySelectorAll(OVER)].at(-1)
    // A long menu has a field above its items, in the same dialog.
    const within = over?.closest('[role=dialog]') ?? over
    if (within && !within.contains(at)) return `behind a dialog, on ${named}`
    if (at.closest('[inert]')) return `in what is not shown, on ${named}`
    if (!at.checkVisibility({ visibilityProperty: true })) return `hidden, on ${named}`
    if (at.matches(':disabled')) return `on a disabled ${named}`
    // Before signing in there are no panes.
    if (over || !document.querySelector('[data-column]')) return null
    const shown = document.querySelector('[data-column][data-active] section[role=tabpanel]:not([inert])')
    const frame = at.closest('header, nav, aside, footer, [data-sonner-toaster], [role=tablist]')
    return shown?.contains(at) || frame ? null : `outside of the open screen, on ${named}`
  }
  const until = performance.now() + 2000
  // Two frames, because an element that had the focus may be removed in the second.
  for (let quiet = 0; ; ) {
    await new Promise((next) => requestAnimationFrame(next))
    const found = wrong()
    quiet = found ? 0 : quiet + 1
    if (quiet === 3) return null
    if (performance.now() > until) return found ?? 'flickers'
  }
}
/** What is wrong with the focus after it has settled; null if a user could continue there. */
export const focusFault = (page: Page): Promise<string | null> => page.evaluate(misplaced)
