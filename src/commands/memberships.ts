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
