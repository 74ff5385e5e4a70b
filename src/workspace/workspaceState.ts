import { atom } from 'jotai'
import { activePane, type Layout, single } from '../routing/layout.ts'
import { HOME } from '../routing/routes.ts'

/** What is open. Changed only by `change` in navigation.ts, which keeps the address in sync. */
export const layoutAtom = atom<Layout>(single(HOME))

/** The focused pane's id. */
export const activeIdAtom = atom((get) => activePane(get(layoutAtom)).id)

/** Up to this width (px), columns show one at a time and their tabs as a list. */
export const NARROW = 720
/** True in a narrow window, where one column shows. */
export const narrowAtom = atom(false)
narrowAtom.onMount = (set) => {
  const query = matchMedia(`(max-width: ${NARROW}px)`)
  const read = () => set(query.matches)
  read()
  query.addEventListener('change', read)
  return () => query.removeEventListener('change', read)
}
