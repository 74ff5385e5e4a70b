import { atom } from 'jotai'

/** The state of the live connection. */
export type Connection = 'connecting' | 'live' | 'lost'
export const connectionAtom = atom<Connection>('connecting')
