import { atom, createStore } from 'jotai'
import { HOME } from '../routes.ts'
import { activePane, type Layout, single } from './layout.ts'

/** The one store of the workspace, so that the dispatcher and the commands reach it without React. */
export const store = createStore()

/** What is open. Changed by `change` in navigation.ts alone, which keeps the address in step. */
export const layoutAtom = atom<Layout>(single(HOME))

export const activeIdAtom = atom((get) => activePane(get(layoutAtom)).id)
