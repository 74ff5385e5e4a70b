import { atom } from 'jotai'

/** The mail whose link was asked for, with its whole text; forgotten when it leaves the screen. */
export const revealedAtom = atom<{ id: number; body: string } | null>(null)
