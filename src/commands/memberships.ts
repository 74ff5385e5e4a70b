import { recordOf, type Subject } from './subject.ts'

interface Named {
  id: number
  name: string
}

/** Returns a user's clients, from their record. */
export const clientsOf = (user: Subject): readonly Named[] => recordOf(user, 'user').clients ?? []
/** Returns a user's teams, from their record. */
export const teamsOf = (user: Subject): readonly Named[] => recordOf(user, 'user').teams ?? []
/** True if a user's record shows no client; rows selected by the server don't include clients. */
export const hasNoClient = (user: Subject | undefined): boolean =>
  Array.isArray(recordOf(user, 'user').clients) && !clientsOf(user!).length
