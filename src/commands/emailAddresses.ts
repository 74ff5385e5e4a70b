import { readEmail } from '../../contract/fieldKinds.ts'
import { MESSAGES } from '../../contract/messages.ts'
import { angled } from '../../contract/textEnds.ts'

/** An address of a pasted list, with the name next to it. */
export interface Addressed {
  email: string
  first_name: string
  last_name: string
  /** True if it isn't an address: "The Email is not valid". */
  bad: boolean
}

/** Parses addresses typed or pasted with names: "Ana Diaz <ana@acme.test>, ben@acme.test"; repeats count once. */
export function readAddresses(text: string): Addressed[] {
  const found = new Map<string, Addressed>()
  for (const part of text.split(/[,;\n\r\t]+|(?<!\s)\s+(?=[^\s<>"]+@)/)) {
    const trimmed = part.trim()
    if (!trimmed) continue
    const named = angled(trimmed)
    const typed = (named?.within ?? trimmed).trim().toLowerCase()
    const email = readEmail(typed)
    const names = (named?.before ?? '').replace(/["']/g, '').trim().split(/\s+/).filter(Boolean)
    const last_name = names.length > 1 ? names.at(-1)! : ''
    const first_name = names.slice(0, names.length > 1 ? -1 : undefined).join(' ')
    const key = email ?? typed
    if (!found.has(key)) found.set(key, { email: key, first_name, last_name, bad: email === null })
  }
  return [...found.values()]
}

/** Says what is wrong with the addresses of an invitation; one of several is named. */
export function addressesFault(people: readonly Addressed[]): string | null {
  if (!people.length) return MESSAGES.inviteEmailBlank
  const bad = people.find((person) => person.bad)
  if (!bad) return null
  return people.length > 1 ? `${MESSAGES.inviteEmail}: ${bad.email}` : MESSAGES.inviteEmail
}

/** Formats addresses as people type them, with their names. */
export const writeAddresses = (people: readonly Addressed[]): string =>
  people
    .map(({ email, first_name, last_name }) => {
      const name = [first_name, last_name].filter(Boolean).join(' ')
      return name ? `${name} <${email}>` : email
    })
    .join(', ')
