import { atom } from 'jotai'

/** How many notifications the signed-in user has not read; null until it is known. The header's bell reads it. */
export const unreadAtom = atom<number | null>(null)

/** "3 unread notifications", as the bell is spoken. */
export const unreadWords = (unread: number): string =>
  unread === 0 ? 'no unread notifications' : `${unread} unread ${unread === 1 ? 'notification' : 'notifications'}`
