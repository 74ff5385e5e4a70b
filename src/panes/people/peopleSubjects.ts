import { subjectAs } from '../../commands/subject.ts'
import type { RowOf } from '../../list/nounColumns.tsx'

export type Client = RowOf<'client'>
export type User = RowOf<'user'>
export type Team = RowOf<'team'>
export type Partner = RowOf<'partner'>
export type Group = RowOf<'group'>

/** Converts users, teams, partners and location groups to command subjects. */
export const userSubject = subjectAs<User>('user')
export const teamSubject = subjectAs<Team>('team')
export const partnerSubject = subjectAs<Partner>('partner')
export const groupSubject = subjectAs<Group>('group')
