import type { Output } from '../../../contract/calls.ts'
import type { WHYS } from '../../../contract/team.ts'
import { type Subject, subjectAs } from '../../commands/subject.ts'
import type { RowOf } from '../../list/nounColumns.tsx'

export type Team = RowOf<'team'>
export type TeamDetail = Output<'team.get'>['data']
export type Member = RowOf<'member'>
export type TeamProject = RowOf<'teamProject'>
export type Why = (typeof WHYS)[number]
/** What a team's rows need to know of it, for the words of their commands. */
export type Of = Pick<TeamDetail, 'id' | 'name' | 'client_id' | 'client_name'>

export const teamSubject = subjectAs<Team | TeamDetail>('team')
const member = subjectAs<Member>('member')
const project = subjectAs<TeamProject>('teamProject')
const within = (subject: Subject, { id, name, client_name }: Of): Subject => ({
  ...subject,
  record: { ...subject.record, team_id: id, team_name: name, client_name },
})
/** A user as a member of a team: what is done to the row is done to the membership. */
export const memberSubject =
  (team: Of) =>
  (row: Member): Subject =>
    within(member(row), team)
/** A project as a team opens it: what is done to the row is done to the link. */
export const teamProjectSubject =
  (team: Of) =>
  (row: TeamProject): Subject =>
    within(project(row), team)

/** Why somebody sees a project, in words; `team` is the other team that opens it. */
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
