import { seesAll } from '../../../contract/actor.ts'
import { MESSAGES } from '../../../contract/messages.ts'
import type { Ctx } from '../../core/context.ts'
import { invalid, notFound } from '../../core/errors.ts'
import { insertMany, type Tx } from '../../db/connect.ts'
import { locked } from '../../db/locked.ts'
import { fullName } from '../../domain/user/records.ts'

/** Selects memberships of one user, of one client, or of one user at one client. */
export type Whose = { user_id: number; client_id?: number } | { user_id?: number; client_id: number }
type Writing = Pick<Ctx, 'tx' | 'now' | 'caller' | 'record' | 'emit'>
/** A user at a client, with the client's teams they are on. */
interface Membership {
  user_id: number
  client_id: number
  teams: number[]
}

/** Locks a client until the commit, so that no one joins while it is deleted; throws 404. */
export async function heldClient(ctx: Pick<Ctx, 'tx' | 'services'>, id: number): Promise<{ id: number; name: string }> {
  const query = ctx.tx.selectFrom('clients').select(['id', 'name']).where('id', '=', id).where('deleted_at', 'is', null)
  const row = await locked(ctx.services.database, query).executeTakeFirst()
  if (!row) throw notFound('This client')
  return row
}

export type HeldTeam = { id: number; name: string; client_id: number }

/** A team and its client, locked until the commit; throws 404. */
export async function heldTeam(ctx: Pick<Ctx, 'tx' | 'services'>, id: number): Promise<HeldTeam> {
  const query = ctx.tx
    .selectFrom('teams')
    .select(['id', 'name', 'client_id'])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
  const team = await locked(ctx.services.database, query).executeTakeFirst()
  if (!team) throw notFound('This team')
  await heldClient(ctx, team.client_id)
  return team
}

/** The ids that a write names, as a list or a single one; throws a 422 without any. */
export function chosen(ids: readonly number[] | undefined, id: number | undefined, field: string, missing: string): number[] {
  const all = [...new Set([...(ids ?? []), ...(id === undefined ? [] : [id])])]
  if (!all.length) throw invalid(field, missing)
  return all
}

/** Client users of these ids; throws a 404 for one that isn't there and a 422 for an administrator. */
export async function clientUsers(ctx: Pick<Ctx, 'tx'>, ids: readonly number[]) {
  const users = await ctx.tx.selectFrom('users').selectAll().where('id', 'in', ids).where('deleted_at', 'is', null).execute()
  const strange = ids.find((id) => !users.some((user) => user.id === id))
  if (strange !== undefined) throw notFound(`User ${strange}`)
  if (users.some(seesAll)) throw invalid('user_ids', MESSAGES.everything)
  return users
}

/** Teams of these clients, each with its client; throws a 422 that names the first one that isn't theirs. */
export async function assertTeams(ctx: Pick<Ctx, 'tx'>, clients: readonly number[], team_ids: readonly number[]) {
  if (!team_ids.length) return []
  const rows = await ctx.tx
    .selectFrom('teams')
    .select(['id', 'client_id'])
    .where('id', 'in', team_ids)
    .where('client_id', 'in', clients.length ? [...clients] : [0])
    .where('deleted_at', 'is', null)
    .execute()
  const strange = team_ids.find((id) => !rows.some((row) => row.id === id))
  if (strange !== undefined)
    throw invalid(
      'team_ids',
      `team_ids: ${clients.length > 1 ? 'none of these clients has a' : 'this client has no'} team ${strange}`,
    )
  return rows
}

/**
 * Removes users from clients and their teams, which hides at once what they could see there.
 * Records history and changes, and returns the ended memberships.
 * `rejoinClients` restores them by the time of this write.
 */
export async function leaveClients(ctx: Writing, whose: Whose): Promise<Membership[]> {
  const { user_id, client_id } = whose
  let onTeams = ctx.tx.deleteFrom('team_users').returning(['team_id', 'user_id'])
  if (user_id !== undefined) onTeams = onTeams.where('user_id', '=', user_id)
  if (client_id !== undefined)
    onTeams = onTeams.where('team_id', 'in', (eb) => eb.selectFrom('teams').select('id').where('client_id', '=', client_id))
  const teams = await onTeams.execute()
  let atClients = ctx.tx.deleteFrom('user_clients').returning(['client_id', 'user_id'])
  if (user_id !== undefined) atClients = atClients.where('user_id', '=', user_id)
  if (client_id !== undefined) atClients = atClients.where('client_id', '=', client_id)
  const clients = await atClients.execute()
  const owners = await ownersOf(
    ctx.tx,
    teams.map((row) => row.team_id),
  )
  const ended = [
    ...clients.map((row) => ({ ...row, team_id: null })),
    ...teams.map((row) => ({ ...row, client_id: owners.get(row.team_id)! })),
  ].map(({ user_id, client_id, team_id }) => ({ user_id, client_id, team_id, ended_at: ctx.now }))
  await insertMany(ctx.tx, 'ended_memberships', ended)
  return recordMemberships(ctx, ended, 'before')
}

/**
 * Restores the memberships that `leaveClients` ended at a given time, and returns them.
 * Skips users who were deleted or became administrators since, and deleted clients and teams.
 */
export async function rejoinClients(ctx: Writing, whose: Whose & { ended_at: string }): Promise<Membership[]> {
  let query = ctx.tx
    .selectFrom('ended_memberships as ended')
    .innerJoin('users', 'users.id', 'ended.user_id')
    .innerJoin('clients', 'clients.id', 'ended.client_id')
    .leftJoin('teams', 'teams.id', 'ended.team_id')
    .select(['ended.id', 'ended.user_id', 'ended.client_id', 'ended.team_id'])
    .where('ended.ended_at', '=', whose.ended_at)
    .where('users.deleted_at', 'is', null)
    .where('users.role', '=', 'client')
    .where('clients.deleted_at', 'is', null)
    .where('teams.deleted_at', 'is', null)
  if (whose.user_id !== undefined) query = query.where('ended.user_id', '=', whose.user_id)
  if (whose.client_id !== undefined) query = query.where('ended.client_id', '=', whose.client_id)
  const rows = await query.orderBy('ended.id').execute()
  if (!rows.length) return []
  await join(ctx, rows)
  await ctx.tx
    .deleteFrom('ended_memberships')
    .where(
      'id',
      'in',
      rows.map((row) => row.id),
    )
    .execute()
  return recordMemberships(ctx, rows, 'after')
}

/** Adds a user to a client and some of its teams; returns what was added, or null if nothing was. */
export async function joinClient(
  ctx: Writing,
  { user_id, client_id, team_ids = [] }: { user_id: number; client_id: number; team_ids?: readonly number[] | undefined },
): Promise<Membership | null> {
  const [known, on] = await Promise.all([
    ctx.tx.selectFrom('user_clients').select('client_id').where('user_id', '=', user_id).execute(),
    ctx.tx.selectFrom('team_users').select('team_id').where('user_id', '=', user_id).execute(),
  ])
  const teams = team_ids.filter((id) => !on.some((row) => row.team_id === id))
  const rows = [
    ...(known.some((row) => row.client_id === client_id) ? [] : [{ user_id, client_id, team_id: null }]),
    ...teams.map((team_id) => ({ user_id, client_id, team_id })),
  ]
  await join(ctx, rows)
  const [made] = await recordMemberships(ctx, rows, 'after')
  return made ?? null
}

/** Records in a team's history which users or projects it has gained or lost. */
export async function noteLinks(
  ctx: Pick<Ctx, 'record'>,
  team: HeldTeam,
  what: 'users' | 'projects',
  way: 'before' | 'after',
  names: readonly string[],
) {
  if (names.length) await ctx.record({ subject: 'team', subject_id: team.id, [way]: { [what]: names } })
}

/** Adds users to a team, and to its client where needed; returns who is new on each. */
export async function joinTeam(
  ctx: Writing,
  { id, client_id }: { id: number; client_id: number },
  user_ids: readonly number[],
): Promise<{ added: number[]; joined: number[] }> {
  const [known, on] = await Promise.all([
    ctx.tx
      .selectFrom('user_clients')
      .select('user_id')
      .where('client_id', '=', client_id)
      .where('user_id', 'in', user_ids)
      .execute(),
    ctx.tx.selectFrom('team_users').select('user_id').where('team_id', '=', id).where('user_id', 'in', user_ids).execute(),
  ])
  const joined = user_ids.filter((user) => !known.some((row) => row.user_id === user))
  const added = user_ids.filter((user) => !on.some((row) => row.user_id === user))
  const rows = [
    ...joined.map((user_id) => ({ user_id, client_id, team_id: null })),
    ...added.map((user_id) => ({ user_id, client_id, team_id: id })),
  ]
  await join(ctx, rows)
  await recordMemberships(ctx, rows, 'after')
  return { added, joined }
}

/** Removes users from a team, but not from its client; returns those who were on it. */
export async function leaveTeam(
  ctx: Writing,
  { id, client_id }: { id: number; client_id: number },
  user_ids?: readonly number[],
): Promise<number[]> {
  let query = ctx.tx.deleteFrom('team_users').returning('user_id').where('team_id', '=', id)
  if (user_ids) query = query.where('user_id', 'in', user_ids)
  const left = (await query.execute()).map((row) => row.user_id)
  await recordMemberships(
    ctx,
    left.map((user_id) => ({ user_id, client_id, team_id: id })),
    'before',
  )
  return left
}

type Row = { user_id: number; client_id: number; team_id: number | null }

async function join({ tx, now, caller }: Writing, rows: readonly Row[]): Promise<void> {
  const clients = rows.filter((row) => row.team_id === null).map(({ user_id, client_id }) => ({ user_id, client_id }))
  const teams = rows.flatMap(({ user_id, team_id }) =>
    team_id === null ? [] : [{ team_id, user_id, added_by: caller.actor?.id ?? null, added_at: now }],
  )
  await insertMany(tx, 'user_clients', clients, 'skip')
  await insertMany(tx, 'team_users', teams, 'skip')
}

const ownersOf = async (tx: Tx, teams: readonly number[]): Promise<Map<number, number>> =>
  new Map(
    (teams.length
      ? await tx
          .selectFrom('teams')
          .select(['id', 'client_id'])
          .where('id', 'in', [...new Set(teams)])
          .execute()
      : []
    ).map((team) => [team.id, team.client_id]),
  )

/** Writes the history of started or ended memberships, and emits a change to everybody they affect. */
async function recordMemberships(ctx: Writing, rows: readonly Row[], side: 'before' | 'after'): Promise<Membership[]> {
  const made = new Map<string, Membership>()
  for (const { user_id, client_id, team_id } of rows) {
    const key = `${client_id} ${user_id}`
    const one = made.get(key) ?? { user_id, client_id, teams: [] }
    if (team_id !== null) one.teams.push(team_id)
    made.set(key, one)
  }
  const memberships = [...made.values()].sort((a, b) => a.client_id - b.client_id || a.user_id - b.user_id)
  const users = [...new Set(memberships.map((one) => one.user_id))]
  const names = await namesOf(ctx.tx, users)
  for (const { user_id, client_id, teams } of memberships)
    await ctx.record({
      subject: 'client',
      subject_id: client_id,
      [side]: { user: names.get(user_id), user_id, ...(teams.length ? { teams } : {}) },
    })
  for (const client_id of new Set(memberships.map((one) => one.client_id))) ctx.emit({ noun: 'client', id: client_id, client_id })
  for (const team of new Set(memberships.flatMap((one) => one.teams))) ctx.emit({ noun: 'team', id: team, audience: 'admin' })
  for (const id of users) {
    ctx.emit({ noun: 'user', id, audience: 'admin' })
    ctx.emit({ noun: 'account', id, audience: 'user', user_id: id })
  }
  return memberships
}

async function namesOf(tx: Tx, ids: readonly number[]): Promise<Map<number, string>> {
  if (!ids.length) return new Map()
  const rows = await tx.selectFrom('users').select(['id', 'first_name', 'last_name', 'email']).where('id', 'in', ids).execute()
  return new Map(rows.map((row) => [row.id, fullName(row)]))
}
