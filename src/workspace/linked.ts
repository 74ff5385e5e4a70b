import { go, type Layout, placeOf, shownIn } from './layout.ts'
import { match } from './match.ts'

/**
 * Keeps compared panes together: when one goes to another tab or filter, the others that show the same screen of
 * another record go there too. Returns `after` itself where nothing follows.
 */
export function follow(before: Layout, after: Layout): Layout {
  if (!after.linked || before === after) return after
  const leader = after.columns.map(shownIn).find((pane) => {
    const old = placeOf(before, pane.id)?.pane.ref
    return old !== undefined && old !== pane.ref && match(old)?.id === match(pane.ref)?.id && sameRecord(old, pane.ref)
  })
  if (!leader) return after
  const lead = match(leader.ref)!
  return after.columns
    .map(shownIn)
    .filter((pane) => pane.id !== leader.id && match(pane.ref)?.id === lead.id)
    .reduce((layout, pane) => {
      const { params } = match(pane.ref)!
      const filled = lead.row.path.replace(/\{(\w+)\}/g, (_, name: string) => params[name]!)
      const path = lead.tabRow ? `${filled}/${lead.tabRow.path}` : filled
      return go(layout, pane.id, path + leader.ref.slice(lead.path.length), 'replace')
    }, after)
}

const sameRecord = (a: string, b: string) => JSON.stringify(match(a)?.params) === JSON.stringify(match(b)?.params)
