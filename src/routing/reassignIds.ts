import type { Layout, Pane } from './layout.ts'

/** Renumbers a layout's ids from `next`, so an imported layout shares none with this one, past or present. */
export function reassignIds(layout: Layout, next: number): Layout {
  const anew = (id: string) => `${id[0]}${Number(id.slice(1)) + next}`
  const paneAnew = (pane: Pane) => ({ ...pane, id: anew(pane.id) })
  return {
    ...layout,
    columns: layout.columns.map((column) => ({
      ...column,
      id: anew(column.id),
      tabs: column.tabs.map(paneAnew),
      mru: column.mru.map(anew),
    })),
    closed: layout.closed.map((one) => ({ ...one, pane: paneAnew(one.pane) })),
    next: layout.next + next,
  }
}
