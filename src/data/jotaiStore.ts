import { createStore } from 'jotai'

/** The one store of the workspace, so that the dispatcher and the commands reach it without React. */
export const store = createStore()
