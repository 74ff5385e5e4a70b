import { sql } from 'kysely'
import type { z } from 'zod'
import { allowedActions, CLIENT_RULES } from '../contract/access.ts'
import type { Client, clientCalls } from '../contract/client.ts'
import { change } from './change.ts'
import { clientGroups, clientTeams, editGroup } from './client/parts.ts'
import type { Ctx } from './context.ts'
import { matches, offsetOf } from './listing.ts'
import type { HandlersOf } from './mount.ts'
import { must, notFound, Refusal } from './refusal.ts'
import { clientScope } from './scope.ts'
import { fullName, listUsers, userRow } from './user/records.ts'

const count = (from: string) => sql<number>`(select count(*) from ${sql.raw(from)})`
const COUNTS = {
  users_count: count(
    'user_clients join users on users.id = user_clients.user_id where user_clients.client_id = clients.id and users.deleted_at is null',
  ),
  teams_count: count('teams where teams.client_id = clients.id and teams.deleted_at is null'),
  projects_count: count('projects where projects.client_id = clients.id and projects.deleted_at is null'),
  running_projects: count(
    "projects where projects.client_id = clients.id and projects.deleted_at is null and projects.status not in ('completed', 'reporting', 'rejected')",
  ),
}
type ListQuery = z.output<(typeof clientCalls)['client.list']['input']>

/** The clients that the caller sees, with their counts. */
const clientsOf = (ctx: Ctx) =>
  ctx.db
    .selectFrom('clients')
    .where(clientScope(ctx.actor))
    .select([
      'clients.id',
      'clients.name',
      'clients.created_at',
      'clients.updated_at',
      'clients.lock_version',
      ...Object.entries(COUNTS).map(([name, figure]) => figure.as(name as keyof typeof COUNTS)),
    ])

function shown(
  ctx: Ctx,
  row: Awaited<ReturnType<ReturnType<typeof clientsOf>['executeTakeFirstOrThrow']>>,
): z.input<typeof Client> {
  const { running_projects, ...client } = row
  const { allowed_actions, refused_actions } = allowedActions(CLIENT_RULES, ctx.actor, {
    running_projects: Number(running_projects),
  })
  return {
    ...client,
    users_count: Number(client.users_count),
    teams_count: Number(client.teams_count),
    projects_count: Number(client.projects_count),
    allowed_actions,
    refused_actions: refused_actions as Record<string, string>,
  }
}

/** One client that the caller sees; throws 404. */
async function clientOf(ctx: Ctx, id: number): Promise<z.input<typeof Client>> {
  const row = await clientsOf(ctx).where('clients.id', '=', id).executeTakeFirst()
  if (!row) throw notFound('This client')
  return shown(ctx, row)
}

const sortOf = ({ column }: Pick<ListQuery, 'column'>) =>
  !column || column === 'name'
    ? sql`lower(clients.name)`
    : column in COUNTS
      ? COUNTS[column as keyof typeof COUNTS]
      : sql.ref(`clients.${column}`)

/** Every id that matches, in the order of the list. */
export async function clientIds(ctx: Ctx, input: Pick<ListQuery, 'search' | 'column' | 'order'>): Promise<number[]> {
  const rows = await ctx.db
    .selectFrom('clients')
    .where(clientScope(ctx.actor))
    .where(matches(ctx.house.database, ['clients.name'], input.search))
    .orderBy(sortOf(input), input.order)
    .orderBy('clients.id', input.order)
    .select('clients.id')
    .execute()
  return rows.map((row) => row.id)
}

/** A page of the clients that match; `count` is of all that do. */
export async function listClients(ctx: Ctx, input: ListQuery) {
  const found = matches(ctx.house.database, ['clients.name'], input.search)
  const [total, rows] = await Promise.all([
    ctx.db
      .selectFrom('clients')
      .where(clientScope(ctx.actor))
      .where(found)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow(),
    clientsOf(ctx)
      .where(found)
      .orderBy(sortOf(input), input.order)
      .orderBy('clients.id', input.order)
      .limit(input.per_page)
      .offset(offsetOf(input))
      .execute(),
  ])
  return { data: rows.map((row) => shown(ctx, row)), count: Number(total.count), page: input.page }
}

export const clientHandlers: HandlersOf<typeof clientCalls> = {
  'client.list': (ctx) => listClients(ctx, ctx.input),
  'client.listAll': (ctx) => listClients(ctx, ctx.input),
  async 'client.dropdown'(ctx) {
    const data = await ctx.db
      .selectFrom('clients')
      .select(['id', 'name'])
      .where('deleted_at', 'is', null)
      .orderBy(sql`lower(name)`)
      .orderBy('id')
      .execute()
    return { data, count: data.length, page: 1 }
  },
  'client.get': async (ctx) => ({ data: await clientOf(ctx, ctx.input.id) }),
  'client.groups': clientGroups,
  'client.locationGroups': clientGroups,
  'client.teams': clientTeams,
  async 'client.users'(ctx) {
    const { id } = await clientOf(ctx, ctx.input.id)
    return listUsers(ctx, ctx.input, { client_id: id })
  },
  async 'client.create'(ctx) {
    const { id } = await ctx.tx
      .insertInto('clients')
      .values({ name: ctx.input.name, created_at: ctx.now, updated_at: ctx.now, deleted_at: null })
      .returning('id')
      .executeTakeFirstOrThrow()
    await ctx.record({ subject: 'client', subject_id: id, after: { name: ctx.input.name } })
    ctx.emit({ noun: 'client', id, client_id: id })
    return { data: await clientOf(ctx, id), message: 'Client created.' }
  },
  async 'client.edit'(ctx) {
    const { id, name, lock_version } = ctx.input
    await change(ctx, 'clients', {
      subject: 'client',
      id,
      patch: { name },
      lock: lock_version,
      change: { noun: 'client', client_id: id },
    })
    return { data: await clientOf(ctx, id), message: 'Client updated.' }
  },
  async 'client.remove'(ctx) {
    const { id } = ctx.input
    const row = await clientsOf(ctx).where('clients.id', '=', id).executeTakeFirst()
    if (!row) throw notFound('This client')
    must(CLIENT_RULES['client.remove'](ctx.actor, { running_projects: Number(row.running_projects) }))
    await change(ctx, 'clients', {
      subject: 'client',
      id,
      patch: { deleted_at: ctx.now },
      change: { noun: 'client', client_id: id, kind: 'drop' },
    })
    const teams = await ctx.tx
      .selectFrom('teams')
      .select('id')
      .where('client_id', '=', id)
      .where('deleted_at', 'is', null)
      .execute()
    for (const team of teams)
      await change(ctx, 'teams', {
        subject: 'team',
        id: team.id,
        patch: { deleted_at: ctx.now },
        change: { noun: 'team', client_id: id, kind: 'drop' },
      })
    return { message: `${row.name} was deleted.` }
  },
  async 'client.addUser'(ctx) {
    const client = await clientOf(ctx, ctx.input.client_id)
    const user = await userRow(ctx.tx, { id: ctx.input.user_id })
    if (user.role !== 'client')
      throw new Refusal(409, 'not_now', 'Only client users belong to a client: this one is an administrator.')
    const added = await ctx.tx
      .insertInto('user_clients')
      .values({ user_id: user.id, client_id: client.id })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    if (Number(added.numInsertedOrUpdatedRows ?? 0) === 0)
      return { message: `${fullName(user)} belongs to ${client.name} already.` }
    await ctx.record({ subject: 'client', subject_id: client.id, after: { user: fullName(user), user_id: user.id } })
    ctx.emit({ noun: 'client', id: client.id, client_id: client.id })
    ctx.emit({ noun: 'user', id: user.id, audience: 'admin' })
    ctx.emit({ noun: 'account', id: user.id, audience: 'user', user_id: user.id })
    return { message: `${fullName(user)} was added to ${client.name}.` }
  },
  'client.editLocationGroup': editGroup,
}
