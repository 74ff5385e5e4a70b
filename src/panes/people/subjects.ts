import { subjectAs } from '../../commands/subject.ts'
import type { RowOf } from '../../list/nounColumns.tsx'

export type Client = RowOf<'client'>
export type User = RowOf<'user'>
export type Team = RowOf<'team'>
export type Group = RowOf<'group'>

/** A client, a user, a team and a location list as commands act on them. */
export const clientSubject = subjectAs<Client>('client')
export const userSubject = subjectAs<User>('user')
export const teamSubject = subjectAs<Team>('team')
export const groupSubject = subjectAs<Group>('group')
