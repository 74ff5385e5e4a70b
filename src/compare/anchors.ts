/** A part of a pane that others have too: its name and where it begins, in px from the top of what scrolls. */
export interface Anchor {
  name: string
  top: number
}
/** What scrolls, in px: how far it can, and its anchors in any order. */
export interface Scrolled {
  range: number
  anchors: readonly Anchor[]
}

/**
 * Returns the scroll position in px at which `to` shows what `from` shows at `top`: the same part at the upper edge,
 * scrolled equally far. Skips parts that only one has or that come in another order; the two ends match each other.
 * Limited to what `to` can scroll.
 */
export function mapScroll(from: Scrolled, to: Scrolled, top: number): number {
  if (to.range <= 0 || top <= 0) return 0
  if (from.range <= 0) return 0
  if (top >= from.range) return to.range
  const there = new Map(to.anchors.map(({ name, top: at }) => [name, at]))
  const common = from.anchors.flatMap(({ name, top: at }): [here: number, there: number][] => {
    const other = there.get(name)
    return other !== undefined && at > 0 && other > 0 && at < from.range && other < to.range ? [[at, other]] : []
  })
  // The parts in the same order on both sides, whichever side leads.
  const inOrder = common.filter(([here, far]) =>
    common.every(([h, f]) => (h === here && f === far) || (h - here) * (f - far) > 0),
  )
  const points: [here: number, there: number][] = [[0, 0], ...inOrder.sort((one, two) => one[0] - two[0])]
  points.push([from.range, to.range])
  const next = points.findIndex(([here]) => here > top)
  const [a, x] = points[next - 1]!
  const [b, y] = points[next]!
  return x + ((top - a) / (b - a)) * (y - x)
}
