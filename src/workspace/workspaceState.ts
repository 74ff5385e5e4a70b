import { atom } from 'jotai'
import { activePane, type Layout, single } from '../routing/layout.ts'
import { HOME } from '../routing/routes.ts'

/** What is open. Changed by `change` in navigation.ts alone, which keeps the address in step. */
export const layoutAtom = atom<Layout>(single(HOME))

/** The id of the pane that has the focus. */
export const activeIdAtom = atom((get) => activePane(get(layoutAtom)).id)

/** At most this wide, columns are shown one at a time and their tabs are a list. */
export const NARROW = 720
/** The window is narrow: one column shows. */
export const narrowAtom = atom(false)
narrowAtom.onMount = (set) => {
  const query = matchMedia(`(max-width: ${NARROW}px)`)
  const read = () => set(query.matches)
  read()
  query.addEventListener('change', read)
  return () => query.removeEventListener('change', read)
}
