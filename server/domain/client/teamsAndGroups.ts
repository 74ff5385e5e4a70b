import type { z } from 'zod'
import type { clientCalls } from '../../../contract/client.ts'
import type { Ctx } from '../../core/context.ts'
import { notFound } from '../../core/errors.ts'
import { groupList } from '../place/groupList.ts'
import { teamList } from '../team/lists.ts'

type TeamsQuery = z.output<(typeof clientCalls)['client.teams']['input']>
type GroupsQuery = z.output<(typeof clientCalls)['client.groups']['input']>

/** A client's name; throws 404. */
async function nameOfClient(ctx: Ctx, id: number): Promise<string> {
  const row = await ctx.db
    .selectFrom('clients')
    .select('name')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!row) throw notFound('This client')
  return row.name
}

/** A page of a client's teams. */
export async function clientTeams(ctx: Ctx<TeamsQuery>) {
  const { id, ...listFilter } = ctx.input
  await nameOfClient(ctx, id)
  return teamList.page(ctx, { ...listFilter, client_id: id, empty: '' })
}

/** A page of a client's location groups (its target location lists). */
export async function clientGroups(ctx: Ctx<GroupsQuery>) {
  const { id, ...filter } = ctx.input
  await nameOfClient(ctx, id)
  return groupList.page(ctx, { ...filter, client_id: id, used: '', position: '' })
}
