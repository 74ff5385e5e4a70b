import { loadCalls } from 'virtual:calls'
import { atom } from 'jotai'
import { comesAlong } from '../commands/areas.ts'
import { type CommandId, commandIds, onAreas } from '../commands/table.ts'
import { store } from '../data/jotaiStore.ts'

/** The commands that are there: another list when those of more areas have come. */
export const commandIdsAtom = atom<readonly CommandId[]>(commandIds())
comesAlong(loadCalls)
onAreas((ids) => store.set(commandIdsAtom, ids))
