import type { Output } from '../../../contract/calls.ts'
import type { Subject } from '../../commands/subject.ts'

export type Client = Output<'client.list'>['data'][number]
export type User = Output<'user.list'>['data'][number]
export type Team = Output<'client.teams'>['data'][number]
export type Group = Output<'client.groups'>['data'][number]

/** A client as commands act on it. */
export const clientSubject = (client: Client): Subject => ({
  kind: 'client',
  id: client.id,
  name: client.name,
  allowed_actions: client.allowed_actions,
  refused_actions: client.refused_actions,
  record: client,
})

/** A user as commands act on them. */
export const userSubject = (user: User): Subject => ({
  kind: 'user',
  id: user.id,
  name: user.name,
  allowed_actions: user.allowed_actions,
  refused_actions: user.refused_actions,
  record: user,
})

export const teamSubject = (team: Team): Subject => ({ kind: 'team', id: team.id, name: team.name, record: team })
export const groupSubject = (group: Group): Subject => ({ kind: 'group', id: group.id, name: group.name, record: group })
