import { type Loadable, loadable } from '../ui/loadable.tsx'
import { Skeleton } from '../ui/States.tsx'
import type { LazyPane, PaneProps } from './route.ts'

const panes = new WeakMap<LazyPane, Loadable<PaneProps>>()

/** A pane's component: one for each loader, so that the same screen twice is one download. */
export function lazyPane(load: LazyPane): Loadable<PaneProps> {
  const known = panes.get(load)
  if (known) return known
  const pane = loadable(() => load().then((module) => module.default), <Skeleton rows={8} />)
  panes.set(load, pane)
  return pane
}
