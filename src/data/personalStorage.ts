import { browserStore } from './browserStore.ts'

/** Personal data that this browser keeps until the user signs out. */
const PARTS = ['fetched', 'reasons', 'done', 'first'] as const
type Part = (typeof PARTS)[number]

const nameOf = (part: Part, user: number) => `fieldwork.${part}.${user}`

/** Returns a stored value; null if there is none. */
export const personalPart = (part: Part, user: number): unknown => browserStore.get(nameOf(part, user))

/** Stores a value. */
export const setPersonalPart = (part: Part, user: number, value: unknown): void => browserStore.set(nameOf(part, user), value)

/** Removes all values; called on sign-out. */
export function forgetPersonal(user: number): void {
  for (const part of PARTS) browserStore.set(nameOf(part, user), null)
}
