import { recordIn } from './match.ts'

/**
 * Where a pane opens: here as a preview, beside, beside without focus ('glance'), or in a permanent tab.
 * 'pinned' and 'tab' show that tab; 'background' opens it behind the current one.
 */
export type Where = 'here' | 'beside' | 'glance' | 'pinned' | 'tab' | 'background'

/** An open screen with its history. `ref` is always `history[at]`: canonical path and query. */
export interface Pane {
  readonly id: string
  readonly ref: string
  /** False for a preview (italic), which the next preview in its column replaces. A column has at most one. */
  readonly pinned: boolean
  readonly history: readonly string[]
  readonly at: number
}

/** The tabs of a column; `mru[0]` is visible, the rest decide which one shows when it closes. */
export interface Column {
  readonly id: string
  readonly tabs: readonly Pane[]
  readonly mru: readonly string[]
  /** Its share of the width in percent; all columns sum up to 100. */
  readonly size: number
}

/** Everything open, as plain data for links, snapshots and browser tabs. Never empty. */
export interface Layout {
  readonly v: 1
  readonly columns: readonly Column[]
  readonly active: number
  /** True if compared panes switch tabs and filters together. */
  readonly linked: boolean
  /** Recently closed panes, newest last, for reopening. */
  readonly closed: readonly { readonly pane: Pane; readonly column: number; readonly alone: boolean }[]
  /** The number of the next pane or column, so that ids never repeat within a layout. */
  readonly next: number
}

export const MAX_COLUMNS = 4
const MAX_HISTORY = 50
const MAX_CLOSED = 20

/** Returns a layout with one screen. */
export const single = (ref: string): Layout => ({
  v: 1,
  columns: [{ id: 'c1', tabs: [newPane('p1', ref, true)], mru: ['p1'], size: 100 }],
  active: 0,
  linked: false,
  closed: [],
  next: 2,
})

/** Returns the layout of a link: one column per ref, at most four, the `active`th focused. Ids count from `next`. */
export function columnsOf(refs: readonly string[], active = 0, linked = false, next = 1): Layout {
  const shown = refs.slice(0, MAX_COLUMNS)
  const columns = shown.map((ref, i) => {
    const id = `p${next + i}`
    return { id: `c${next + i}`, tabs: [newPane(id, ref, true)], mru: [id], size: 100 / shown.length }
  })
  const at = Math.min(Math.max(0, active), columns.length - 1)
  return { v: 1, columns, active: at, linked: linked && columns.length > 1, closed: [], next: next + columns.length }
}

const newPane = (id: string, ref: string, pinned: boolean): Pane => ({ id, ref, pinned, history: [ref], at: 0 })

/** Returns all open panes, column by column. */
export const panesOf = (layout: Layout): Pane[] => layout.columns.flatMap((column) => column.tabs)
/** Returns the visible pane of a column. */
export const shownIn = (column: Column): Pane => column.tabs.find((pane) => pane.id === column.mru[0])!
/** Returns the focused pane. */
export const activePane = (layout: Layout): Pane => shownIn(layout.columns[layout.active]!)
/** Returns a pane's position, or null if it isn't open. */
export function placeOf(layout: Layout, id: string): { column: number; tab: number; pane: Pane } | null {
  for (const [column, { tabs }] of layout.columns.entries()) {
    const tab = tabs.findIndex((pane) => pane.id === id)
    if (tab >= 0) return { column, tab, pane: tabs[tab]! }
  }
  return null
}

/**
 * Opens a screen from the active column; if it is open there already, on any page, goes to it (workspace.md).
 * With `screen`, a tab with other filters is the same screen too.
 * A record has one tab, so its screens replace each other there, unless `isBusy` says that one has unsaved changes.
 */
export function open(
  layout: Layout,
  ref: string,
  where: Where = 'here',
  screen = false,
  isBusy: (id: string) => boolean = () => false,
): Layout {
  if (where === 'beside') return openBeside(layout, ref)
  // The last of four columns opens it in itself, and keeps the focus.
  if (where === 'glance') return focusColumn(openBeside(layout, ref), layout.active)
  const at = layout.active
  const column = layout.columns[at]!
  const same = sameIn(column, ref, screen)
  if (where === 'background') return same ? layout : insert(layout, at, ref, true, false)
  if (same) return activate(where === 'here' ? layout : pin(layout, same.id), same.id)
  const tab = tabOfRecord(column, ref, isBusy)
  if (tab) return activate(go(where === 'here' ? layout : pin(layout, tab.id), tab.id, ref, 'push'), tab.id)
  return where === 'here' ? preview(layout, at, ref) : insert(layout, at, ref, true)
}

/** Query parameters for a position on a screen: a page, a form's step, an entry. */
const PLACES = /[?&](page|step|entry)=[^&]*/g
/** Returns a ref without its position; refs that are equal then show the same content. */
export const placeless = (ref: string): string => ref.replace(PLACES, '').replace(/^([^?&]*)&/, '$1?')
const pathOf = (ref: string) => ref.split('?', 1)[0]

/** Returns the tab last used for a ref at any position; with `screen`, for its screen under any filters. */
function sameIn({ mru, tabs }: Column, ref: string, screen: boolean): Pane | undefined {
  const latest = mru.map((id) => tabs.find((pane) => pane.id === id)!)
  return (
    latest.find((pane) => pane.ref === ref) ??
    (placeless(ref) === ref ? latest.find((pane) => placeless(pane.ref) === ref) : undefined) ??
    (screen ? latest.find((pane) => pathOf(pane.ref) === ref) : undefined)
  )
}

/** Returns the tab last used for the record of a ref, if it may show another of its screens. */
function tabOfRecord({ mru, tabs }: Column, ref: string, isBusy: (id: string) => boolean): Pane | undefined {
  const record = recordIn(ref)
  const latest = mru.map((id) => tabs.find((pane) => pane.id === id)!)
  return record === null ? undefined : latest.find((pane) => recordIn(pane.ref) === record && !isBusy(pane.id))
}

/** Shows a ref in a column's preview tab, creating one if needed. */
function preview(layout: Layout, at: number, ref: string): Layout {
  const old = layout.columns[at]!.tabs.find((pane) => !pane.pinned)
  return old ? activate(go(layout, old.id, ref, 'push'), old.id) : insert(layout, at, ref, false)
}

/** Opens a pane right of the active column: over a preview there, else in a new column if there are fewer than four. */
function openBeside(layout: Layout, ref: string): Layout {
  const right = layout.columns[layout.active + 1]
  if (right && !shownIn(right).pinned) return preview({ ...layout, active: layout.active + 1 }, layout.active + 1, ref)
  if (layout.columns.length >= MAX_COLUMNS) {
    const at = Math.min(layout.active + 1, MAX_COLUMNS - 1)
    return open({ ...layout, active: at }, ref, 'here')
  }
  return addColumn(layout, layout.active + 1, newPane(`p${layout.next}`, ref, false))
}

/** Evens out all columns if a new one would get less than this part of an even share. */
const LEAST_SHARE = 0.75

/** Adds a column with a pane. It takes half its left neighbor's width if that is enough for both. */
function addColumn(layout: Layout, at: number, pane: Pane): Layout {
  const giver = Math.max(0, at - 1)
  const half = layout.columns[giver]!.size / 2
  const columns = layout.columns.map((column, i) => (i === giver ? { ...column, size: half } : column))
  columns.splice(at, 0, { id: `c${layout.next}`, tabs: [pane], mru: [pane.id], size: half })
  const even = 100 / columns.length
  const sized = half < LEAST_SHARE * even ? columns.map((column) => ({ ...column, size: even })) : columns
  return { ...layout, columns: sized, active: at, next: layout.next + 1 }
}

function insert(layout: Layout, at: number, ref: string, pinned: boolean, show = true): Layout {
  const pane = newPane(`p${layout.next}`, ref, pinned)
  const getOrInsert = { ...layout, next: layout.next + 1 }
  return { ...place(getOrInsert, at, pane, show), active: show ? at : layout.active }
}

/** Places a pane after the visible tab. A second preview gets pinned rather than lost. */
function place(layout: Layout, at: number, pane: Pane, show: boolean): Layout {
  return setColumn(layout, at, (column) => {
    const after = column.tabs.findIndex((tab) => tab.id === column.mru[0]) + 1
    const guest = !pane.pinned && column.tabs.some((tab) => !tab.pinned) ? { ...pane, pinned: true } : pane
    return {
      ...column,
      tabs: column.tabs.toSpliced(after, 0, guest),
      mru: show ? [pane.id, ...column.mru] : [...column.mru, pane.id],
    }
  })
}

const setColumn = (layout: Layout, at: number, change: (column: Column) => Column): Layout => ({
  ...layout,
  columns: layout.columns.map((column, i) => (i === at ? change(column) : column)),
})

/** Changes one pane, wherever it is. */
export const setPane = (layout: Layout, id: string, change: (pane: Pane) => Pane): Layout => ({
  ...layout,
  columns: layout.columns.map((column) =>
    column.tabs.some((pane) => pane.id === id)
      ? { ...column, tabs: column.tabs.map((pane) => (pane.id === id ? change(pane) : pane)) }
      : column,
  ),
})

/** Navigates a pane by adding a history entry, or by replacing the current one. */
export function go(layout: Layout, id: string, ref: string, how: 'push' | 'replace'): Layout {
  return setPane(layout, id, (pane) => {
    if (pane.ref === ref) return pane
    if (how === 'replace') return { ...pane, ref, history: pane.history.with(pane.at, ref) }
    const history = [...pane.history.slice(0, pane.at + 1), ref].slice(-MAX_HISTORY)
    return { ...pane, ref, history, at: history.length - 1 }
  })
}

/** Goes back (−1) or forward (1) in a pane's own history. */
export function travel(layout: Layout, id: string, by: -1 | 1): Layout {
  return setPane(layout, id, (pane) => {
    const ref = pane.history[pane.at + by]
    return ref === undefined ? pane : { ...pane, ref, at: pane.at + by }
  })
}

/** Turns a preview into a permanent tab. */
export const pin = (layout: Layout, id: string): Layout =>
  setPane(layout, id, (pane) => (pane.pinned ? pane : { ...pane, pinned: true }))

/** Shows and focuses a pane. */
export function activate(layout: Layout, id: string): Layout {
  const found = placeOf(layout, id)
  if (!found) return layout
  const shown = layout.columns[found.column]!.mru[0] === id
  if (shown && layout.active === found.column) return layout
  return {
    ...setColumn(layout, found.column, (column) => ({ ...column, mru: [id, ...column.mru.filter((other) => other !== id)] })),
    active: found.column,
  }
}

/** Focuses a column; does nothing beyond the ends. */
export const focusColumn = (layout: Layout, at: number): Layout =>
  layout.columns[at] && at !== layout.active ? { ...layout, active: at } : layout

/** Goes to the next or previous tab of the active column, wrapping around. */
export function tabBy(layout: Layout, by: -1 | 1): Layout {
  const column = layout.columns[layout.active]!
  const from = column.tabs.findIndex((pane) => pane.id === column.mru[0])
  return activate(layout, column.tabs[(from + by + column.tabs.length) % column.tabs.length]!.id)
}

/** Removes a pane; an empty column's width goes to a neighbor. Returns null if nothing would remain. */
function take(layout: Layout, id: string): Layout | null {
  const found = placeOf(layout, id)
  if (!found) return layout
  const column = layout.columns[found.column]!
  if (column.tabs.length > 1)
    return setColumn(layout, found.column, (old) => ({
      ...old,
      tabs: old.tabs.filter((pane) => pane.id !== id),
      mru: old.mru.filter((other) => other !== id),
    }))
  if (layout.columns.length === 1) return null
  const heir = found.column > 0 ? found.column - 1 : 1
  const columns = layout.columns
    .map((old, i) => (i === heir ? { ...old, size: old.size + column.size } : old))
    .toSpliced(found.column, 1)
  const active = layout.active > found.column ? layout.active - 1 : Math.min(layout.active, columns.length - 1)
  const focused = layout.active === found.column ? Math.max(0, found.column - 1) : active
  return { ...layout, columns, active: focused, linked: layout.linked && columns.length > 1 }
}

/** Closes a pane; closing the last one opens `home`. */
export function close(layout: Layout, id: string, home: string): Layout {
  const found = placeOf(layout, id)
  if (!found) return layout
  const alone = layout.columns.length > 1 && layout.columns[found.column]!.tabs.length === 1
  const closed = [...layout.closed, { pane: found.pane, column: found.column, alone }].slice(-MAX_CLOSED)
  const left = take(layout, id)
  if (left) return { ...left, closed }
  const pane = newPane(`p${layout.next}`, home, true)
  return {
    ...layout,
    columns: [{ ...layout.columns[0]!, tabs: [pane], mru: [pane.id] }],
    active: 0,
    closed,
    next: layout.next + 1,
  }
}

/** Closes every pane but one. */
export const closeOthers = (layout: Layout, id: string, home: string): Layout =>
  placeOf(layout, id)
    ? activate(
        panesOf(layout)
          .filter((pane) => pane.id !== id)
          .reduce((rest, pane) => close(rest, pane.id, home), layout),
        id,
      )
    : layout

/** Restores the last closed pane with its history, in its own column if it had one. */
export function reopen(layout: Layout): Layout {
  const last = layout.closed.at(-1)
  if (!last) return layout
  const rest = { ...layout, closed: layout.closed.slice(0, -1) }
  if (last.alone && rest.columns.length < MAX_COLUMNS)
    return addColumn(rest, Math.min(last.column, rest.columns.length), last.pane)
  const at = Math.min(last.column, rest.columns.length - 1)
  return { ...place(rest, at, last.pane, true), active: at }
}

/** Moves a pane to the neighboring column, or to a new one at the edge. */
export function movePane(layout: Layout, id: string, by: -1 | 1): Layout {
  const found = placeOf(layout, id)
  if (!found) return layout
  const alone = layout.columns[found.column]!.tabs.length === 1
  const target = layout.columns[found.column + by]
  if (!target) {
    if (alone || layout.columns.length >= MAX_COLUMNS) return layout
    return addColumn(take(layout, id)!, by > 0 ? layout.columns.length : 0, found.pane)
  }
  const left = take(layout, id)!
  const at = left.columns.findIndex((column) => column.id === target.id)
  return { ...place(left, at, found.pane, true), active: at }
}

/** Opens the active pane's screen again in a column to the right. */
export function split(layout: Layout): Layout {
  const { ref } = activePane(layout)
  return layout.columns.length >= MAX_COLUMNS
    ? layout
    : addColumn(layout, layout.active + 1, newPane(`p${layout.next}`, ref, true))
}

/** Sets the columns' shares of the width, one per column. */
export function resize(layout: Layout, sizes: readonly number[]): Layout {
  const total = sizes.reduce((sum, size) => sum + size, 0)
  if (sizes.length !== layout.columns.length || !(total > 0) || sizes.some((size) => !(size > 0))) return layout
  return { ...layout, columns: layout.columns.map((column, i) => ({ ...column, size: (100 * sizes[i]!) / total })) }
}
