import { type BrowserStore, browserStore, tabStore } from '../data/browserStore.ts'
import type { Column, Layout, Pane } from '../routing/layout.ts'

/** Validates a layout from storage, history or a snapshot; null unless it is complete. */
export function readLayout(value: unknown): Layout | null {
  if (!isRecord(value) || value.v !== 1 || !Array.isArray(value.columns)) return null
  const columns = value.columns.map(readColumn)
  if (!columns.length || columns.length > 4 || columns.some((column) => column === null)) return null
  const whole = columns as Column[]
  const ids = whole.flatMap((column) => [column.id, ...column.tabs.map((pane) => pane.id)])
  if (new Set(ids).size !== ids.length) return null
  const closed = (Array.isArray(value.closed) ? value.closed : []).flatMap((one: unknown) => {
    const pane = isRecord(one) ? readPane(one.pane) : null
    return pane && isRecord(one) && !ids.includes(pane.id)
      ? [{ pane, column: Number(one.column) || 0, alone: one.alone === true }]
      : []
  })
  const highest = Math.max(...[...ids, ...closed.map(({ pane }) => pane.id)].map((id) => Number(id.slice(1))))
  const active = Number.isInteger(value.active) ? Math.min(Math.max(0, value.active as number), whole.length - 1) : 0
  return {
    v: 1,
    columns: whole,
    active,
    linked: value.linked === true && whole.length > 1,
    closed,
    next: Math.max(highest + 1, Number(value.next) || 0),
  }
}

function readColumn(value: unknown): Column | null {
  if (!isRecord(value) || !isId(value.id) || !Array.isArray(value.tabs) || !Array.isArray(value.mru)) return null
  const tabs = value.tabs.map(readPane)
  if (!tabs.length || tabs.some((pane) => pane === null)) return null
  const whole = tabs as Pane[]
  const known = new Set(whole.map((pane) => pane.id))
  const mru = [...new Set([...value.mru.filter((id): id is string => known.has(id as string)), ...known])]
  const size = Number(value.size)
  return { id: value.id, tabs: whole, mru, size: size > 0 ? size : 100 }
}

function readPane(value: unknown): Pane | null {
  if (!isRecord(value) || !isId(value.id) || !Array.isArray(value.history)) return null
  const history = value.history.filter((ref): ref is string => typeof ref === 'string' && ref.startsWith('/'))
  const at = Number(value.at)
  const ref = history[at]
  return ref === undefined ? null : { id: value.id, ref, pinned: value.pinned !== false, history, at }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isId = (value: unknown): value is string => typeof value === 'string' && /^[cp]\d+$/.test(value)

/** Storage keys: a tab's own layout, and the last one of all tabs for the next visit. */
const OWN = 'fieldwork.layout'
const BEFORE = 'fieldwork.before'
const LAST = 'fieldwork.last'

const read = (store: BrowserStore, key: string, user: number): Layout | null => {
  const kept = store.get(key)
  return isRecord(kept) && kept.user === user ? readLayout(kept.layout) : null
}

/** Stores a user's layout with the id of its history step, for this tab and for the next visit. */
export function saveLayout(user: number, layout: Layout, mark: string): void {
  tabStore.set(OWN, { user, layout, mark })
  browserStore.set(LAST, { user, layout })
}
/** Returns this tab's layout; with a step's id, only if it belongs to that step. */
export function ownLayout(user: number, mark?: string): Layout | null {
  const kept = read(tabStore, OWN, user)
  if (mark === undefined || !kept) return kept
  return (tabStore.get(OWN) as { mark?: unknown }).mark === mark ? kept : null
}
/** Returns the layout that a received link replaced in this tab. */
export const stashedLayout = (user: number): Layout | null => read(tabStore, BEFORE, user)
/** Returns the layout of the last visit, from any tab. */
export const lastLayout = (user: number): Layout | null => read(browserStore, LAST, user)
/** Stores a layout before a link replaces it. */
export const stashLayout = (user: number, layout: Layout): void => tabStore.set(BEFORE, { user, layout })
/** Drops the stored layout after it was restored or declined. */
export const dropStash = (): void => tabStore.set(BEFORE, null)
