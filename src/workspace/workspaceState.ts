import { atom } from 'jotai'
import { activePane, type Layout, single } from '../routing/layout.ts'
import { HOME } from '../routing/routes.ts'

/** What is open. Changed only by `change` in navigation.ts, which keeps the address in sync. */
export const layoutAtom = atom<Layout>(single(HOME))

/** The focused pane's id. */
export const activeIdAtom = atom((get) => activePane(get(layoutAtom)).id)

/** Only the focused pane is shown, without bars, until it is left or the page is loaded again. */
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
/** True in a narrow window, where one column shows. */
export const narrowAtom = mediaAtom(`(max-width: ${NARROW}px)`)
/** True in a narrow window with room for a bar at the thumb; one as low as 400 % zoom has it above. */
export const thumbAtom = mediaAtom(`(max-width: ${NARROW}px) and (min-height: 30.01rem)`)

/** Where the bar at the thumb shows the active pane's main action; null where there is no such bar. */
export const mainSlotAtom = atom<HTMLElement | null>(null)
