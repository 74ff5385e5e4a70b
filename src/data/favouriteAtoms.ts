import { atom } from 'jotai'
import type { Output } from '../../contract/calls.ts'

/** What the signed-in user has pinned, as their preferences have it. */
export const pinnedAtom = atom<readonly string[]>([])
/** The signed-in user's favourites, named; null until known. */
export const favouritesAtom = atom<Output<'account.favourites'> | null>(null)
