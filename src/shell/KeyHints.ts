import { atom, useAtomValue } from 'jotai'
import { useEffect } from 'react'
import { store } from '../data/jotaiStore.ts'
import { hintsAtom, shortcutsAtom } from '../runner/shortcuts.ts'
import { paneStateAtom, paneStateOf } from '../workspace/paneState.ts'
import { activeIdAtom } from '../workspace/workspaceState.ts'

const IN_LIST = [
  ['list.down', 'move'],
  ['list.mark', 'select'],
  ['list.preview', 'look'],
  ['list.openBeside', 'beside'],
  ['list.search', 'search'],
] as const
/** A line of the desk has keys of its own, which its list is for. */
const ON_DESK = [
  IN_LIST[0],
  ['desk.review', 'review'],
  ['desk.settle', 'settle'],
  ['desk.acknowledge', 'acknowledge'],
  IN_LIST[2],
  IN_LIST[3],
] as const
const IN_ENTRIES = [IN_LIST[0], ['list.open', 'open']] as const
const ALWAYS = [
  ['palette.open', 'commands'],
  ['help.keys', 'keys'],
] as const

/** The keys of the focused pane: those of its list, or of its entries, which can only be opened. */
const ownAtom = atom((get) => {
  const { list } = paneStateOf(get(paneStateAtom), get(activeIdAtom))
  if (list?.cursor?.kind === 'desk') return ON_DESK
  return !list ? [] : list.entries || list.fields ? IN_ENTRIES : IN_LIST
})

/** Publishes the most useful shortcuts of the current context. */
export function KeyHints() {
  const shortcuts = useAtomValue(shortcutsAtom)
  const own = useAtomValue(ownAtom)
  useEffect(() => {
    const hints = [...own, ...ALWAYS].flatMap(([id, label]) => {
      const keys = id === 'list.down' ? [shortcuts['list.down'], shortcuts['list.up']].filter(Boolean).join(' ') : shortcuts[id]
      return keys ? [{ keys, label }] : []
    })
    store.set(hintsAtom, hints)
  }, [shortcuts, own])
  return null
}
