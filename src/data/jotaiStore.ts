import { createStore } from 'jotai'

/** The workspace's only store, so the dispatcher and commands reach it without React. */
export const store = createStore()
