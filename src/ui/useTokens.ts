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

/** Reads a token's current value (`'accent'`, `'row'`). */
export function token(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim()
}

/** A number that changes with theme and density, so that canvas and map redraw with the new tokens. */
export function useTokenVersion(): number {
  return useSyncExternalStore(
    subscribe,
    () => version,
    () => 0,
  )
}

/** The row height in px: 32, or 40 when comfortable. */
export function useRowHeight(): number {
  return useSyncExternalStore(
    subscribe,
    () => (document.documentElement.dataset.density === 'comfortable' ? 40 : 32),
    () => 32,
  )
}
