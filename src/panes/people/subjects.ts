import { subjectAs } from '../../commands/subject.ts'
import type { RowOf } from '../../list/nounColumns.tsx'

export type Client = RowOf<'client'>
export type User = RowOf<'user'>
export type Team = RowOf<'team'>
export type Group = RowOf<'group'>

/** Clients, users, teams and location lists as command subjects. */
export const clientSubject = subjectAs<Client>('client')
export const userSubject = subjectAs<User>('user')
export const teamSubject = subjectAs<Team>('team')
export const groupSubject = subjectAs<Group>('group')
