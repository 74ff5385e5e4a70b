import { sql } from 'kysely'
import type { z } from 'zod'
import { allowedActions, CLIENT_RULES } from '../../../contract/access.ts'
import type { Client, clientCalls } from '../../../contract/client.ts'
import type { Ctx } from '../../core/context.ts'
import { matches, offsetOf } from '../../core/listing.ts'
import { notFound } from '../../core/refusal.ts'
import { clientScope } from '../../core/scope.ts'
import { clientCounts, RUNNING } from './counts.ts'

type ListQuery = z.output<(typeof clientCalls)['client.list']['input']>

/** The clients that the caller sees, with their counts. */
export const clientsOf = (ctx: Ctx) => {
  const counts = clientCounts(ctx.actor)
  return ctx.db
    .selectFrom('clients')
    .where(clientScope(ctx.actor))
    .select([
      'clients.id',
      'clients.name',
      'clients.created_at',
      'clients.updated_at',
      'clients.lock_version',
      counts.users_count.as('users_count'),
      counts.teams_count.as('teams_count'),
      counts.projects_count.as('projects_count'),
      counts.campaigns_count.as('campaigns_count'),
      RUNNING.as('running_projects'),
    ])
}

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
    campaigns_count: Number(client.campaigns_count),
    allowed_actions,
    refused_actions: refused_actions as Record<string, string>,
  }
}

/** One client that the caller sees; throws 404. */
export async function clientOf(ctx: Ctx, id: number): Promise<z.input<typeof Client>> {
  const row = await clientsOf(ctx).where('clients.id', '=', id).executeTakeFirst()
  if (!row) throw notFound('This client')
  return shown(ctx, row)
}

function sortOf({ actor }: Pick<Ctx, 'actor'>, { column }: Pick<ListQuery, 'column'>) {
  const counts = clientCounts(actor)
  if (!column || column === 'name') return sql`lower(clients.name)`
  return column in counts ? counts[column as keyof typeof counts] : sql.ref(`clients.${column}`)
}

/** Every id that matches, in the order of the list. */
export async function clientIds(ctx: Ctx, input: Pick<ListQuery, 'search' | 'column' | 'order'>): Promise<number[]> {
  const rows = await ctx.db
    .selectFrom('clients')
    .where(clientScope(ctx.actor))
    .where(matches(ctx.house.database, ['clients.name'], input.search))
    .orderBy(sortOf(ctx, input), input.order)
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
      .orderBy(sortOf(ctx, input), input.order)
      .orderBy('clients.id', input.order)
      .limit(input.per_page)
      .offset(offsetOf(input))
      .execute(),
  ])
  return { data: rows.map((row) => shown(ctx, row)), count: Number(total.count), page: input.page }
}
