import { atom, useAtomValue } from 'jotai'
import { flushSync } from 'react-dom'
import { store } from '../../data/jotaiStore.ts'

/** After how many keys the page renders what they left waiting. */
const SETTLE_KEYS = 10

const turnAtom = atom(0)
let keys = 0

/**
 * Called before each key. On a page that is behind, keys leave no time to render what their effects change.
 * React refuses an update, and with it a key, after fifty renders in a row that each leave another one waiting.
 */
export function settle(): void {
  if (++keys % SETTLE_KEYS === 0) flushSync(() => store.set(turnAtom, (turn) => turn + 1))
}

/** Renders nothing: its update takes all waiting ones along. */
export function Settled(): null {
  useAtomValue(turnAtom)
  return null
}
