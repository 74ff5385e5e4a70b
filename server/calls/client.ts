import { denialOf } from '../../contract/access.ts'
import type { clientCalls } from '../../contract/client.ts'
import { MESSAGES } from '../../contract/messages.ts'
import { effectOf, sentenceOf } from '../../contract/writeEffects.ts'
import { drop } from '../core/change.ts'
import type { Ctx } from '../core/context.ts'
import { describeEffect } from '../core/describeEffect.ts'
import { assertAllowed, notFound } from '../core/errors.ts'
import type { HandlersOf } from '../core/handler.ts'
import { locked } from '../db/locked.ts'
import { colleaguesOf, nameApprovers } from '../domain/client/approvers.ts'
import { clientList } from '../domain/client/list.ts'
import { clientGroups, clientTeams } from '../domain/client/teamsAndGroups.ts'
import { crud } from '../domain/crud.ts'
import { doubledNames, refuseTakenName } from '../domain/names.ts'
import { editGroup } from '../domain/place/groups.ts'
import { withEffect } from '../domain/team/effect.ts'
import { userList } from '../domain/user/list.ts'
import { fullName, userRow } from '../domain/user/records.ts'
import { assertTeams, chosen, clientUsers, heldClient, joinClient, leaveClients, rejoinClients } from './user/memberships.ts'

/** Restores a deleted row; the history keeps the deletion and the restore. */
async function restored(
  ctx: Ctx,
  table: 'clients' | 'teams',
  row: { subject: 'client' | 'team'; id: number; deleted_at: string; lock_version: number; client_id?: number },
): Promise<void> {
  const { subject, id, deleted_at, lock_version, client_id = id } = row
  await ctx.tx
    .updateTable(table)
    .set({ deleted_at: null, updated_at: ctx.now, lock_version: lock_version + 1 })
    .where('id', '=', id)
    .execute()
  await ctx.record({ subject, subject_id: id, before: { deleted_at }, after: { deleted_at: null } })
  ctx.emit({ noun: subject, id, client_id })
}

const clients = crud('client', {
  table: 'clients',
  list: clientList,
  event: ({ id }) => ({ client_id: id }),
})

export const clientHandlers: HandlersOf<typeof clientCalls> = {
  ...clients,
  'client.dropdown': (ctx) => clientList.dropdown(ctx),
  'client.groups': clientGroups,
  'client.locationGroups': clientGroups,
  'client.teams': clientTeams,
  async 'client.users'(ctx) {
    const { id } = await clientList.get(ctx, ctx.input.id)
    return userList.page(ctx, { ...ctx.input, client_id: id })
  },
  async 'client.doubles'(ctx) {
    const data = await doubledNames(ctx.db)
    return { data, count: data.length, page: 1 }
  },
  async 'client.remove'(ctx) {
    const { id } = ctx.input
    const { name } = await heldClient(ctx, id)
    const row = await clientList.row(ctx, id)
    assertAllowed(denialOf('client.remove', ctx.actor, { running_projects: Number(row.running_projects) }))
    const left = await leaveClients(ctx, { client_id: id })
    const teams = await ctx.tx
      .selectFrom('teams')
      .select('id')
      .where('client_id', '=', id)
      .where('deleted_at', 'is', null)
      .execute()
    for (const team of teams) await drop(ctx, 'teams', { subject: 'team', id: team.id, change: { noun: 'team', client_id: id } })
    await drop(ctx, 'clients', { subject: 'client', id, change: { noun: 'client', client_id: id } })
    const users = new Set(left.map((one) => one.user_id)).size
    return { message: describeEffect(ctx, 'client.remove', { name }), data: { users, teams: teams.length } }
  },
  async 'client.restore'(ctx) {
    const { id } = ctx.input
    const query = ctx.tx.selectFrom('clients').selectAll().where('id', '=', id).where('deleted_at', 'is not', null)
    const row = await locked(ctx.services.database, query).executeTakeFirst()
    if (!row?.deleted_at) throw notFound('This deleted client')
    await refuseTakenName(ctx, 'client', { id, name: row.name })
    // Restores only teams deleted by the same write, which have its time; those deleted earlier stay deleted.
    const teams = await ctx.tx
      .selectFrom('teams')
      .select(['id', 'lock_version'])
      .where('client_id', '=', id)
      .where('deleted_at', '=', row.deleted_at)
      .execute()
    await restored(ctx, 'clients', { subject: 'client', id, deleted_at: row.deleted_at, lock_version: row.lock_version })
    for (const team of teams)
      await restored(ctx, 'teams', { subject: 'team', deleted_at: row.deleted_at, client_id: id, ...team })
    await rejoinClients(ctx, { client_id: id, ended_at: row.deleted_at })
    return {
      data: await clientList.get(ctx, id),
      message: describeEffect(ctx, 'client.restore', { name: row.name, rest: ', with its users and teams' }),
    }
  },
  async 'client.addUser'(ctx) {
    const { team_ids = [] } = ctx.input
    const ids = chosen(ctx.input.user_ids, ctx.input.user_id, 'user_ids', MESSAGES.chooseUser)
    const at = chosen(ctx.input.client_ids, ctx.input.client_id, 'client_id', MESSAGES.chooseClient).sort((a, b) => a - b)
    const clients: { id: number; name: string }[] = []
    for (const id of at) clients.push(await heldClient(ctx, id))
    const users = await clientUsers(ctx, ids)
    const teams = Map.groupBy(await assertTeams(ctx, at, team_ids), (team) => team.client_id)
    const touched = at.map((client_id) => ({ client_id, users: ids }))
    const { done, effect } = await withEffect(ctx, touched, async () => {
      const added = new Set<number>()
      for (const user_id of ids)
        for (const client_id of at) {
          const of = teams.get(client_id)?.map((team) => team.id)
          if (await joinClient(ctx, { user_id, client_id, team_ids: of })) added.add(user_id)
        }
      return [...added]
    })
    const where = clients.length === 1 ? clients[0]!.name : `${clients.length} clients`
    const about = users.length > 1 ? ({ count: done.length, noun: 'user' } as const) : { name: fullName(users[0]!), kind: 'user' }
    const message =
      users.length > 1 || done.length
        ? describeEffect(ctx, 'client.addUser', { ...about, rest: ` to ${where}` })
        : sentenceOf(effectOf('client.hasUser'), { ...about, rest: ` ${where}` }, 'after')
    return { message, data: { added: done.length > 0, ids: done, unchanged: ids.length - done.length }, effect }
  },
  async 'client.removeUser'(ctx) {
    const { client_id } = ctx.input
    const ids = chosen(ctx.input.user_ids, ctx.input.user_id, 'user_ids', MESSAGES.chooseUser)
    const client = await heldClient(ctx, client_id)
    const users = await Promise.all(ids.map((id) => userRow(ctx.tx, { id })))
    const { done, effect } = await withEffect(ctx, { client_id, users: ids }, async () => {
      const left = []
      for (const user_id of ids) left.push(...(await leaveClients(ctx, { user_id, client_id })))
      return left
    })
    const about = users.length > 1 ? ({ count: done.length, noun: 'user' } as const) : { name: fullName(users[0]!), kind: 'user' }
    const message =
      users.length > 1 || done.length
        ? describeEffect(ctx, 'client.removeUser', { ...about, rest: ` from ${client.name}` })
        : sentenceOf(effectOf('client.hasNoUser'), { ...about, rest: ` ${client.name}` }, 'after')
    const team_ids = [...new Set(done.flatMap((one) => one.teams))]
    return { message, data: { removed: done.length > 0, ids: done.map((one) => one.user_id), team_ids }, effect }
  },
  async 'client.setApprovers'(ctx) {
    const { id, user_ids } = ctx.input
    const client = await heldClient(ctx, id)
    const { name, approvers } = await nameApprovers(ctx, client, user_ids)
    const names = approvers.map((one) => one.name).join(', ')
    const message = names
      ? describeEffect(ctx, 'client.setApprovers', {
          name: names,
          kind: 'user',
          several: approvers.length > 1,
          rest: ` on the quotes of ${name}`,
        })
      : describeEffect(ctx, 'client.setApprovers', { words: [`every user of ${name}`, 'users'], rest: ' on its quotes' })
    return { message, data: { approvers } }
  },
  async 'client.colleagues'(ctx) {
    const data = await colleaguesOf(ctx, ctx.input.client_id)
    return { data, count: data.length, page: 1 }
  },
  'client.editLocationGroup': editGroup,
}
