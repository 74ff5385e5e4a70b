/**
 * A scroll bar for lists higher than an element can be: `top` is in px of all rows, `bar` in px of the element.
 * Near the current position both move in step, so wheel, touch and keys are exact; only dragging is proportional.
 */

/** The maximum height of a list's element in px: Chromium allows 33.5 million, Firefox 17.8, less when zoomed in. */
export const MOST_HIGH = 12_000_000

/** A list's row count, row height and visible height in px. */
export interface Extent {
  count: number
  height: number
  room: number
}

/** The height in px of the element that holds all rows. */
export const drawnHigh = ({ count, height }: Pick<Extent, 'count' | 'height'>): number => Math.min(count * height, MOST_HIGH)

/** True for a list higher than its scroll bar can represent. */
export const isScaled = ({ count, height }: Pick<Extent, 'count' | 'height'>): boolean => count * height > MOST_HIGH

/** The maximum scroll of the list and of its bar in px; equal when the list fits. */
function reach(extent: Extent): { list: number; bar: number; end: number } {
  const list = Math.max(0, extent.count * extent.height - extent.room)
  const bar = Math.max(0, drawnHigh(extent) - extent.room)
  // A quarter of the bar at each end is exact, so the first and last rows are reached as in any list.
  return { list, bar, end: Math.floor(bar / 4) }
}

const within = (value: number, most: number): number => Math.max(0, Math.min(value, most))

/** Returns the bar's position for a position in the list, in whole px, as browsers round it. */
export function barAt(top: number, extent: Extent): number {
  const { list, bar, end } = reach(extent)
  const place = within(top, list)
  if (list === bar || place <= end) return Math.round(place)
  if (place >= list - end) return Math.round(bar - (list - place))
  return Math.round(end + ((place - end) * (bar - 2 * end)) / (list - 2 * end))
}

/** Returns the position in the list that a dragged bar points at. */
export function topAt(at: number, extent: Extent): number {
  const { list, bar, end } = reach(extent)
  const place = within(at, bar)
  if (list === bar || place <= end) return place
  if (place >= bar - end) return list - (bar - place)
  return end + ((place - end) * (list - 2 * end)) / (bar - 2 * end)
}

/** The scroll position, and how far it is ahead of the bar: a row is drawn at `index * height - ahead`. */
export interface Scroll {
  top: number
  ahead: number
}

/** Returns the position after the bar moved to `at` px. Less than half a dragged pixel moves the list equally. */
export function scrolledTo(at: number, before: Scroll, extent: Extent): Scroll {
  const { list, bar } = reach(extent)
  if (list === bar) return { top: at, ahead: 0 }
  const by = at - (before.top - before.ahead)
  const drag = drawnHigh(extent) / Math.max(1, extent.room) / 2
  if (Math.abs(by) > Math.max(drag, extent.room)) {
    const top = Math.round(topAt(at, extent))
    return { top, ahead: top - at }
  }
  return { top: within(before.top + by, list), ahead: before.ahead }
}

/**
 * Returns where the bar belongs: in step with the list while possible, so that nothing redraws, or else at its share.
 * `rest` moves it to its share, because nobody is dragging.
 */
export function settled(top: number, ahead: number, extent: Extent, rest = false): Scroll {
  const { list, bar } = reach(extent)
  const place = list === bar ? top : within(top, list)
  const at = place - ahead
  const atEnd = (at <= 0 && place > 0) || (at >= bar && place < list)
  const fits = list !== bar && at >= 0 && at <= bar && !atEnd
  const stays = list === bar ? ahead === 0 : fits && !(rest && at !== barAt(place, extent))
  if (stays) return { top: place, ahead }
  const home = list === bar ? place : barAt(place, extent)
  return { top: place, ahead: place - home }
}
