import { atom } from 'jotai'

/** How the live connection stands. */
export type Connection = 'connecting' | 'live' | 'lost'
export const connectionAtom = atom<Connection>('connecting')
