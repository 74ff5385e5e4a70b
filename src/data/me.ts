import { atom } from 'jotai'
import type { Output } from '../../contract/calls.ts'
import type { ApiError } from './api.ts'

/* The signed-in user, without server calls: the commands table, its tests and the docs read this without a browser. */

/** The signed-in user, as the server sends it. */
export type Me = Output<'session.validate'>['data']
export type Session =
  | { state: 'unknown' }
  /** Whose session just ended, and whether they signed out themselves. */
  | { state: 'none'; was?: number; left?: true }
  /** Unknown, because the server didn't respond. A failure never signs the user out. */
  | { state: 'failed'; error: ApiError }
  | { state: 'in'; me: Me }

/** The state of the session. */
export const sessionAtom = atom<Session>({ state: 'unknown' })
/** The signed-in user, or null. */
export const meAtom = atom((get): Me | null => {
  const session = get(sessionAtom)
  return session.state === 'in' ? session.me : null
})

/** Identifies the session's user, and whether an administrator acts as them; blank while no user is known. */
export const sessionKeyAtom = atom((get): string => {
  const me = get(meAtom)
  return me ? `${me.id}${me.acting ? ' acting' : ''}` : ''
})
