import type { z } from 'zod'
import { birthFault } from '../../../contract/birth.ts'
import { faultOf } from '../../../contract/fieldKinds.ts'
import { MESSAGES } from '../../../contract/messages.ts'
import type { userCalls } from '../../../contract/user.ts'
import { userFields } from '../../../contract/userFields.ts'
import type { Role } from '../../../contract/vocabulary.ts'
import { change, difference, stale } from '../../core/change.ts'
import type { Ctx, UserRow } from '../../core/context.ts'
import { describeEffect } from '../../core/describeEffect.ts'
import { HttpError, invalid } from '../../core/errors.ts'
import { refuseFaults } from '../../core/refuseFaults.ts'
import { byText } from '../../db/foldedText.ts'

import { locked } from '../../db/locked.ts'
import { activeAdmins, fullName, paneStateOf, userRecord, userRow } from '../../domain/user/records.ts'
import { takeEveryService } from '../../domain/visit/users.ts'
import { tellOwner } from '../../mail/tellOwner.ts'
import { revokeKeysOf } from '../account/keys.ts'
import { endSessions } from '../session/sessions.ts'
import { taken } from './invite.ts'
import { heldClient, joinClient, leaveClients, rejoinClients } from './memberships.ts'
import { emailChange } from './newEmail.ts'

type Input = z.output<(typeof userCalls)['user.edit']['input']>
type Faults = Record<string, string>

/** Locks the administrators until the commit, so that two of them can't delete each other at once. */
export async function heldAdmins(ctx: Ctx): Promise<number[]> {
  await locked(ctx.services.database, ctx.tx.selectFrom('users').select('id').where('role', '=', 'admin').orderBy('id')).execute()
  return activeAdmins(ctx.tx)
}

/**
 * Changes the sent fields of a user (decisions.md 13, "Users"); values equal to the record's change nothing.
 * A new administrator leaves clients and teams; `left_at` of the response, sent back as `rejoin`, restores them.
 */
export async function editUser(ctx: Ctx<Input>) {
  const { id, lock_version, rejoin } = ctx.input
  const user = await userRow(ctx.tx, { id })
  const faults: Faults = {}
  const names = namesOf(user, ctx.input, faults)
  const patch = { ...names, ...plainOf(ctx, user, faults), role: roleOf(user, ctx.input) }
  const client = await clientOf(ctx, user, patch.role, faults)
  refuseFaults({ ...userFields, name: userFields.first_name }, faults, ctx.input)
  if (client && lock_version !== undefined && lock_version !== user.lock_version)
    throw stale('user', user, { company_id: client.to })
  const email = await emailChange(ctx, user, ctx.input.email, patch.role)
  if (lock_version !== undefined && lock_version !== user.lock_version && Object.keys(email.patch).length) {
    const sent = { ...patch, email: ctx.input.email }
    throw stale('user', user, sent, Object.keys(difference(user, sent).after))
  }
  if (patch.role !== user.role) await checkRole(ctx, user)
  const row = await change(ctx, 'users', {
    subject: 'user',
    id,
    patch: { ...patch, ...email.patch },
    also: email.also,
    lock: lock_version,
    change: { noun: 'user', audience: 'admin' },
  }).catch((error: unknown) => {
    // Another request took the address in between.
    throw ctx.services.database.isUnique(error) ? taken('active') : error
  })
  const waits = await email.after()
  if (row.role !== user.role) await tellOwner(ctx, user, 'role changed', { name: row.role })
  const promoted = row.role === 'admin' && user.role !== 'admin'
  if (promoted) await takeEveryService(ctx, user)
  const left = promoted
    ? await leaveClients(ctx, { user_id: id })
    : client && client.from !== null
      ? await leaveClients(ctx, { user_id: id, client_id: client.from })
      : []
  if (client && client.to !== null) await joinClient(ctx, { user_id: id, client_id: client.to })
  if (rejoin && row.role === 'client' && (client || user.role === 'admin'))
    await rejoinClients(ctx, { user_id: id, ended_at: rejoin })
  if (row.lock_version !== user.lock_version) ctx.emit({ noun: 'account', id, audience: 'user', user_id: id })
  const data = await userRecord(ctx, { ...row, ...email.also })
  const message = describeEffect(ctx, 'user.edit', { name: fullName(row) || row.email, kind: 'user', also: [waits] })
  return { data, message, ...(left.length ? { left_at: ctx.now, left: await leftOf(ctx, left) } : {}) }
}

/** Names of the clients and teams whose memberships ended. */
async function leftOf({ tx }: Ctx, left: Awaited<ReturnType<typeof leaveClients>>) {
  const of = (ids: readonly number[]) => (ids.length ? [...new Set(ids)] : [0])
  const named = (table: 'clients' | 'teams', ids: readonly number[]) =>
    tx.selectFrom(table).select(['id', 'name']).where('id', 'in', of(ids)).orderBy(byText(tx, 'name')).execute()
  const clients = await named(
    'clients',
    left.map((one) => one.client_id),
  )
  const teams = await named(
    'teams',
    left.flatMap((one) => one.teams),
  )
  return clients.map((client) => {
    const ended = left.filter((one) => one.client_id === client.id).flatMap((one) => one.teams)
    return { ...client, teams: teams.filter((team) => ended.includes(team.id)) }
  })
}

/** Adds what is wrong with a field's changed value. */
function addFault(user: UserRow, name: 'first_name' | 'last_name' | 'phone', value: string | undefined, faults: Faults): void {
  const fault = value === undefined ? null : faultOf(userFields[name], value, {}, user)
  if (fault) faults[name] = fault
}

/** The sent names that differ; a changed `name` is split at its last blank and must agree with the other two. */
function namesOf(user: UserRow, { name, first_name, last_name }: Input, faults: Faults) {
  const sent = {
    ...(first_name !== undefined && first_name !== user.first_name ? { first_name } : {}),
    ...(last_name !== undefined && last_name !== user.last_name ? { last_name } : {}),
  }
  if (name === '' && user.status !== 'invited' && fullName(user)) faults.name = MESSAGES.userName
  if (name === undefined || name === '' || name === fullName(user)) {
    addFault(user, 'first_name', sent.first_name, faults)
    addFault(user, 'last_name', sent.last_name, faults)
    return sent
  }
  const at = name.lastIndexOf(' ')
  const split =
    at < 0 ? { first_name: name, last_name: '' } : { first_name: name.slice(0, at).trim(), last_name: name.slice(at + 1) }
  for (const part of ['last_name', 'first_name'] as const) {
    const fault = faultOf(userFields[part], split[part], {}, user)
    if (fault) faults.name = fault
  }
  if (Object.entries(sent).some(([field, value]) => value !== split[field as keyof typeof split]))
    faults.name = 'name must match first_name and last_name'
  return split
}

/** Fields that need no query to check. */
function plainOf(ctx: Ctx, user: UserRow, faults: Faults) {
  const { phone, company, birth_date } = ctx.input as Input
  if (phone !== user.phone) addFault(user, 'phone', phone, faults)
  const birth = birth_date && birth_date !== user.birth_date ? birthFault(birth_date, ctx.today) : null
  if (birth) faults.birth_date = birth
  return { phone, company, birth_date }
}

/** The sent role: of `role` and `role_id`, whichever differs from the current one. */
const roleOf = (user: UserRow, { role, role_id }: Input): Role =>
  [role, role_id].find((one) => one !== undefined && one !== user.role) ?? user.role

/** The new client in place of the one shown, or null if nothing changes. */
async function clientOf(ctx: Ctx<Input>, user: UserRow, role: Role, faults: Faults) {
  const to = ctx.input.company_id
  if (to === undefined) return null
  const first = await ctx.tx
    .selectFrom('user_clients')
    .innerJoin('clients', 'clients.id', 'user_clients.client_id')
    .select('clients.id')
    .where('user_clients.user_id', '=', user.id)
    .where('clients.deleted_at', 'is', null)
    .orderBy('clients.id')
    .executeTakeFirst()
  const from = first?.id ?? null
  if (to === from) return null
  if (to !== null && role === 'admin') {
    faults.company_id = 'An administrator can’t belong to a client.'
    return null
  }
  if (to !== null)
    await heldClient(ctx, to).catch((error: unknown) => {
      if (!(error instanceof HttpError)) throw error
      throw invalid('company_id', `There is no client ${to}.`)
    })
  return { from, to }
}

async function checkRole(ctx: Ctx, user: UserRow): Promise<void> {
  if (user.id === ctx.actor.id) throw new HttpError(409, 'not_now', 'You cannot change your own role.')
  if (paneStateOf(user, await heldAdmins(ctx)).last_admin) throw new HttpError(409, 'not_now', 'This is the last administrator.')
  // Ends acting sessions and revokes keys with the administrator role.
  await endSessions(ctx, user.id, { behind: true })
  await revokeKeysOf(ctx, user.id)
}
