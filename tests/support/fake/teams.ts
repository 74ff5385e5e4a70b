import { allowedActions } from '../../../contract/access.ts'
import type { Output } from '../../../contract/calls.ts'
import type { TeamEffect } from '../../../contract/teamEffect.ts'
import type { Marketplace, Person } from './marketplace.ts'

/** A team with the ids of its users and projects. */
export interface FakeTeam {
  id: number
  name: string
  client_id: number
  users: number[]
  projects: number[]
  lock_version: number
  deleted_at: string | null
}

const LONG_AGO = '2026-01-05T09:00:00.000Z'
/** West and East of Acorn Foods, whose only user is on West; both give access to the same project. */
export const newTeams = (): FakeTeam[] => [
  { id: 501, name: 'West', client_id: 101, users: [6], projects: [530], lock_version: 1, deleted_at: null },
  { id: 502, name: 'East', client_id: 101, users: [], projects: [530, 525], lock_version: 1, deleted_at: null },
]

export const teamsOf = ({ teams }: Marketplace): FakeTeam[] => teams.filter(({ deleted_at }) => deleted_at === null)
const nameOf = (all: readonly { id: number; name: string }[], id: number) => all.find((one) => one.id === id)?.name ?? ''
const fullName = ({ first_name, last_name }: Person) => `${first_name} ${last_name}`

/** A team as lists and its screen return it. */
export const teamRow = (market: Marketplace, team: FakeTeam): Output<'team.get'>['data'] => ({
  ...allowedActions('team', { id: market.me.id, role: market.me.role, admin_id: null }),
  ...{ id: team.id, name: team.name, client_id: team.client_id, company_id: team.client_id },
  client_name: nameOf(market.clients, team.client_id),
  users_count: team.users.length,
  projects_count: team.projects.length,
  in_field_count: 0,
  only_here: { users: 0, projects: 0 },
  updated_by: '',
  ...{ created_at: LONG_AGO, updated_at: LONG_AGO, lock_version: team.lock_version },
})

/** A user as a team lists them. */
export const memberRow = (market: Marketplace, team: FakeTeam, person: Person): Output<'team.users'>['data'][number] => ({
  ...allowedActions('member', { id: market.me.id, role: market.me.role, admin_id: null }),
  ...{ id: person.id, user_id: person.id, team_id: team.id, name: fullName(person) },
  ...{ first_name: person.first_name, last_name: person.last_name, role: person.role, role_id: 3 },
  ...{ email: `${person.first_name.toLowerCase()}@mail.test`, phone: '', status: 'active' },
  clients: [{ id: team.client_id, name: nameOf(market.clients, team.client_id) }],
  other_teams: [],
  ...{ only_here: team.projects.length, last_seen_at: null, added_at: LONG_AGO, sees: null, why: null, why_team: null },
})

/** Projects by client user: those of their teams, and those of their client without a team. */
function sightOf(market: Marketplace): Map<number, Set<number>> {
  const teams = teamsOf(market)
  const open = market.projects.filter(({ id }) => !teams.some(({ projects }) => projects.includes(id)))
  return new Map(
    market.people
      .filter(({ role }) => role === 'client')
      .map(({ id, client_id }) => {
        const own = teams.filter(({ users }) => users.includes(id)).flatMap(({ projects }) => projects)
        const shared = open.filter((project) => project.client_id === client_id).map((project) => project.id)
        return [id, new Set([...own, ...shared])]
      }),
  )
}
const shutIn = (market: Marketplace) => new Set(teamsOf(market).flatMap(({ projects }) => projects))

/** Runs a write and reports whose access it changes, like the server. */
export function withEffect(market: Marketplace, work: () => void): TeamEffect {
  const [seen, shut] = [sightOf(market), shutIn(market)]
  work()
  const [sees, now] = [sightOf(market), shutIn(market)]
  const named = (ids: readonly number[]) => ids.map((id) => ({ id, name: nameOf(market.projects, id) }))
  const without = (all: ReadonlySet<number> | undefined, other: ReadonlySet<number> | undefined) =>
    [...(all ?? [])].filter((id) => !other?.has(id))
  const rows = market.people.flatMap((person) => {
    const [before, after] = [seen.get(person.id), sees.get(person.id)]
    const [gains, loses] = [named(without(after, before)), named(without(before, after))]
    if (!gains.length && !loses.length) return []
    return [{ user_id: person.id, name: fullName(person), gains, loses, keeps: loses.length ? (after?.size ?? 0) : 0 }]
  })
  const side = (of: 'gains' | 'loses') => ({
    users: rows.filter((row) => row[of].length).length,
    projects: new Set(rows.flatMap((row) => row[of].map(({ id }) => id))).size,
  })
  const turned = (projects: number[]) => {
    const clients = new Set(market.projects.filter(({ id }) => projects.includes(id)).map(({ client_id }) => client_id))
    const users = market.people.filter(({ client_id }) => client_id !== null && clients.has(client_id)).length
    return { projects: named(projects), users }
  }
  return { gain: side('gains'), lose: side('loses'), rows, opens: turned(without(shut, now)), closes: turned(without(now, shut)) }
}
