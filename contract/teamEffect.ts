import { count } from './format.ts'
import type { TeamEffect } from './team.ts'

const many = (value: number, one: string, more = `${one}s`) => `${count(value)} ${value === 1 ? one : more}`

/** Who sees what because of a write: "4 users will see 3 projects, 1 will lose one."; empty if nothing changes. */
export function effectWords(effect: TeamEffect, client: string): string {
  const { gain, lose, opens, closes } = effect
  const parts = [
    ...(gain.users ? [`${many(gain.users, 'user')} will see ${many(gain.projects, 'project')}`] : []),
    ...(lose.users ? [`${many(lose.users, gain.users ? 'other' : 'user')} will lose ${many(lose.projects, 'project')}`] : []),
  ]
  const hidden = closes.projects.length
  const open = opens.projects.length
  const named = open === 1 ? `“${opens.projects[0]!.name}”` : many(open, 'project')
  return [
    ...(parts.length
      ? [`${parts.join('; ')}${lose.users && hidden ? `, of which ${many(hidden, 'project')} had no team` : ''}.`]
      : []),
    ...(open
      ? [`${named} will have no team: all ${many(opens.users, 'client user')} of ${client} see ${open === 1 ? 'it' : 'them'}.`]
      : []),
  ].join(' ')
}
