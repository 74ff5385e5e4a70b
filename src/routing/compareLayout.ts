import { type Column, go, type Layout, type Pane, placeOf, shownIn, travel } from './layout.ts'
import { type Match, match } from './match.ts'
import { type QueryPatch, withQuery } from './ref.ts'

/** Query parameters of one record, such as an entry or a brand's service; other records don't follow them. */
const OWN = ['like', 'service', 'entry'] as const

/** Returns the family in which a screen can be compared; both generations of projects are one. */
const familyOf = (found: Match): string => (found.row.subject === 'campaign' ? 'project' : (found.row.subject ?? found.id))

/** Returns the key of the tab that a path names; a match's `tab` may be another tab that it shows. */
const tabKey = (found: Match): string | null =>
  Object.entries(found.row.tabs ?? {}).find(([, tab]) => tab === found.tabRow)?.[0] ?? null

/** A saved filter in the path shows the same record differently, so it doesn't identify one. */
const recordOf = ({ params: { filter: _, ...params } }: Match): string => JSON.stringify(params)

export const sameRecord = (a: Match | null, b: Match | null): boolean =>
  a !== null && b !== null && a.id === b.id && recordOf(a) === recordOf(b)

const fill = (found: Match) => found.row.path.replace(/\{(\w+)\}/g, (_, name: string) => found.params[name]!)

/**
 * Returns the URL of `other`'s record with `lead`'s tab and filters, without parameters of a single record.
 * Returns null if its screen has no such tab.
 */
export function counterpart(other: Match, lead: Match): string | null {
  if (familyOf(other) !== familyOf(lead)) return null
  const key = tabKey(lead)
  const tabs = other.row.tabs ?? {}
  const tab = key === null ? null : (tabs[key] ?? (lead.tab ? tabs[lead.tab] : undefined))
  if (tab === undefined) return null
  const path = tab ? `${fill(other)}/${tab.path}` : fill(other)
  const own: QueryPatch = Object.fromEntries(OWN.map((name) => [name, sameTab(other, lead) ? other.query[name] : null]))
  return withQuery(path + lead.ref.slice(lead.path.length), own)
}

const sameTab = (a: Match, b: Match) => tabKey(a) === tabKey(b)

/**
 * Keeps compared panes in step: a change of tab or filter, or a step in history, applies to the other records too.
 * Returns `after` itself if nothing follows.
 */
export function follow(before: Layout, after: Layout): Layout {
  if (!after.linked || before === after) return after
  if (!before.linked) return align(after)
  const leader = after.columns.map(shownIn).find((pane) => {
    const old = placeOf(before, pane.id)?.pane.ref
    return old !== undefined && old !== pane.ref && sameRecord(match(old), match(pane.ref))
  })
  return leader ? lead(after, leader, leader.at - placeOf(before, leader.id)!.pane.at) : after
}

/** Moves every pane that can follow to the active one's tab and filters, which is the first step of linking. */
function align(layout: Layout): Layout {
  const active = shownIn(layout.columns[layout.active]!)
  return lead(layout, active, 1)
}

/** `step`: the leading pane went forward (1), back (−1), or changed in place (0). */
function lead(layout: Layout, leader: Pane, step: number): Layout {
  const found = match(leader.ref)
  if (!found) return layout
  return layout.columns
    .map(shownIn)
    .filter((pane) => pane.id !== leader.id)
    .reduce((rest, pane) => {
      const other = match(pane.ref)
      const ref = other && counterpart(other, found)
      return ref === null || ref === pane.ref ? rest : take(rest, pane, ref, step)
    }, layout)
}

/** Moves a pane to a ref by the leading pane's step, so that its own back and forward stay consistent. */
function take(layout: Layout, pane: Pane, ref: string, step: number): Layout {
  const by = Math.sign(step) as -1 | 0 | 1
  if (by !== 0 && pane.history[pane.at + by] === ref) return travel(layout, pane.id, by)
  return go(layout, pane.id, ref, by > 0 ? 'push' : 'replace')
}

/** The compared panes from left to right; the first is the baseline. */
export interface Comparison {
  /** Ids of the panes on the same tab. */
  readonly members: readonly string[]
  /** Panes of the family that couldn't follow, with the reason. */
  readonly apart: readonly { readonly id: string; readonly why: string }[]
}

/** Returns a layout's comparison, or null. Panes in `out` failed and are excluded. */
export function comparisonOf(layout: Layout, out: ReadonlySet<string> = new Set()): Comparison | null {
  if (!layout.linked) return null
  const shown = layout.columns.map(shownIn).flatMap((pane) => {
    const found = match(pane.ref)
    return found && !out.has(pane.id) ? [{ id: pane.id, found, family: familyOf(found) }] : []
  })
  const family = most(shown.map((one) => one.family))
  const kin = shown.filter((one) => one.family === family)
  if (family === null || kin.length < 2) return null
  const tab = most(kin.map(({ found }) => tabKey(found) ?? ''))
  const together = kin.filter(({ found }) => (tabKey(found) ?? '') === tab)
  if (together.length < 2) return null
  const title = together[0]!.found.tabRow?.title ?? together[0]!.found.row.title
  return {
    members: together.map(({ id }) => id),
    apart: kin.flatMap(({ id, found }) =>
      (tabKey(found) ?? '') === tab ? [] : [{ id, why: `This ${found.row.title.toLowerCase()} has no ${title}.` }],
    ),
  }
}

/** Returns the most frequent word, the first among equals; null for none. */
function most(words: readonly string[]): string | null {
  const times = new Map<string, number>()
  for (const word of words) times.set(word, (times.get(word) ?? 0) + 1)
  const top = Math.max(0, ...times.values())
  return words.find((word) => times.get(word) === top) ?? null
}

/** Returns why the columns can't be linked, or null. Linking needs two records of one kind, one of them active. */
export function unlinkable(layout: Layout): string | null {
  if (layout.linked) return 'the columns are already linked'
  if (layout.columns.length < 2) return 'linking needs two columns'
  const shown = layout.columns.map((column) => match(shownIn(column).ref))
  const active = shown[layout.active]
  const peers = shown.filter((found) => active && found && counterpart(found, active) !== null)
  return active?.row.subject && peers.length > 1 ? null : 'no other column shows a record like this one'
}

/** Links the open columns; `follow` then moves the others to the active one's tab and filters. */
export const link = (layout: Layout): Layout => (unlinkable(layout) === null ? { ...layout, linked: true } : layout)

/** Unlinks the columns; their panes don't change. */
export const unlink = (layout: Layout): Layout => (layout.linked ? { ...layout, linked: false } : layout)

/** Swaps the active column's panes with its neighbour's; in a comparison this changes the baseline. */
export function swap(layout: Layout, by: -1 | 1): Layout {
  const from = layout.active
  const to = from + by
  const mine = layout.columns[from]!
  const theirs = layout.columns[to]
  if (!theirs) return layout
  // Panes swap while columns stay, so each column keeps its width and nothing re-renders.
  const put = (column: Column, source: Column): Column => ({ ...column, tabs: source.tabs, mru: source.mru })
  return {
    ...layout,
    columns: layout.columns.map((column, at) => (at === from ? put(mine, theirs) : at === to ? put(theirs, mine) : column)),
    active: to,
  }
}
