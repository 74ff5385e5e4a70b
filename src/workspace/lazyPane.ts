import { type ComponentType, lazy } from 'react'
import type { LazyPane, PaneProps } from './route.ts'

const loaded = new WeakMap<LazyPane, ComponentType<PaneProps>>()

/** A pane's component: one for each loader, so that the same screen twice is one download. */
export function lazyPane(load: LazyPane): ComponentType<PaneProps> {
  const known = loaded.get(load)
  if (known) return known
  const made = lazy(load)
  loaded.set(load, made)
  return made
}

/** Forgets a pane that failed to load, so that a retry loads it anew. */
export const forgetPane = (load: LazyPane): boolean => loaded.delete(load)
