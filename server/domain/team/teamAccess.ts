import { sql } from 'kysely'
import type { WHYS } from '../../../contract/team.ts'
import type { Ctx } from '../../core/context.ts'
import { byText } from '../../db/foldedText.ts'

type Reading = Pick<Ctx, 'db'>
type Why = (typeof WHYS)[number]
interface Named {
  id: number
  name: string
}
/** A reason why somebody can see a project; `team` is the other team that gives access. */
interface AccessPath {
  why: Why
  team: Named | null
}
interface Project extends Named {
  client_id: number
  parent_id: number | null
  requested_by: number | null
  linked: boolean
}
/** Why users can see the projects of a team's client; whether they can see one at all is up to the scope condition. */
export interface ProjectAccess {
  projects: readonly Project[]
  of(user: number, project: number): AccessPath
  /** The projects a user can see only through this team; a family counts once. */
  onlyHere(user: number): number[]
}

/** Reads the access of these users to the projects of a team's client, through teams, requests and clients. */
export async function projectAccessOf(
  { db }: Reading,
  team: { id: number; client_id: number },
  users: readonly number[],
): Promise<ProjectAccess> {
  const { rows: projects } = await sql<Omit<Project, 'linked'>>`select id, name, client_id, parent_id, requested_by from projects
    where deleted_at is null and (client_id = ${team.client_id}
      or id in (select project_id from team_projects where team_id = ${team.id})) order by ${byText(db, 'name')}, id`.execute(db)
  const { rows: links } = await sql<{ project_id: number; team_id: number; name: string; alive: number }>`
    select tp.project_id, t.id as team_id, t.name, case when t.deleted_at is null and c.deleted_at is null then 1 else 0 end as alive
    from team_projects tp join teams t on t.id = tp.team_id join clients c on c.id = t.client_id join projects p on p.id = tp.project_id
    where p.client_id = ${team.client_id} or tp.team_id = ${team.id} order by ${byText(db, 't.name')}, t.id`.execute(db)
  const some = users.length ? [...users] : [0]
  const [on, at] = await Promise.all([
    db.selectFrom('team_users').select(['user_id', 'team_id']).where('user_id', 'in', some).execute(),
    db
      .selectFrom('user_clients')
      .innerJoin('clients', 'clients.id', 'client_id')
      .select(['user_id', 'client_id'])
      .where('user_id', 'in', some)
      .where('clients.deleted_at', 'is', null)
      .execute(),
  ])
  const linksOf = Map.groupBy(links, (link) => link.project_id)
  const byId = new Map(projects.map((one) => [one.id, one]))
  const memberships = new Set(on.map((row) => `${row.user_id} ${row.team_id}`))
  const clients = new Set(at.map((row) => `${row.user_id} ${row.client_id}`))
  /** The project whose teams apply: a child without a team inherits its parent's. */
  const effective = (project: Project) => (linksOf.has(project.id) ? project : (byId.get(project.parent_id ?? 0) ?? project))
  const ways = (user: number, project: Project): AccessPath[] => {
    const seen = effective(project)
    const open = (linksOf.get(seen.id) ?? []).filter((link) => Number(link.alive) && memberships.has(`${user} ${link.team_id}`))
    const home = clients.has(`${user} ${project.client_id}`)
    return [
      ...(open.some((link) => link.team_id === team.id) ? [{ why: 'this' as const, team: null }] : []),
      ...open
        .filter((link) => link.team_id !== team.id)
        .map((link) => ({ why: 'other' as const, team: { id: link.team_id, name: link.name } })),
      ...(home && (project.requested_by === user || seen.requested_by === user)
        ? [{ why: 'requested' as const, team: null }]
        : []),
      ...(home && !linksOf.has(seen.id) ? [{ why: 'client' as const, team: null }] : []),
    ]
  }
  return {
    projects: projects.map((one) => ({
      ...one,
      linked: (linksOf.get(effective({ ...one, linked: false }).id) ?? []).some((link) => link.team_id === team.id),
    })),
    of(user, id) {
      const project = byId.get(id)
      return (project && ways(user, project as Project)[0]) ?? { why: 'none', team: null }
    },
    onlyHere(user) {
      const only = projects.filter((one) => {
        const all = ways(user, one as Project)
        return all.length === 1 && all[0]!.why === 'this'
      })
      const ids = new Set(only.map((one) => one.id))
      return only.filter((one) => !ids.has(one.parent_id ?? 0)).map((one) => one.id)
    },
  }
}
