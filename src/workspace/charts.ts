import { atom, useAtomValue } from 'jotai'
import { store } from '../data/jotaiStore.ts'

const tablesAtom = atom(false)

/** True while every chart of the workspace shows the table behind it. */
export const useTables = (): boolean => useAtomValue(tablesAtom)

/** Turns charts into the tables behind them, and back. */
export const toggleTables = (): void => store.set(tablesAtom, (shown) => !shown)
