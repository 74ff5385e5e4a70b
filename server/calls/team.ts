import type { z } from 'zod'
import { seesAll } from '../../contract/actor.ts'
import { MESSAGES } from '../../contract/messages.ts'
import type { teamCalls } from '../../contract/team.ts'
import type { TeamEffect } from '../../contract/teamEffect.ts'
import { add, change, drop } from '../core/change.ts'
import type { Ctx } from '../core/context.ts'
import { describeEffect } from '../core/describeEffect.ts'
import { invalid, notFound } from '../core/errors.ts'
import type { HandlersOf } from '../core/handler.ts'
import { insertMany } from '../db/connect.ts'
import { byText } from '../db/foldedText.ts'
import { locked } from '../db/locked.ts'
import { refuseTakenName } from '../domain/names.ts'
import { historyPage } from '../domain/recordHistory.ts'
import { withEffect } from '../domain/team/effect.ts'
import { memberList, nameOf, teamList, teamProjectList } from '../domain/team/lists.ts'
import { projectAccessOf } from '../domain/team/teamAccess.ts'
import { fullName } from '../domain/user/records.ts'
import { chosen, clientUsers, type HeldTeam, heldClient, heldTeam, joinTeam, leaveTeam, noteLinks } from './user/memberships.ts'

type In<Id extends keyof typeof teamCalls> = z.output<(typeof teamCalls)[Id]['input']>

const GRID = 20
const side = { users: 0, projects: 0 }
const NO_EFFECT: TeamEffect = {
  gain: side,
  lose: side,
  rows: [],
  opens: { projects: [], users: 0 },
  closes: { projects: [], users: 0 },
}

/** Projects of these ids; throws a 404 for one that doesn't exist, and a 422 for one of another client. */
async function projectsOf(ctx: Ctx, client_id: number, ids: readonly number[]) {
  const query = ctx.tx
    .selectFrom('projects')
    .select(['id', 'name', 'client_id'])
    .where('id', 'in', ids)
    .where('deleted_at', 'is', null)
    .orderBy('id')
  const projects = await locked(ctx.services.database, query).execute()
  const strange = ids.find((id) => !projects.some((project) => project.id === id))
  if (strange !== undefined) throw notFound(`Project ${strange}`)
  const other = projects.find((project) => project.client_id !== client_id)
  if (other) throw invalid('project_ids', MESSAGES.otherClient(other.name))
  return projects
}

/** Emits the change to everyone who sees a project now, or saw it before its teams changed. */
async function emitProjects(ctx: Ctx, team: HeldTeam, projects: readonly { id: number }[], way: 'before' | 'after') {
  await ctx.record(
    projects.map(({ id }) => ({ subject: 'project', subject_id: id, [way]: { team: team.name, team_id: team.id } })),
  )
  for (const { id } of projects) ctx.emit({ noun: 'project', id, project_id: id })
  if (projects.length) ctx.emit({ noun: 'team', id: team.id, client_id: team.client_id, audience: 'admin' })
}

async function linkUsers(ctx: Ctx, team: HeldTeam, ids: readonly number[]) {
  const users = await clientUsers(ctx, ids)
  const { added, joined } = await joinTeam(ctx, team, ids)
  const named = (some: readonly number[]) =>
    users.filter((user) => some.includes(user.id)).map((user) => ({ id: user.id, name: fullName(user) }))
  await noteLinks(
    ctx,
    team,
    'users',
    'after',
    named(added).map((user) => user.name),
  )
  return { ids: added, unchanged: ids.length - added.length, joined: named(joined) }
}

async function linkProjects(ctx: Ctx, team: HeldTeam, ids: readonly number[]) {
  const projects = await projectsOf(ctx, team.client_id, ids)
  const known = await ctx.tx
    .selectFrom('team_projects')
    .select('project_id')
    .where('team_id', '=', team.id)
    .where('project_id', 'in', ids)
    .execute()
  const added = projects.filter((project) => !known.some((row) => row.project_id === project.id))
  const link = { team_id: team.id, added_by: ctx.actor.id, added_at: ctx.now }
  await insertMany(
    ctx.tx,
    'team_projects',
    added.map(({ id }) => ({ ...link, project_id: id })),
    'skip',
  )
  await noteLinks(
    ctx,
    team,
    'projects',
    'after',
    added.map((project) => project.name),
  )
  await emitProjects(ctx, team, added, 'after')
  return { ids: added.map((project) => project.id), unchanged: ids.length - added.length, joined: [] }
}

async function unlinkProjects(ctx: Ctx, team: HeldTeam, ids?: readonly number[]) {
  let query = ctx.tx.deleteFrom('team_projects').returning('project_id').where('team_id', '=', team.id)
  if (ids) query = query.where('project_id', 'in', ids)
  const gone = (await query.execute()).map((row) => row.project_id)
  const names = gone.length ? await ctx.tx.selectFrom('projects').select(['id', 'name']).where('id', 'in', gone).execute() : []
  await noteLinks(
    ctx,
    team,
    'projects',
    'before',
    names.map((project) => project.name),
  )
  await emitProjects(ctx, team, names, 'before')
  return { ids: gone, unchanged: (ids ?? gone).length - gone.length, joined: [] }
}

async function unlinkUsers(ctx: Ctx, team: HeldTeam, ids: readonly number[]) {
  const users = await ctx.tx.selectFrom('users').selectAll().where('id', 'in', ids).where('deleted_at', 'is', null).execute()
  const strange = ids.find((id) => !users.some((user) => user.id === id))
  if (strange !== undefined) throw notFound(`User ${strange}`)
  const left = await leaveTeam(ctx, team, ids)
  await noteLinks(ctx, team, 'users', 'before', users.filter((user) => left.includes(user.id)).map(fullName))
  return { ids: left, unchanged: ids.length - left.length, joined: [] }
}

/** How many users or projects a team gains or loses. */
const factsOf = (noun: 'user' | 'project', count: number, team: string) => ({ count, noun, rest: ` ${team}` })

async function addUsers(ctx: Ctx<In<'team.addUsers'>>) {
  const ids = chosen(ctx.input.user_ids, ctx.input.user_id, 'user_ids', MESSAGES.chooseUser)
  const team = await heldTeam(ctx, ctx.input.team_id)
  const { done, effect } = await withEffect(ctx, { client_id: team.client_id, users: ids }, () => linkUsers(ctx, team, ids))
  return {
    data: { team_id: team.id, ...done },
    message: describeEffect(ctx, 'team.addUsers', factsOf('user', done.ids.length, `to “${team.name}”`)),
    effect,
  }
}

async function removeUsers(ctx: Ctx<In<'team.removeUsers'>>) {
  const ids = chosen(ctx.input.user_ids, ctx.input.user_id, 'user_ids', MESSAGES.chooseUser)
  const team = await heldTeam(ctx, ctx.input.team_id)
  const { done, effect } = await withEffect(ctx, { client_id: team.client_id, users: ids }, () => unlinkUsers(ctx, team, ids))
  return {
    data: { team_id: team.id, ...done },
    message: describeEffect(ctx, 'team.removeUsers', factsOf('user', done.ids.length, `from “${team.name}”`)),
    effect,
  }
}

async function create(ctx: Ctx, { client_id, name, user_ids = [], project_ids = [] }: Omit<In<'team.create'>, never>) {
  await heldClient(ctx, client_id)
  await refuseTakenName(ctx, 'team', { name, client_id })
  const { done: id, effect } = await withEffect(ctx, { client_id, users: user_ids, projects: project_ids }, async () => {
    const change = { noun: 'team', client_id, audience: 'admin' } as const
    const id = await add(ctx, 'teams', { subject: 'team', values: { name, client_id }, change })
    const team = { id, name, client_id }
    if (user_ids.length) await linkUsers(ctx, team, [...new Set(user_ids)])
    if (project_ids.length) await linkProjects(ctx, team, [...new Set(project_ids)])
    return id
  })
  return { data: await detailOf(ctx, id), message: describeEffect(ctx, 'team.create', { noun: 'team' }), effect }
}

async function edit(ctx: Ctx<In<'team.edit'>>) {
  const { id, name, client_id, company_id, lock_version } = ctx.input
  const team = await teamList.row(ctx, id)
  for (const [field, sent] of Object.entries({ client_id, company_id }))
    if (sent !== undefined && sent !== team.client_id) throw invalid(field, MESSAGES.teamClient)
  if (name !== undefined) {
    await refuseTakenName(ctx, 'team', { id, name, was: team.name, client_id: team.client_id })
    await change(ctx, 'teams', {
      subject: 'team',
      id,
      patch: { name },
      lock: lock_version,
      change: { noun: 'team', client_id: team.client_id, audience: 'admin' },
    })
  }
  return { data: await detailOf(ctx, id), message: describeEffect(ctx, 'team.edit', { noun: 'team' }), effect: NO_EFFECT }
}

/** Deletes teams with their links; the effect on access is worked out for all of them together. */
async function remove(ctx: Ctx<In<'team.remove'>>) {
  const ids = chosen(ctx.input.ids, ctx.input.id, 'id', MESSAGES.chooseTeam).sort((a, b) => a - b)
  const teams: HeldTeam[] = []
  for (const id of ids) teams.push(await heldTeam(ctx, id))
  const linked = await ctx.tx.selectFrom('team_projects').select(['team_id', 'project_id']).where('team_id', 'in', ids).execute()
  const touched = [...Map.groupBy(teams, (team) => team.client_id)].map(([client_id, of]) => ({
    client_id,
    projects: linked.filter((row) => of.some((team) => team.id === row.team_id)).map((row) => row.project_id),
  }))
  const { done, effect } = await withEffect(ctx, touched, async () => {
    const left = []
    for (const team of teams) left.push(...(await removeOne(ctx, team)))
    for (const { client_id } of touched) ctx.emit({ noun: 'client', id: client_id, client_id })
    return new Set(left).size
  })
  const projects = new Set(linked.map((row) => row.project_id)).size
  const facts = teams.length === 1 ? { name: teams[0]!.name } : ({ count: teams.length, noun: 'team' } as const)
  return { message: describeEffect(ctx, 'team.remove', facts), data: { users: done, projects }, effect }
}

/** Deletes one team; returns the ids of its members. */
async function removeOne(ctx: Ctx, team: HeldTeam): Promise<number[]> {
  const left = await leaveTeam(ctx, team)
  await unlinkProjects(ctx, team)
  const { id, client_id } = team
  await drop(ctx, 'teams', { subject: 'team', id, change: { noun: 'team', client_id, audience: 'admin' } })
  return left
}

/** One team, with what only it gives access to, and who changed it last. */
async function detailOf(ctx: Ctx, id: number) {
  const team = await teamList.get(ctx, id)
  const members = await ctx.db.selectFrom('team_users').select('user_id').where('team_id', '=', id).execute()
  const ways = await projectAccessOf(
    ctx,
    team,
    members.map((row) => row.user_id),
  )
  const only = members.map(({ user_id }) => ways.onlyHere(user_id))
  const last = await ctx.db
    .selectFrom('history')
    .innerJoin('users', 'users.id', 'actor_id')
    .select(['first_name', 'last_name', 'email'])
    .where('subject', '=', 'team')
    .where('subject_id', '=', id)
    .orderBy('history.id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return {
    ...team,
    only_here: { users: only.filter((projects) => projects.length).length, projects: new Set(only.flat()).size },
    updated_by: last ? fullName(last) : '',
  }
}

async function grid(ctx: Ctx<In<'team.grid'>>) {
  const team = await teamList.row(ctx, ctx.input.id)
  const at = <T>(rows: readonly T[]) => (ctx.input.all === '1' ? rows.slice(0, 500) : rows.slice(0, GRID))
  const members = new Set(
    (await ctx.db.selectFrom('team_users').select('user_id').where('team_id', '=', team.id).execute()).map((row) => row.user_id),
  )
  const users = await ctx.db
    .selectFrom('users')
    .select(['id', 'first_name', 'last_name', 'email'])
    .where('deleted_at', 'is', null)
    .where('role', '=', 'client')
    .where((eb) =>
      eb.or([
        eb('id', 'in', eb.selectFrom('user_clients').select('user_id').where('client_id', '=', team.client_id)),
        eb('id', 'in', eb.selectFrom('team_users').select('user_id').where('team_id', '=', team.id)),
      ]),
    )
    .orderBy(byText(ctx.db, 'last_name'))
    .orderBy(byText(ctx.db, 'first_name'))
    .orderBy('id')
    .execute()
  const first = <T>(rows: readonly T[], which: (row: T) => boolean) => [
    ...rows.filter(which),
    ...rows.filter((row) => !which(row)),
  ]
  const people = at(first(users, (user) => members.has(user.id)))
  const ways = await projectAccessOf(
    ctx,
    team,
    people.map((user) => user.id),
  )
  const projects = at(first(ways.projects, (project) => project.linked))
  return {
    data: {
      users: people.map((user) => ({ id: user.id, name: fullName(user), on_team: members.has(user.id) })),
      projects: projects.map(({ id, name, linked }) => ({ id, name, linked })),
      cells: people.map((user) => projects.map((project) => ways.of(user.id, project.id).why)),
      users_count: users.length,
      projects_count: ways.projects.length,
    },
  }
}

async function usersOf(ctx: Ctx<In<'team.users'>>) {
  const { id, project_id } = ctx.input
  const team = await teamList.row(ctx, id)
  const page = await memberList.page(ctx, ctx.input)
  if (project_id === undefined) return { ...page, project: null }
  const rows = await ctx.db
    .selectFrom('projects')
    .select(['id', 'name', 'client_id'])
    .where('id', '=', project_id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!rows) throw notFound(`Project ${project_id}`)
  const { projects } = await projectAccessOf(ctx, team, [])
  const linked = projects.find((project) => project.id === rows.id)?.linked ?? false
  return { ...page, project: { ...rows, linked, same_client: rows.client_id === team.client_id } }
}

export const teamHandlers: HandlersOf<typeof teamCalls> = {
  'team.list': (ctx) => teamList.page(ctx, ctx.input),
  'team.get': async (ctx) => ({ data: await detailOf(ctx, ctx.input.id) }),
  'team.grid': grid,
  async 'team.history'(ctx) {
    const { id } = ctx.input
    await nameOf(ctx, 'teams', id)
    return historyPage(ctx, 'team', ctx.input)
  },
  'team.users': usersOf,
  async 'team.ofUser'(ctx) {
    const { id, ...filter } = ctx.input
    const user = await ctx.db
      .selectFrom('users')
      .select('id')
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    if (!user) throw notFound('This user')
    const { data, count } = await teamList.page(ctx, { ...filter, column: '', order: 'asc', empty: '', user_id: id })
    return { data: { count, teams: data } }
  },
  async 'team.projects'(ctx) {
    await nameOf(ctx, 'teams', ctx.input.id)
    // Client users can't learn that a team exists unless they are on it.
    const mine = ctx.db.selectFrom('team_users').select('team_id').where('user_id', '=', ctx.actor.id)
    if (!seesAll(ctx.actor) && !(await mine.where('team_id', '=', ctx.input.id).executeTakeFirst())) throw notFound('This team')
    return teamProjectList.page(ctx, ctx.input)
  },
  'team.create': (ctx) => create(ctx, ctx.input),
  'team.edit': edit,
  'team.remove': remove,
  'team.addUsers': addUsers,
  'team.removeUsers': removeUsers,
  async 'team.addProjects'(ctx) {
    const ids = chosen(ctx.input.project_ids, ctx.input.project_id, 'project_ids', MESSAGES.chooseTeamProject)
    const team = await heldTeam(ctx, ctx.input.team_id)
    const touched = { client_id: team.client_id, projects: ids }
    const { done, effect } = await withEffect(ctx, touched, () => linkProjects(ctx, team, ids))
    return {
      data: { team_id: team.id, ...done },
      message: describeEffect(ctx, 'team.addProjects', factsOf('project', done.ids.length, `to “${team.name}”`)),
      effect,
    }
  },
  async 'team.removeProjects'(ctx) {
    const ids = chosen(ctx.input.project_ids, ctx.input.project_id, 'project_ids', MESSAGES.chooseTeamProject)
    const team = await heldTeam(ctx, ctx.input.team_id)
    const touched = { client_id: team.client_id, projects: ids }
    const { done, effect } = await withEffect(ctx, touched, () => unlinkProjects(ctx, team, ids))
    return {
      data: { team_id: team.id, ...done },
      message: describeEffect(ctx, 'team.removeProjects', factsOf('project', done.ids.length, `from “${team.name}”`)),
      effect,
    }
  },
}
