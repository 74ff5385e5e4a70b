import type { Subject } from './subject.ts'

interface Named {
  id: number
  name: string
}
const listOf = ({ record }: Subject, field: string): readonly Named[] => (record?.[field] as Named[] | undefined) ?? []

/** Returns a user's clients, from their record. */
export const clientsOf = (user: Subject): readonly Named[] => listOf(user, 'clients')
/** Returns a user's teams, from their record. */
export const teamsOf = (user: Subject): readonly Named[] => listOf(user, 'teams')
/** True if a user's record shows no client; rows selected by the server don't include clients. */
export const hasNoClient = (user: Subject | undefined): boolean =>
  Array.isArray(user?.record?.clients) && !clientsOf(user!).length
