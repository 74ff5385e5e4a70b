import { atom } from 'jotai'

/** The email whose link was requested, with its full text; cleared when it leaves the screen. */
export const revealedMailAtom = atom<{ id: number; body: string } | null>(null)
