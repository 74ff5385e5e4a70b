import type { BrowserContext } from '@playwright/test'

/** Reports each move of the focus by the product after a typed letter and before another key or click. */
export async function watchTyping(context: BrowserContext, moved: string[]): Promise<void> {
  await context.exposeBinding('focusMoved', (_, what: string) => void moved.push(what))
  await context.addInitScript(watch)
}

/** In the page. The stack of `focusin` has what called `focus`; tests, which call it too, have no file there. */
function watch(): void {
  const FIELD =
    'input:not([type=checkbox], [type=radio], [type=range], [type=file]), textarea, [contenteditable=""], [contenteditable=true]'
  let typed: Element | null = null
  const name = (one: Element) =>
    `${one.tagName.toLowerCase()} ${one.getAttribute('aria-label') ?? one.getAttribute('name') ?? one.id}`.trim()
  const done = () => {
    typed = null
  }
  addEventListener('keydown', done, true)
  addEventListener('pointerdown', done, true)
  // Back, a test that shows another screen as Back would, or a link within the page.
  addEventListener('popstate', done)
  addEventListener('hashchange', done)
  addEventListener('input', ({ target }) => (typed = target instanceof Element && target.matches(FIELD) ? target : null), true)
  addEventListener(
    'focusin',
    ({ target }) => {
      const stack = new Error().stack ?? ''
      if (typed && target !== typed && target instanceof Element && /\/assets\//.test(stack.split('\n').slice(2).join()))
        (globalThis as unknown as { focusMoved(what: string): void }).focusMoved(
          `from ${name(typed)} to ${name(target)} at ${location.pathname}: ${stack.split('\n').slice(2, 5).join(' < ')}`,
        )
      typed = null
    },
    true,
  )
}
