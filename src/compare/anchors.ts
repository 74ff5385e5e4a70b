/** A part shared by compared panes: its name, and its offset in px from the top of the scroller. */
interface Anchor {
  name: string
  top: number
}
/** A scroller: its maximum scroll in px, and its anchors in any order. */
export interface Scrolled {
  range: number
  anchors: readonly Anchor[]
}

/**
 * Returns the px where `to` shows what `from` shows at `top`: the same part, scrolled by the same share.
 * Skips parts without a counterpart or out of order; both ends match. The result is limited to the range of `to`.
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
  // Keeps parts in the same order on both sides, whichever side leads.
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
