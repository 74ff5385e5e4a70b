import { loadCalls } from 'virtual:calls'
import { atom } from 'jotai'
import { comesAlong } from '../commands/commandAreas.ts'
import { type CommandId, commandIds, onAreas } from '../commands/table.ts'
import { store } from '../data/jotaiStore.ts'

/** The loaded commands; a new list when more areas have loaded. */
export const commandIdsAtom = atom<readonly CommandId[]>(commandIds())
comesAlong(loadCalls)
onAreas((ids) => store.set(commandIdsAtom, ids))
