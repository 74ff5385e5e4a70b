import { store } from '../data/jotaiStore.ts'
import { sessionKeyAtom } from '../data/me.ts'
import { sameRecord } from '../routing/compareLayout.ts'
import { activate, activePane, go, type Layout, open, type Pane, placeOf, setPane } from '../routing/layout.ts'
import { match } from '../routing/match.ts'
import { change } from './navigation.ts'
import { confirmLeave, lostBetween } from './unsavedChanges.ts'
import { layoutAtom } from './workspaceState.ts'

/** A visited screen and record in a pane, with the tab and filters it was left with. */
interface Place {
  pane: string
  ref: string
}

const MOST = 100
let places: readonly Place[] = []
let at = -1
let last: Pane | null = null
let recent: readonly string[] = []
let jumping = false

const sameScreen = (a: string, b: string): boolean => a === b || sameRecord(match(a), match(b))

function note(): void {
  const pane = activePane(store.get(layoutAtom))
  if (recent[0] !== pane.id) recent = [pane.id, ...recent.filter((id) => id !== pane.id)].slice(0, MOST)
  const now = places[at]
  // The next record of a list replaces the previous one, as in the pane's own history.
  const replaced = last?.id === pane.id && last.at === pane.at && last.history.length === pane.history.length
  last = pane
  const place = { pane: pane.id, ref: pane.ref }
  if (now && (jumping || (now.pane === pane.id && (replaced || sameScreen(now.ref, pane.ref))))) {
    places = places.with(at, place)
    return
  }
  places = [...places.slice(0, at + 1), place].slice(-MOST)
  at = places.length - 1
}
store.sub(layoutAtom, note)
store.sub(sessionKeyAtom, () => {
  places = []
  at = -1
  last = null
  recent = []
})

/** Goes to the previously visited place, or to the one after; false if there is none. */
export function jump(by: -1 | 1): boolean {
  const place = places[at + by]
  if (!place) return false
  const back = (layout: Layout): Layout => {
    const found = placeOf(layout, place.pane)
    // The pane was closed since.
    if (!found) return open(layout, place.ref, 'tab')
    const { history, ref } = found.pane
    const visited = history.findLastIndex((one) => sameScreen(one, place.ref))
    const there = sameScreen(ref, place.ref)
      ? layout
      : visited >= 0
        ? setPane(layout, place.pane, (pane) => ({ ...pane, ref: history[visited]!, at: visited }))
        : go(layout, place.pane, place.ref, 'push')
    return activate(there, place.pane)
  }
  const layout = store.get(layoutAtom)
  confirmLeave(lostBetween(layout, back(layout)), false, () => {
    at += by
    jumping = true
    change(back)
    jumping = false
    const { id } = activePane(store.get(layoutAtom))
    if (id !== place.pane) places = places.map((one) => (one.pane === place.pane ? { ...one, pane: id } : one))
  })
  return true
}

/** Returns panes by most recent focus. */
export const recentPanes = (): readonly string[] => recent
