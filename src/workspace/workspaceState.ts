import { atom } from 'jotai'
import { activePane, type Layout, single } from '../routing/layout.ts'
import { HOME } from '../routing/routes.ts'

/** What is open. Only `change` in navigation.ts changes it, which keeps the URL in sync. */
export const layoutAtom = atom<Layout>(single(HOME))

/** The focused pane's id. */
export const activeIdAtom = atom((get) => activePane(get(layoutAtom)).id)

/** True while only the focused pane is shown, without bars, until the user leaves it or reloads the page. */
export const zenAtom = atom(false)

/** Up to this width (px), columns show one at a time and their tabs as a list. */
export const NARROW = 720
/** Follows a media query. */
function mediaAtom(query: string) {
  const matches = atom(globalThis.matchMedia?.(query).matches ?? false)
  matches.onMount = (set) => {
    const list = matchMedia(query)
    const read = () => set(list.matches)
    read()
    list.addEventListener('change', read)
    return () => list.removeEventListener('change', read)
  }
  return matches
}
/** True in a narrow window, which shows one column. */
export const narrowAtom = mediaAtom(`(max-width: ${NARROW}px)`)
/** True in a narrow window with room for a bar at the bottom; at 400 % zoom the bar is at the top. */
export const thumbAtom = mediaAtom(`(max-width: ${NARROW}px) and (min-height: 30.01rem)`)

/** Where that bar shows the active pane's main action; null without a bar. */
export const mainSlotAtom = atom<HTMLElement | null>(null)
