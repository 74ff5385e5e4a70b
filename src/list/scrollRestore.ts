import { tabStore } from '../data/browserStore.ts'
/** A position in a list: the cursor's record and index, and the scroll position in px. */
export interface Place {
  /** Identifies what the list showed; other searches have other positions. */
  key: string
  id: number | null
  at: number
  top: number
}

const NAME = 'fieldwork.places'
const MOST = 60
const places = new Map<string, Place>(read())

function read(): [string, Place][] {
  const kept = tabStore.get(NAME)
  return Array.isArray(kept) ? (kept as [string, Place][]) : []
}

/** Returns the position of a list that shows the same again: in this pane, or else where its screen was last open. */
export function placeOfList(list: string, key: string): Place | null {
  const screen = list.slice(list.indexOf(' '))
  const name = places.has(list) ? list : [...places.keys()].findLast((one) => one.endsWith(screen))
  const place = name === undefined ? undefined : places.get(name)
  return place?.key === key ? place : null
}

let writing: ReturnType<typeof setTimeout> | null = null
/** Stores a position, for going back or a reload of this tab. */
export function keepPlace(list: string, place: Place): void {
  places.delete(list)
  // A cursor that stayed at the top returns to the top, whichever row is there by then.
  places.set(list, place.at === 0 && place.top === 0 ? { ...place, id: null } : place)
  for (const oldest of [...places.keys()].slice(0, Math.max(0, places.size - MOST))) places.delete(oldest)
  writing ??= setTimeout(write, 300)
}

function write(): void {
  if (writing) clearTimeout(writing)
  writing = null
  tabStore.set(NAME, [...places])
}
if (typeof addEventListener === 'function') addEventListener('pagehide', write)
