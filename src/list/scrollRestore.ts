import { tabStore } from '../data/browserStore.ts'
/** Where somebody was in a list: the record and place of the cursor, and how far it was scrolled (px). */
export interface Place {
  /** What the list showed then; another search has other places. */
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

/** The place that a list of a pane was left at, when it shows the same again. */
export function placeOfList(list: string, key: string): Place | null {
  const place = places.get(list)
  return place?.key === key ? place : null
}

let writing: ReturnType<typeof setTimeout> | null = null
/** Remembers a place, for coming back and for a reload of this browser tab. */
export function keepPlace(list: string, place: Place): void {
  places.delete(list)
  // Who never left the top comes back to the top, whatever stands there by then.
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
