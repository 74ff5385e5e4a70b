import { atom } from 'jotai'

/** How many notifications the signed-in user hasn't read; null until known. Drives the bell in the header. */
export const unreadAtom = atom<number | null>(null)

/** Describes the bell: "3 unread notifications". */
export const unreadWords = (unread: number): string =>
  unread === 0 ? 'no unread notifications' : `${unread} unread ${unread === 1 ? 'notification' : 'notifications'}`
