import { useAtomValue } from 'jotai'
import { type ActionId, refusedTo } from '../../contract/access.ts'
import { store } from './jotaiStore.ts'
import { meAtom } from './me.ts'

const allowed = (id: ActionId, me: Parameters<typeof refusedTo>[1] | null): boolean => me !== null && refusedTo(id, me) === null

/** True if the access table allows the user an action. Panes show what the server would allow. */
export const useMay = (id: ActionId): boolean => allowed(id, useAtomValue(meAtom))

/** The same, for code outside a component. */
export const may = (id: ActionId): boolean => allowed(id, store.get(meAtom))
