import type { ComponentType } from 'react'
import type { RouteId } from '../routing/routes.ts'
import { type Loadable, loadable } from '../ui/loadable.tsx'
import { Skeleton } from '../ui/States.tsx'
import { useDelayed } from '../ui/useDelayed.ts'
import { OUTSIDE, usePaneId } from './pane.tsx'

/** Every pane's props: its route's parameters. Query, commands and rows come through the pane's hooks. */
export interface PaneProps {
  params: Record<string, string>
  /** The key of the visible tab (`overview`, not its path), if the route has tabs. */
  tab: string | null
}

/** A pane's module, loaded when first shown. */
export type LazyPane = () => Promise<{ default: ComponentType<PaneProps> }>

/** The pane of each route (src/screens.ts). */
export type Screens = Partial<Record<RouteId, LazyPane>>

let screens: Screens = {}
/** Registers the panes of routes before the first render, because code below the panes may not import them. */
export const bindScreens = (table: Screens): void => {
  screens = table
}

const panes = new Map<LazyPane, Loadable<PaneProps>>()

/** Returns a route's pane, or null; one per loader, so that a pane of two routes loads once. */
export function paneOf(id: RouteId): Loadable<PaneProps> | null {
  const load = screens[id]
  if (!load) return null
  const known = panes.get(load)
  if (known) return known
  const pane = loadable(() => load().then((module) => module.default), <Waiting />)
  panes.set(load, pane)
  return pane
}

const ScreenShape = loadable(() => import('./ScreenShape.tsx').then((module) => module.ScreenShape))

/** The skeleton of a screen while its code loads; most load before it would be drawn. */
function Waiting() {
  const outside = usePaneId() === OUTSIDE
  const late = useDelayed(true)
  if (outside) return <Skeleton rows={8} />
  // Keys wait for a pane that is loading, from the start.
  return <div data-loading="">{late && <ScreenShape />}</div>
}
