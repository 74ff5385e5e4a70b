import type { ComponentType } from 'react'
import type { RouteId } from '../routing/routes.ts'
import { type Loadable, loadable } from '../ui/loadable.tsx'
import { ChartsSkeleton, FormSkeleton, ListSkeleton, RecordSkeleton } from '../ui/Skeletons.tsx'
import { Skeleton } from '../ui/States.tsx'
import { OUTSIDE, usePane, usePaneId } from './pane.tsx'

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
/** Registers the routes' panes before the first render, as nothing below the panes may import one. */
export const bindScreens = (table: Screens): void => {
  screens = table
}

const panes = new Map<LazyPane, Loadable<PaneProps>>()

/** A route's pane, or null for one without; one per loader, so a pane under two routes downloads once. */
export function paneOf(id: RouteId): Loadable<PaneProps> | null {
  const load = screens[id]
  if (!load) return null
  const known = panes.get(load)
  if (known) return known
  const pane = loadable(() => load().then((module) => module.default), <Waiting />)
  panes.set(load, pane)
  return pane
}

/** The shape of a screen while its code loads. */
const Waiting = () => (usePaneId() === OUTSIDE ? <Skeleton rows={8} /> : <Shape />)

function Shape() {
  const { match } = usePane()
  const { row, tab, tabRow } = match ?? {}
  if (row?.form || tabRow?.form) return <FormSkeleton />
  if (!row?.subject) return <ListSkeleton />
  const tabs = Object.values(row.tabs ?? {}).filter(({ hidden }) => !hidden).length
  return <RecordSkeleton tabs={tabs} body={tab === 'overview' ? <ChartsSkeleton /> : <Skeleton rows={8} />} />
}
