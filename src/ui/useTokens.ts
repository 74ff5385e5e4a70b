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

/** The row heights in px that aren't the usual 32, by density; as in tailwind.config.ts. */
const HEIGHTS: Readonly<Record<string, number>> = { dense: 28, comfortable: 40 }
/** The row height in px. */
export function useRowHeight(): number {
  return useSyncExternalStore(
    subscribe,
    () => HEIGHTS[document.documentElement.dataset.density ?? ''] ?? 32,
    () => 32,
  )
}
