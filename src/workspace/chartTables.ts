import { atom, useAtomValue } from 'jotai'
import { store } from '../data/jotaiStore.ts'

const tablesAtom = atom(false)

/** True while all charts show their tables. */
export const useTables = (): boolean => useAtomValue(tablesAtom)

/** Toggles all charts between drawing and table; true if they are tables now. */
export function toggleTables(): boolean {
  store.set(tablesAtom, (shown) => !shown)
  return store.get(tablesAtom)
}
