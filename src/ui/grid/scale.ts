/**
 * A scroll bar for lists that are higher than a browser lets an element be. There are two scales: where the list is in truth (`top`, in px of all its
 * rows), and where its scroll bar stands (`bar`, in px of the element that stands for them). Near the place the two go in step, pixel by pixel: wheel,
 * fingers and keys are exact. Only a drag of the bar, which passes thousands of rows a pixel, goes by the share. Both are the same in lists that fit.
 */

/** What the element of a list is high at most, in px: Chromium stops at 33.5 million, Firefox at 17.8, both less when zoomed in. */
export const MOST_HIGH = 12_000_000

/** A list as its scroll bar needs it: its rows, the height of each and of what is seen of them, in px. */
export interface Extent {
  count: number
  height: number
  room: number
}

/** How high the element is that stands for all rows, in px. */
export const drawnHigh = ({ count, height }: Pick<Extent, 'count' | 'height'>): number => Math.min(count * height, MOST_HIGH)

/** True for a list whose scroll bar stands for more than it can measure. */
export const isScaled = ({ count, height }: Pick<Extent, 'count' | 'height'>): boolean => count * height > MOST_HIGH

/** How far the list goes, and how far its bar does, in px; the same where the list fits. */
function reach(extent: Extent): { list: number; bar: number; end: number } {
  const list = Math.max(0, extent.count * extent.height - extent.room)
  const bar = Math.max(0, drawnHigh(extent) - extent.room)
  // At both ends a quarter of the bar is exact, so that the first and the last rows are reached as in any list.
  return { list, bar, end: Math.floor(bar / 4) }
}

const within = (value: number, most: number): number => Math.max(0, Math.min(value, most))

/** Where the bar stands for a place in the list; in whole px, as browsers round it. */
export function barAt(top: number, extent: Extent): number {
  const { list, bar, end } = reach(extent)
  const place = within(top, list)
  if (list === bar || place <= end) return Math.round(place)
  if (place >= list - end) return Math.round(bar - (list - place))
  return Math.round(end + ((place - end) * (bar - 2 * end)) / (list - 2 * end))
}

/** The place in the list that the bar stands for, when it was dragged there. */
export function topAt(at: number, extent: Extent): number {
  const { list, bar, end } = reach(extent)
  const place = within(at, bar)
  if (list === bar || place <= end) return place
  if (place >= bar - end) return list - (bar - place)
  return end + ((place - end) * (list - 2 * end)) / (bar - 2 * end)
}

/** Where a list is, and by how much that is ahead of its bar: a row stands at `index * height - ahead` in the element. */
export interface Scroll {
  top: number
  ahead: number
}

/**
 * Where the list is after its bar has moved. Less than what half a pixel of the dragged thumb means was no drag: the list goes as far as the bar did.
 * `at` is where the bar stands now, in px.
 */
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
 * Where the bar belongs for a place: where it is as long as it can be there in step with the list (`ahead` stays, nothing is drawn anew), else
 * where its share is. `rest` puts it to its share whenever it is not: nobody drags it now.
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
