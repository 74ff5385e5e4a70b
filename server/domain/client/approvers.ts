import { seesAll } from '../../../contract/actor.ts'
import type { Ctx } from '../../core/context.ts'
import { invalid, notFound } from '../../core/errors.ts'
import { projectScope } from '../../core/scope.ts'
import { byText } from '../../db/foldedText.ts'

const nameOf = (row: { first_name: string; last_name: string; email: string }): string =>
  `${row.first_name} ${row.last_name}`.trim() || row.email

/** The users of some clients, by name, deleted ones left out. */
const usersOf = (ctx: Pick<Ctx, 'db'>, clients: readonly number[]) =>
  ctx.db
    .selectFrom('user_clients')
    .innerJoin('users', 'users.id', 'user_id')
    .innerJoin('clients', 'clients.id', 'client_id')
    .select(['users.id', 'first_name', 'last_name', 'email', 'client_id', 'clients.name as client_name', 'approves'])
    .where('client_id', 'in', [0, ...clients])
    .where('users.deleted_at', 'is', null)
    .where('clients.deleted_at', 'is', null)
    .orderBy(byText(ctx.db, 'clients.name'))
    .orderBy(byText(ctx.db, 'last_name'))
    .orderBy('users.id')

/** Names who decides on a client's quotes, in place of those before; throws a 422 for anybody else's user. */
export async function nameApprovers(
  ctx: Ctx,
  client: { id: number; name: string },
  user_ids: readonly number[],
): Promise<{ name: string; approvers: { id: number; name: string }[] }> {
  const users = await usersOf(ctx, [client.id]).execute()
  const missing = user_ids.filter((id) => !users.some((user) => user.id === id))
  if (missing.length) throw invalid('user_ids', `user_ids has somebody who isn’t a user of ${client.name}: ${missing.join(', ')}`)
  const chosen = (approves: (user: { id: number; approves: number }) => boolean) => users.filter(approves)
  const named = chosen(({ id }) => user_ids.includes(id))
  for (const user of users) {
    const approves = user_ids.includes(user.id) ? 1 : 0
    if (approves === user.approves) continue
    await ctx.tx
      .updateTable('user_clients')
      .set({ approves })
      .where('user_id', '=', user.id)
      .where('client_id', '=', client.id)
      .execute()
  }
  const [was, is] = [chosen((user) => user.approves === 1), named].map((people) => people.map(nameOf).join(', '))
  if (was !== is)
    await ctx.record({ subject: 'client', subject_id: client.id, before: { approvers: was }, after: { approvers: is } })
  ctx.emit({ noun: 'client', id: client.id, client_id: client.id })
  return { name: client.name, approvers: named.map((user) => ({ id: user.id, name: nameOf(user) })) }
}

/** The people of the caller's clients, or of one that an administrator names; throws 404 for another client. */
export async function colleaguesOf(ctx: Ctx, client_id: number | undefined) {
  const own = ctx.db.selectFrom('user_clients').select('client_id').where('user_id', '=', ctx.actor.id)
  const clients = seesAll(ctx.actor)
    ? client_id === undefined
      ? []
      : [client_id]
    : (await own.execute()).map((row) => row.client_id).filter((id) => client_id === undefined || id === client_id)
  if (seesAll(ctx.actor) && client_id === undefined) throw invalid('client_id', 'client_id is required')
  if (client_id !== undefined && !clients.length) throw notFound(`Client ${client_id}`)
  const people = await usersOf(ctx, clients).execute()
  const teams = await ctx.db
    .selectFrom('team_users')
    .innerJoin('teams', 'teams.id', 'team_id')
    .select(['user_id', 'client_id', 'teams.name'])
    .where('client_id', 'in', [0, ...clients])
    .where('teams.deleted_at', 'is', null)
    .orderBy(byText(ctx.db, 'teams.name'))
    .execute()
  const named = new Set(people.filter((one) => one.approves === 1).map((one) => one.client_id))
  const projects = ctx.db
    .selectFrom('projects')
    .select((eb) => ['client_id', eb.fn.countAll<number>().as('projects')])
    .where('client_id', 'in', [0, ...clients])
    .where('deleted_at', 'is', null)
    .where('parent_id', 'is', null)
    // Of the projects that the caller sees, so that the count betrays no other.
    .where(projectScope(ctx.actor))
    .groupBy('client_id')
  const all = new Map((await projects.execute()).map((row) => [row.client_id, Number(row.projects)]))
  const seen = new Map<number, Map<number, number>>()
  for (const id of new Set(people.map((one) => one.id))) {
    const rows = await projects.where(projectScope({ id, role: 'client', admin_id: null })).execute()
    seen.set(id, new Map(rows.map((row) => [row.client_id, Number(row.projects)])))
  }
  return people.map((one) => ({
    id: one.id,
    name: nameOf(one),
    email: one.email,
    client_id: one.client_id,
    client_name: one.client_name,
    teams: teams.filter((team) => team.user_id === one.id && team.client_id === one.client_id).map((team) => team.name),
    approves: one.approves === 1 || !named.has(one.client_id),
    projects_count: seen.get(one.id)?.get(one.client_id) ?? 0,
    of_projects: all.get(one.client_id) ?? 0,
  }))
}
