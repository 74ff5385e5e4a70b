import { useSyncExternalStore } from 'react'

let version = 0
const listeners = new Set<() => void>()
let observer: MutationObserver | undefined

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  observer ??= new MutationObserver(() => {
    version++
    for (const each of listeners) each()
  })
  if (listeners.size === 1)
    observer.observe(document.documentElement, { attributes: true, attributeFilter: ['class', 'data-density'] })
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) observer?.disconnect()
  }
}

/** Reads a token (`'accent'`, `'row'`) as the page has it now. */
export function token(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim()
}

/** A number that changes whenever theme or density change, for what draws with the tokens by hand: canvas and map. */
export function useTokenVersion(): number {
  return useSyncExternalStore(
    subscribe,
    () => version,
    () => 0,
  )
}

/** The height of a row in px: 32, or 40 when the density is comfortable. */
export function useRowHeight(): number {
  return useSyncExternalStore(
    subscribe,
    () => (document.documentElement.dataset.density === 'comfortable' ? 40 : 32),
    () => 32,
  )
}
