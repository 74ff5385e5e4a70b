import type { Subject } from './subject.ts'

interface Named {
  id: number
  name: string
}
const listOf = ({ record }: Subject, field: string): readonly Named[] => (record?.[field] as Named[] | undefined) ?? []

/** A user's clients, as their record lists them. */
export const clientsOf = (user: Subject): readonly Named[] => listOf(user, 'clients')
/** A user's teams, as their record lists them. */
export const teamsOf = (user: Subject): readonly Named[] => listOf(user, 'teams')
/** True if a user's record says that they belong to no client; rows that the server selected don't say it. */
export const hasNoClient = (user: Subject | undefined): boolean =>
  Array.isArray(user?.record?.clients) && !clientsOf(user!).length
