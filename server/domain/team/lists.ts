import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { z } from 'zod'
import { allowedActions } from '../../../contract/access.ts'
import { seesAll } from '../../../contract/actor.ts'
import type { Paging } from '../../../contract/listInput.ts'
import { BUCKETS, readStatus, statusesOf } from '../../../contract/status.ts'
import type { Team, teamCalls } from '../../../contract/team.ts'
import { ROLE_IDS } from '../../../contract/user.ts'
import type { Ctx } from '../../core/context.ts'
import { invalid, notFound } from '../../core/errors.ts'
import { listOf } from '../../core/listBuilder.ts'
import { type ChangeSource, holds } from '../../core/listSearch.ts'
import { clientUserScope, projectScope } from '../../core/scope.ts'
import { byText } from '../../db/foldedText.ts'
import { familySum } from '../project/family.ts'
import { recordsOf, STATUS_ORDER, withChildren } from '../project/list.ts'
import { LAST_SEEN, NAME, NAME_SORT } from '../user/list.ts'
import { fullName } from '../user/records.ts'
import { projectAccessOf } from './teamAccess.ts'

type TeamShown = z.input<typeof Team>
type TeamRow = Omit<TeamShown, 'company_id' | 'allowed_actions' | 'refused_actions'>
type TeamsFilter = Omit<z.output<(typeof teamCalls)['team.list']['input']>, Paging> & { user_id?: number }
type MembersFilter = Omit<z.output<(typeof teamCalls)['team.users']['input']>, Paging>
type ProjectsFilter = Omit<z.output<(typeof teamCalls)['team.projects']['input']>, Paging>
export type MemberShown = z.input<(typeof teamCalls)['team.users']['output']>['data'][number]
type ProjectShown = z.input<(typeof teamCalls)['team.projects']['output']>['data'][number]
interface Named {
  id: number
  name: string
}

const members = sql`team_users join users on users.id = team_users.user_id where team_users.team_id = teams.id and users.deleted_at is null`
const linked = sql`team_projects join projects on projects.id = team_projects.project_id where team_projects.team_id = teams.id and projects.deleted_at is null`
const count = (from: RawBuilder<unknown>) => sql<number>`(select count(*) from ${from})`
const CLIENT = '(select clients.name from clients where clients.id = teams.client_id)'

/** Teams with their numbers of users and projects. */
export const teamList = listOf<'team', TeamsFilter, TeamRow, TeamShown>('team', {
  table: 'teams',
  scope: () => sql<SqlBool>`teams.deleted_at is null`,
  where: ({ client_id, empty, user_id }) => [
    client_id !== undefined && sql<SqlBool>`teams.client_id = ${client_id}`,
    user_id !== undefined && sql<SqlBool>`teams.id in (select team_id from team_users where user_id = ${user_id})`,
    (empty === 'users' || empty === 'neither') && sql<SqlBool>`not exists (select 1 from ${members})`,
    (empty === 'projects' || empty === 'neither') && sql<SqlBool>`not exists (select 1 from ${linked})`,
  ],
  finds: ({ services: { database } }, word) =>
    sql<SqlBool>`(${holds(database, 'teams.name', word)}
      or teams.client_id in (select clients.id from clients where ${holds(database, 'clients.name', word)}))`,
  columns: () => ({
    client_name: sql.raw(CLIENT),
    users_count: count(members),
    projects_count: count(linked),
    in_field_count: count(sql`${linked} and projects.status = 'active'`),
  }),
  also: () => [sql`teams.client_id`, sql`teams.lock_version`],
  shown: ({ actor }, rows) => rows.map((team) => ({ ...team, company_id: team.client_id, ...allowedActions('team', actor) })),
  file: {
    title: async (ctx, { client_id }) => (client_id ? `${await nameOf(ctx, 'clients', client_id)} teams` : 'Teams'),
  },
})

/** The name of a client or team that isn't deleted; throws 404. */
export async function nameOf(ctx: Pick<Ctx, 'db'>, table: 'clients' | 'teams', id: number): Promise<string> {
  const row = await ctx.db
    .selectFrom(table)
    .select('name')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!row) throw notFound(table === 'teams' ? 'This team' : 'This client')
  return row.name
}

interface MemberRow {
  id: number
  name: string
  first_name: string
  last_name: string
  email: string
  phone: string
  role: 'admin' | 'client'
  status: 'invited' | 'active'
  last_seen_at: string | null
  added_at: string | null
}
const onTeam = (id: number | undefined) => sql`team_users where team_users.team_id = ${id ?? 0} and team_users.user_id = users.id`
const seesProject = (id: number) =>
  sql<SqlBool>`exists (select 1 from projects asked where asked.id = ${id} and ${clientUserScope(sql.ref('users.id'), 'asked')})`
const nothing = sql`null`
/** What was linked to a team (`added_at`), or brought back by an undo (`updated_at`). */
const linkedBy = (table: string, column: string, id: number | undefined): ChangeSource => ({
  table,
  id: column,
  at: ['added_at', 'updated_at'],
  where: sql<SqlBool>`changed.team_id = ${id ?? 0}`,
})

/** A team's users, with what they can see only through this team; with a project, whether they can see it. */
export const memberList = listOf<'member', MembersFilter, MemberRow, MemberShown>('member', {
  table: 'users',
  changed: (_ctx, _since, { id }) => [{ table: 'users' }, linkedBy('team_users', 'user_id', id)],
  scope: () => sql<SqlBool>`users.deleted_at is null`,
  where: ({ id, status, project_id, sees }) => [
    sql<SqlBool>`exists (select 1 from ${onTeam(id)})`,
    status ? sql<SqlBool>`users.status = ${status}` : undefined,
    project_id !== undefined && sees === 'yes' && seesProject(project_id),
    project_id !== undefined && sees === 'no' && sql<SqlBool>`not ${seesProject(project_id)}`,
  ],
  finds: ({ services: { database } }, word) => {
    const digits = word.replace(/\D/g, '')
    const phone = digits.length > 2 ? sql` or ${holds(database, 'users.phone', digits)}` : sql``
    return sql<SqlBool>`(${holds(database, NAME, word)} or ${holds(database, 'users.email', word)}${phone})`
  },
  columns: (_ctx, { id }) => ({
    name: sql.raw(NAME),
    clients: nothing,
    other_teams: nothing,
    only_here: sql`0`,
    last_seen_at: LAST_SEEN,
    added_at: sql`(select team_users.added_at from ${onTeam(id)})`,
  }),
  sorts: { name: NAME_SORT },
  empty: ['last_seen_at', 'added_at'],
  also: () => [sql`users.first_name`, sql`users.last_name`, sql`users.role`],
  shown: (ctx, rows, filter) => membersShown(ctx, rows, filter!),
  file: {
    title: async (ctx, { id }) => `${await nameOf(ctx, 'teams', id)} users`,
    more: async (ctx, rows, filter) => {
      const names = (of: readonly Named[]) => of.map((one) => one.name).join('; ')
      const shown = await membersShown(ctx, rows, filter)
      return shown.map((one) => ({ ...one, clients: names(one.clients), other_teams: names(one.other_teams) }))
    },
  },
})

async function membersShown(ctx: Ctx, rows: readonly MemberRow[], filter: MembersFilter): Promise<MemberShown[]> {
  if (!rows.length) return []
  const { id: team_id, project_id } = filter
  const ids = rows.map((row) => row.id)
  const team = await teamList.row(ctx, team_id)
  const [ways, clients, teams, seen] = await Promise.all([
    projectAccessOf(ctx, team, ids),
    ctx.db
      .selectFrom('user_clients')
      .innerJoin('clients', 'clients.id', 'client_id')
      .select(['user_id', 'clients.id', 'clients.name'])
      .where('user_id', 'in', ids)
      .where('clients.deleted_at', 'is', null)
      .orderBy(byText(ctx.db, 'clients.name'))
      .execute(),
    ctx.db
      .selectFrom('team_users')
      .innerJoin('teams', 'teams.id', 'team_id')
      .select(['user_id', 'teams.id', 'teams.name'])
      .where('user_id', 'in', ids)
      .where('teams.id', '!=', team_id)
      .where('teams.deleted_at', 'is', null)
      .orderBy(byText(ctx.db, 'teams.name'))
      .execute(),
    project_id === undefined
      ? []
      : ctx.db.selectFrom('users').select('id').where('id', 'in', ids).where(seesProject(project_id)).execute(),
  ])
  const named = (of: readonly (Named & { user_id: number })[], user: number) =>
    of.filter((one) => one.user_id === user).map(({ id, name }) => ({ id, name }))
  const sees = new Set(seen.map((row) => row.id))
  return rows.map((row) => {
    const way = project_id === undefined ? null : ways.of(row.id, project_id)
    return {
      ...row,
      name: fullName(row),
      user_id: row.id,
      team_id,
      role_id: ROLE_IDS.v3[row.role],
      clients: named(clients, row.id),
      other_teams: named(teams, row.id),
      only_here: ways.onlyHere(row.id).length,
      sees: project_id === undefined ? null : sees.has(row.id),
      why: way?.why ?? null,
      why_team: way?.team ?? null,
      ...allowedActions('member', ctx.actor),
    }
  })
}

interface ProjectRow {
  id: number
  name: string
  linked_at: string | null
  is_linked: number
}
const link = (id: number | undefined) =>
  sql`team_projects where team_projects.team_id = ${id ?? 0} and team_projects.project_id = projects.id`
const inherited = (id: number) =>
  sql<SqlBool>`(projects.parent_id in (select project_id from team_projects where team_id = ${id})
    and not exists (select 1 from team_projects own where own.project_id = projects.id))`
/** Sorts a family together, a parent before its children. */
const FAMILY = sql`coalesce((select parent.name from projects parent where parent.id = projects.parent_id), projects.name)`

/** The projects that a team gives access to, and their children; client users see those of their own teams. */
export const teamProjectList = listOf<'teamProject', ProjectsFilter, ProjectRow, ProjectShown>('teamProject', {
  table: 'projects',
  changed: (_ctx, _since, { id }) => [{ table: 'projects' }, linkedBy('team_projects', 'project_id', id)],
  scope: ({ actor }) => projectScope(actor),
  where: ({ id, status }, { actor }) => [
    sql<SqlBool>`(exists (select 1 from ${link(id)}) or ${inherited(id)})`,
    !seesAll(actor) && sql<SqlBool>`${id} in (select team_id from team_users where user_id = ${actor.id})`,
    ofStatus(status),
  ],
  finds: ({ services: { database } }, word) => {
    const code = /^(?:p-?)?(\d{1,9})$/i.exec(word)?.[1]
    const named = holds(database, 'projects.name', word)
    return code ? sql<SqlBool>`(${named} or projects.id = ${Number(code)})` : named
  },
  columns: ({ actor }, { id }) => ({
    parent_name: nothing,
    stored_status: sql`projects.status`,
    delivered: familySum(actor, 'delivered') as RawBuilder<number>,
    ordered: familySum(actor, 'ordered') as RawBuilder<number>,
    pacing: sql`0`,
    other_teams: nothing,
    linked_at: sql`(select team_projects.added_at from ${link(id)})`,
  }),
  sorts: { name: FAMILY, stored_status: STATUS_ORDER },
  empty: ['end_dt', 'linked_at'],
  also: () => [],
  shown: (ctx, rows, filter) => projectsShown(ctx, rows, filter!),
  file: {
    title: async (ctx, { id }) => `${await nameOf(ctx, 'teams', id)} projects`,
    more: async (ctx, rows, filter) => {
      const shown = await projectsShown(ctx, rows, filter)
      return shown.map((one) => ({
        ...one,
        other_teams: one.other_teams.map((team) => team.name).join('; '),
        is_linked: one.inherits ? 0 : 1,
      }))
    },
    holds: (row) => row.id,
  },
})

function ofStatus(text: string): RawBuilder<SqlBool> | undefined {
  const bucket = text.toLowerCase()
  if (bucket === 'all') return undefined
  const statuses = BUCKETS.some((known) => known.value === bucket)
    ? statusesOf(bucket)
    : [readStatus(bucket)].filter((one) => one !== null)
  if (!statuses.length) throw invalid('status', `status is not one of ${BUCKETS.map(({ value }) => value).join(', ')}: ${text}`)
  return sql<SqlBool>`projects.status in (${sql.join([...statuses])})`
}

async function projectsShown(ctx: Ctx, rows: readonly ProjectRow[], { id: team_id }: ProjectsFilter): Promise<ProjectShown[]> {
  if (!rows.length) return []
  const ids = rows.map((row) => row.id)
  const [records, links] = await Promise.all([
    recordsOf(ctx, ids).then((found) => withChildren(ctx, found)),
    ctx.db
      .selectFrom('team_projects')
      .innerJoin('teams', 'teams.id', 'team_id')
      .select(['project_id', 'teams.id', 'teams.name'])
      .where('project_id', 'in', ids)
      .where('teams.deleted_at', 'is', null)
      // Client users see only the names of their own teams.
      .$if(!seesAll(ctx.actor), (query) =>
        query.where('teams.id', 'in', (eb) => eb.selectFrom('team_users').select('team_id').where('user_id', '=', ctx.actor.id)),
      )
      .orderBy(byText(ctx.db, 'teams.name'))
      .execute(),
  ])
  const parents = await ctx.db
    .selectFrom('projects')
    .select(['id', 'name'])
    .where('id', 'in', [0, ...records.flatMap((row) => row.parent_id ?? [])])
    .where(projectScope(ctx.actor))
    .execute()
  const nameOfParent = new Map(parents.map((parent) => [parent.id, parent.name]))
  const linkedAt = new Map(rows.map((row) => [row.id, row.linked_at]))
  return records.map((row) => {
    const teams = links.filter((one) => one.project_id === row.id)
    const inherits = !teams.some((one) => one.id === team_id)
    return {
      id: row.id,
      project_id: row.id,
      team_id,
      name: row.name,
      generation: row.generation,
      parent_id: row.parent_id,
      parent_name: nameOfParent.get(row.parent_id ?? 0) ?? '',
      inherits,
      status: row.status,
      stored_status: row.stored_status,
      status_shown: row.status_shown,
      ordered: row.ordered,
      delivered: row.delivered,
      pacing: row.pacing,
      pacing_color: row.pacing_color,
      pacing_state: row.pacing_state,
      own: row.own,
      end_dt: row.end_dt,
      other_teams: teams.filter((one) => one.id !== team_id).map(({ id, name }) => ({ id, name })),
      linked_at: linkedAt.get(row.id) ?? null,
      ...allowedActions('teamProject', ctx.actor, { inherits }),
    }
  })
}
