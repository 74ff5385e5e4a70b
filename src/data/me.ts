import { atom } from 'jotai'
import type { Output } from '../../contract/calls.ts'
import type { ApiError } from './api.ts'

/*
 * The signed-in user, without anything that calls the server: the commands table reads it, and tests and docs read that
 * without a browser.
 */

/** The signed-in person, as the server says. */
export type Me = Output<'session.validate'>['data']
export type Session =
  | { state: 'unknown' }
  /** Whose session ended just now, and whether they signed out by themselves. */
  | { state: 'none'; was?: number; left?: true }
  /** Nobody knows yet: the server did not answer. A failure never signs anybody out. */
  | { state: 'failed'; error: ApiError }
  | { state: 'in'; me: Me }

/** Whether somebody is signed in. */
export const sessionAtom = atom<Session>({ state: 'unknown' })
/** The signed-in user, or null. */
export const meAtom = atom((get): Me | null => {
  const session = get(sessionAtom)
  return session.state === 'in' ? session.me : null
})

/** Identifies the session's person, and whether they act as somebody; blank while nobody is known to be signed in. */
export const sessionKeyAtom = atom((get): string => {
  const me = get(meAtom)
  return me ? `${me.id}${me.acting ? ' acting' : ''}` : ''
})
