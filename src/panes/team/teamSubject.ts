import type { Output } from '../../../contract/calls.ts'
import type { WHYS } from '../../../contract/team.ts'
import { type Subject, subjectAs } from '../../commands/subject.ts'
import type { RowOf } from '../../list/nounColumns.tsx'

export type Team = RowOf<'team'>
export type TeamDetail = Output<'team.get'>['data']
export type Member = RowOf<'member'>
export type TeamProject = RowOf<'teamProject'>
export type Why = (typeof WHYS)[number]
/** The team fields that the texts of its rows' commands need. */
export type Of = Pick<TeamDetail, 'id' | 'name' | 'client_id' | 'client_name'>

export const teamSubject = subjectAs<Team | TeamDetail>('team')
const member = subjectAs<Member>('member')
const project = subjectAs<TeamProject>('teamProject')
const within = (subject: Subject, { id, name, client_name }: Of): Subject => ({
  ...subject,
  record: { ...subject.record, team_id: id, team_name: name, client_name },
})
/** A user as a team member: commands on it act on the membership. */
export const memberSubject =
  (team: Of) =>
  (row: Member): Subject =>
    within(member(row), team)
/** A project on a team: commands on it act on the link. */
export const teamProjectSubject =
  (team: Of) =>
  (row: TeamProject): Subject =>
    within(project(row), team)

/** Explains why a user sees a project; `team` is the other team that opens it. */
export const whyWords = (why: Why | null, team: { name: string } | null): string =>
  why === 'this'
    ? 'this team'
    : why === 'other'
      ? `team “${team?.name ?? ''}”`
      : why === 'requested'
        ? 'requested it'
        : why === 'client'
          ? 'client without team'
          : '–'
