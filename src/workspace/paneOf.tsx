import type { ComponentType } from 'react'
import type { RouteId } from '../routing/routes.ts'
import { type Loadable, loadable } from '../ui/loadable.tsx'
import { Skeleton } from '../ui/States.tsx'

/** What every pane gets: its route's parameters; query, commands and rows come through the pane's hooks. */
export interface PaneProps {
  params: Record<string, string>
  /** The key of the route's tab that shows (`overview`, not its path), where it has tabs. */
  tab: string | null
}

/** A pane's module: what a screen shows, loaded when it is first seen. */
export type LazyPane = () => Promise<{ default: ComponentType<PaneProps> }>

/** Which pane a route shows (src/screens.ts); one that is missing is not built. */
export type Screens = Partial<Record<RouteId, LazyPane>>

let screens: Screens = {}
/** Registers the panes of the routes, before anything is drawn: nothing below the panes imports one. */
export const bindScreens = (table: Screens): void => {
  screens = table
}

const panes = new Map<LazyPane, Loadable<PaneProps>>()

/** A route's pane, or null where it is not built; one for each loader, so that the same pane under two routes is one download. */
export function paneOf(id: RouteId): Loadable<PaneProps> | null {
  const load = screens[id]
  if (!load) return null
  const known = panes.get(load)
  if (known) return known
  const pane = loadable(() => load().then((module) => module.default), <Skeleton rows={8} />)
  panes.set(load, pane)
  return pane
}
