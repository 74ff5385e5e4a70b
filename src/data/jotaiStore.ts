import { createStore } from 'jotai'

/** The workspace's only store; the dispatcher and commands use it outside React. */
export const store = createStore()
