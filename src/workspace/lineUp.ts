import { counterpart, sameRecord } from '../routing/compareLayout.ts'
import { go, type Layout, MAX_COLUMNS, type Pane, panesOf, setPane, shownIn } from '../routing/layout.ts'
import { match } from '../routing/match.ts'

/**
 * Lines up records in linked columns, one per ref, the first focused; reuses panes that show one.
 * Panes in `keep` (unsaved changes) go behind the first; all others close, and the caller can restore them.
 */
export function lineUp(layout: Layout, refs: readonly string[], keep: ReadonlySet<string> = new Set()): Layout {
  const wanted = refs.slice(0, MAX_COLUMNS)
  if (wanted.length < 2) return layout
  let { next } = layout
  const free = new Map(panesOf(layout).map((pane) => [pane.id, pane]))
  const shown = wanted.map((ref): Pane => {
    const found = match(ref)
    const known = [...free.values()].find((pane) => !keep.has(pane.id) && sameRecord(match(pane.ref), found))
    if (!known) return { id: `p${next++}`, ref, pinned: true, history: [ref], at: 0 }
    free.delete(known.id)
    return { ...known, pinned: true }
  })
  const kept = [...free.values()].filter((pane) => keep.has(pane.id)).map((pane) => ({ ...pane, pinned: true }))
  const columns = shown.map((pane, at) => ({
    id: `c${next++}`,
    tabs: at === 0 ? [pane, ...kept] : [pane],
    mru: at === 0 ? [pane.id, ...kept.map(({ id }) => id)] : [pane.id],
    size: 100 / shown.length,
  }))
  const lined: Layout = { ...layout, columns, active: 0, linked: true, next }
  return shown.reduce((rest, pane, at) => go(rest, pane.id, wanted[at]!, 'push'), lined)
}

/** Adds records to a comparison, in equal columns on the right, on the others' tab and filters. */
export function addTo(layout: Layout, refs: readonly string[]): Layout {
  const room = refs.slice(0, MAX_COLUMNS - layout.columns.length)
  if (!room.length) return layout
  let { next } = layout
  const columns = [
    ...layout.columns,
    ...room.map((ref) => {
      const pane: Pane = { id: `p${next++}`, ref, pinned: true, history: [ref], at: 0 }
      return { id: `c${next++}`, tabs: [pane], mru: [pane.id], size: 0 }
    }),
  ]
  const getOrInsert: Layout = { ...layout, columns: columns.map((column) => ({ ...column, size: 100 / columns.length })), next }
  const first = match(shownIn(layout.columns[layout.active]!).ref)
  if (!first) return getOrInsert
  return columns.slice(layout.columns.length).reduce<Layout>((rest, column) => {
    const pane = shownIn(column)
    const ref = counterpart(match(pane.ref)!, first)
    return ref === null ? rest : setPane(rest, pane.id, (old) => ({ ...old, ref, history: [ref] }))
  }, getOrInsert)
}
