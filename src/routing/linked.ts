import { type Column, go, type Layout, type Pane, placeOf, shownIn, travel } from './layout.ts'
import { type Match, match } from './match.ts'
import { type QueryPatch, withQuery } from './ref.ts'

/** Parameters of a query that belong to one record, such as an entry's id: another record doesn't take them over. */
const OWN = ['like'] as const

/** What screens can be compared with each other: projects of both generations are one family. */
const familyOf = (found: Match): string => (found.row.subject === 'campaign' ? 'project' : (found.row.subject ?? found.id))

/** The key of the tab that a path names; `tab` of a match may be another one that it shows. */
const tabKey = (found: Match): string | null =>
  Object.entries(found.row.tabs ?? {}).find(([, tab]) => tab === found.tabRow)?.[0] ?? null

export const sameRecord = (a: Match | null, b: Match | null): boolean =>
  a !== null && b !== null && a.id === b.id && JSON.stringify(a.params) === JSON.stringify(b.params)

const fill = (found: Match) => found.row.path.replace(/\{(\w+)\}/g, (_, name: string) => found.params[name]!)

/**
 * Returns the address of `other`'s record on the tab and with the filters of `lead`, without what belongs to one record alone;
 * null if its screen has no such tab.
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
 * Keeps compared panes together: when one changes its tab or filter, the others do too, each with its own record and by the same
 * step of its history. Returns `after` itself if nothing follows.
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

/** Takes every pane that can follow to the tab and filters of the active one: what linking does first. */
function align(layout: Layout): Layout {
  const active = shownIn(layout.columns[layout.active]!)
  return lead(layout, active, 1)
}

/** `step`: the leader went on (1), back (−1), or changed where it is (0). */
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

/** Takes a pane to a ref by the step that its leader made, so that its own back and forward stay true. */
function take(layout: Layout, pane: Pane, ref: string, step: number): Layout {
  const by = Math.sign(step) as -1 | 0 | 1
  if (by !== 0 && pane.history[pane.at + by] === ref) return travel(layout, pane.id, by)
  return go(layout, pane.id, ref, by > 0 ? 'push' : 'replace')
}

/** The compared panes from left to right; the first is the baseline. */
export interface Comparison {
  /** Ids of the panes that show the same tab. */
  readonly members: readonly string[]
  /** Panes of the family that could not come along, and why. */
  readonly apart: readonly { readonly id: string; readonly why: string }[]
}

/** The comparison that a layout holds, or null. Panes in `out` failed: they are not compared, and the others are. */
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

/** What occurs most; of several the first. Null of nothing. */
function most(words: readonly string[]): string | null {
  const times = new Map<string, number>()
  for (const word of words) times.set(word, (times.get(word) ?? 0) + 1)
  const top = Math.max(0, ...times.values())
  return words.find((word) => times.get(word) === top) ?? null
}

/** Returns why the columns can't be linked, or null. It takes two with records of one kind, the active one among them. */
export function unlinkable(layout: Layout): string | null {
  if (layout.linked) return 'the columns are already linked'
  if (layout.columns.length < 2) return 'it takes two columns'
  const shown = layout.columns.map((column) => match(shownIn(column).ref))
  const active = shown[layout.active]
  const peers = shown.filter((found) => active && found && counterpart(found, active) !== null)
  return active?.row.subject && peers.length > 1 ? null : 'no other column shows a record like this one'
}

/** Links the open columns: the others go to the active one's tab and filters (`follow` takes them there). */
export const link = (layout: Layout): Layout => (unlinkable(layout) === null ? { ...layout, linked: true } : layout)

/** Lets the columns go their own ways; where they are they stay. */
export const unlink = (layout: Layout): Layout => (layout.linked ? { ...layout, linked: false } : layout)

/** Swaps the active column's panes with its neighbour's: in a comparison, another one becomes the baseline. */
export function swap(layout: Layout, by: -1 | 1): Layout {
  const from = layout.active
  const to = from + by
  const mine = layout.columns[from]!
  const theirs = layout.columns[to]
  if (!theirs) return layout
  // The panes change places while the columns stay, so that each column keeps its width and nothing is rendered again.
  const put = (column: Column, whose: Column): Column => ({ ...column, tabs: whose.tabs, mru: whose.mru })
  return {
    ...layout,
    columns: layout.columns.map((column, at) => (at === from ? put(mine, theirs) : at === to ? put(theirs, mine) : column)),
    active: to,
  }
}
