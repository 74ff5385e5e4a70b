import { browserStore } from './browserStore.ts'

/** What this browser keeps for a person's own use, until they sign out here. */
const PARTS = ['fetched', 'reasons', 'done'] as const
type Part = (typeof PARTS)[number]

const nameOf = (part: Part, user: number) => `fieldwork.${part}.${user}`

/** Returns a stored part; null if there is none. */
export const personalPart = (part: Part, user: number): unknown => browserStore.get(nameOf(part, user))

/** Stores a part. */
export const setPersonalPart = (part: Part, user: number, value: unknown): void => browserStore.set(nameOf(part, user), value)

/** Removes all of it, as signing out does. */
export function forgetPersonal(user: number): void {
  for (const part of PARTS) browserStore.set(nameOf(part, user), null)
}
