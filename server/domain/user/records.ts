import type { z } from 'zod'
import { allowedActions } from '../../../contract/access.ts'
import { type Actor, seesAll } from '../../../contract/actor.ts'
import { ageOn } from '../../../contract/birth.ts'
import type { UserFacts } from '../../../contract/recordAccess.ts'
import type { Me } from '../../../contract/session.ts'
import { ROLE_IDS, type User } from '../../../contract/user.ts'
import type { Caller, Ctx, UserRow } from '../../core/context.ts'
import { notFound } from '../../core/errors.ts'
import type { Db } from '../../db/connect.ts'
import { byText } from '../../db/foldedText.ts'

type Spelling = keyof typeof ROLE_IDS
export type UserRecord = z.input<typeof User>

export const fullName = (user: Pick<UserRow, 'first_name' | 'last_name' | 'email'>): string =>
  `${user.first_name} ${user.last_name}`.trim() || user.email

/** Ids of administrators who can sign in; the last one can't be deleted or demoted. */
export async function activeAdmins(db: Db): Promise<number[]> {
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'admin')
    .where('status', '=', 'active')
    .where('deleted_at', 'is', null)
    .execute()
  return rows.map((row) => row.id)
}

/** The facts about a user that the access rules need. */
export const paneStateOf = (user: UserRow, admins: readonly number[]): UserFacts => ({
  id: user.id,
  role: user.role,
  status: user.status,
  last_admin: admins.length === 1 && admins[0] === user.id,
  pending: user.pending_email !== null,
  needs_approval: needsApproval(user),
  asked_by: user.pending_email_by,
})

/** In `pending_email_proven`: a new email that needs no approval any more, and one that needs it in any role. */
export const PROVEN = 1
export const NEEDS_APPROVAL = 2
type NewEmail = Pick<UserRow, 'role' | 'pending_email' | 'pending_email_proven'>

/** Whether a second administrator has to approve a user's new address, as they haven't given their own password. */
export const needsApproval = ({ pending_email, pending_email_proven: proven, ...user }: NewEmail): boolean =>
  pending_email !== null && proven !== PROVEN && (seesAll(user) || proven === NEEDS_APPROVAL)

/** Users in either spelling, with the caller's allowed actions on each. */
export async function userRecords(
  db: Db,
  actor: Actor,
  today: string,
  rows: readonly UserRow[],
  spelling: Spelling = 'v3',
): Promise<UserRecord[]> {
  if (!rows.length) return []
  const ids = rows.map((row) => row.id)
  const [memberships, onTeams, seen, admins] = await Promise.all([
    db
      .selectFrom('user_clients')
      .innerJoin('clients', 'clients.id', 'user_clients.client_id')
      .select(['user_clients.user_id', 'clients.id', 'clients.name'])
      .where('user_clients.user_id', 'in', ids)
      .where('clients.deleted_at', 'is', null)
      .orderBy('clients.id')
      .execute(),
    db
      .selectFrom('team_users')
      .innerJoin('teams', 'teams.id', 'team_users.team_id')
      .select(['team_users.user_id', 'teams.id', 'teams.name'])
      .where('team_users.user_id', 'in', ids)
      .where('teams.deleted_at', 'is', null)
      .orderBy(byText(db, 'teams.name'))
      .execute(),
    db
      .selectFrom('sessions')
      .select((eb) => ['user_id', eb.fn.max('last_seen_at').as('at')])
      .where('user_id', 'in', ids)
      .where('admin_id', 'is', null)
      .groupBy('user_id')
      .execute(),
    activeAdmins(db),
  ])
  const clients = Map.groupBy(memberships, (row) => row.user_id)
  const teams = Map.groupBy(onTeams, (row) => row.user_id)
  const lastSeen = new Map(seen.map((row) => [row.user_id, row.at]))
  return rows.map((row) => {
    const own = (clients.get(row.id) ?? []).map(({ id, name }) => ({ id, name }))
    const { allowed_actions, refused_actions } = allowedActions('user', actor, paneStateOf(row, admins))
    return {
      id: row.id,
      first_name: row.first_name,
      last_name: row.last_name,
      name: fullName(row),
      phone: row.phone,
      email: row.email,
      pending_email: row.pending_email,
      pending_email_needs_approval: needsApproval(row),
      role: row.role,
      role_id: ROLE_IDS[spelling][row.role],
      status: row.status,
      company_id: own[0]?.id ?? null,
      company_name: own[0]?.name ?? row.company,
      company: row.company,
      clients: own,
      teams: (teams.get(row.id) ?? []).map(({ id, name }) => ({ id, name })),
      birth_date: row.birth_date,
      age: row.birth_date ? ageOn(row.birth_date, today) : null,
      last_seen_at: lastSeen.get(row.id) ?? null,
      created_at: row.created_at,
      updated_at: row.updated_at,
      lock_version: row.lock_version,
      allowed_actions,
      refused_actions: refused_actions as Record<string, string>,
    }
  })
}

/** A user who isn't deleted; throws 404. */
export async function userRow(db: Db, where: { id: number } | { email: string }): Promise<UserRow> {
  const query = db.selectFrom('users').selectAll().where('deleted_at', 'is', null)
  const row = await ('id' in where ? query.where('id', '=', where.id) : query.where('email', '=', where.email)).executeTakeFirst()
  if (!row) throw notFound('This user')
  return row
}

/** A user as the caller sees them. */
export async function userRecord(ctx: Ctx, row: UserRow, spelling: Spelling = 'v3'): Promise<UserRecord> {
  const [record] = await userRecords(ctx.db, ctx.actor, ctx.today, [row], spelling)
  return record!
}

/** The signed-in user in full: preferences, a due password change, and the admin acting as them. */
export async function meOf(
  db: Db,
  today: string,
  caller: Pick<Caller, 'user' | 'actor'> & { session: { id: number } | null },
  spelling: Spelling = 'v3',
): Promise<z.input<typeof Me>> {
  const user = caller.user!
  const [record] = await userRecords(db, caller.actor!, today, [user], spelling)
  const acting =
    caller.actor?.admin_id && caller.session
      ? await db
          .selectFrom('sessions')
          .innerJoin('users', 'users.id', 'sessions.admin_id')
          .select(['users.id', 'users.first_name', 'users.last_name', 'users.email', 'sessions.reason', 'sessions.expires_at'])
          .where('sessions.id', '=', caller.session.id)
          .executeTakeFirst()
      : undefined
  return {
    ...record!,
    preferences: preferencesOf(user),
    must_change_password: user.must_change_password === 1,
    acting: acting
      ? { admin_id: acting.id, admin_name: fullName(acting), reason: acting.reason ?? '', expires_at: acting.expires_at }
      : null,
  }
}

/** A user's preferences; invalid text counts as none. */
export function preferencesOf(user: Pick<UserRow, 'preferences'>): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(user.preferences)
    return value && typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
