import type { z } from 'zod'
import type { userCalls } from '../../../contract/user.ts'
import type { Ctx, UserRow } from '../../core/context.ts'
import { describeEffect } from '../../core/describeEffect.ts'
import { HttpError, invalid } from '../../core/errors.ts'
import { onlyColumns } from '../../core/onlyColumns.ts'
import { hashToken, randomToken } from '../../core/secrets.ts'
import { aboutAccount } from '../../domain/mail/mailSecrets.ts'
import { lookAlikeFault, refuseLookAlike } from '../../domain/user/lookAlike.ts'
import { fullName } from '../../domain/user/records.ts'
import { invitation, links } from '../../mail/letters.ts'
import { sendLetter } from '../../mail/sendLetter.ts'
import { assertTeams, joinClient } from './memberships.ts'

/** Days an invitation's link works. */
export const INVITATION_DAYS = 14

/** A new token of 64 characters, and the fields that store its hash; the previous token becomes invalid. */
export function newInvitation(ctx: Pick<Ctx, 'now'>): {
  token: string
  fields: { invitation_hash: string; invitation_expires_at: string }
} {
  const token = randomToken(48)
  return {
    token,
    fields: {
      invitation_hash: hashToken(token),
      invitation_expires_at: new Date(Date.parse(ctx.now) + INVITATION_DAYS * 86_400_000).toISOString(),
    },
  }
}

type Invite = z.output<(typeof userCalls)['user.invite']['input']>

/** Creates an invited user and mails them; if the mail is skipped, returns the link once (decisions.md 6). */
export async function invite(ctx: Ctx<Invite>): Promise<{ row: UserRow; link: string | undefined }> {
  const { email, role_id: role, client_id, team_ids = [], first_name, last_name, skip_invitation, delay_seconds } = ctx.input
  const client = client_id
    ? await ctx.tx
        .selectFrom('clients')
        .select(['id', 'name'])
        .where('id', '=', client_id)
        .where('deleted_at', 'is', null)
        .executeTakeFirst()
    : undefined
  if (client_id && !client) throw invalid('client_id', `client_id is not a client: ${client_id}`)
  if (team_ids.length) await assertTeams(ctx, client ? [client.id] : [], team_ids)
  refuseLookAlike(email)
  const { token, fields } = newInvitation(ctx)
  const row = await insertUser(ctx, { email, first_name, last_name, role, ...fields })
  if (client) await joinClient(ctx, { user_id: row.id, client_id: client.id, team_ids })
  await ctx.record({ subject: 'user', subject_id: row.id, after: { email, role, ...(client ? { client: client.name } : {}) } })
  ctx.emit({ noun: 'user', id: row.id, audience: 'admin' })
  const link = links.registration(ctx.services.settings.publicUrl, token)
  if (skip_invitation) return { row, link: link.url }
  const by = fullName(ctx.user)
  const opens = { until: fields.invitation_expires_at, account: row.id }
  await sendLetter(ctx, { to: email, about: aboutAccount('invitation', row.id), opens, delay_seconds }, (organization) =>
    invitation(organization, { link, by, client: client?.name, days: INVITATION_DAYS }),
  )
  return { row, link: undefined }
}

/** How people name an invitation. */
export const INVITATION = ['invitation', 'invitations'] as const

type Many = z.output<(typeof userCalls)['user.inviteMany']['input']>

/** Invites several people and reports on each address; one that has an account doesn't stop the others. */
export async function inviteMany(ctx: Ctx<Many>) {
  const { people, ...rest } = ctx.input
  const unlike = [...new Map(people.map((one) => [one.email, one])).values()]
  const data = []
  for (const person of unlike) {
    const known = await accountOf(ctx, person.email)
    const fault = known ? taken(known.status).message : lookAlikeFault(person.email)
    if (fault) {
      data.push({ email: person.email, user_id: null, invited: false, said: fault })
      continue
    }
    const input: Invite = { ...person, ...rest, skip_invitation: false }
    const { row } = await invite(Object.create(ctx, { input: { value: input } }) as Ctx<Invite>)
    data.push({ email: person.email, user_id: row.id, invited: true, said: 'Invited' })
  }
  const sent = data.filter((one) => one.invited)
  const refused = data.filter((one) => !one.invited).map((one) => `${one.email}: ${one.said}`)
  const [first] = sent
  const about =
    first && sent.length === 1 ? { words: INVITATION, rest: ` to ${first.email}` } : { words: INVITATION, count: sent.length }
  const seconds = sent.length > 0 ? rest.delay_seconds : 0
  return { data, message: describeEffect(ctx, 'user.invite', { ...about, seconds, also: refused }) }
}

const accountOf = (ctx: Ctx, email: string) =>
  ctx.tx.selectFrom('users').select('status').where('email', '=', email).where('deleted_at', 'is', null).executeTakeFirst()

async function insertUser(
  ctx: Ctx,
  user: Pick<UserRow, 'email' | 'first_name' | 'last_name' | 'role' | 'invitation_hash' | 'invitation_expires_at'>,
): Promise<UserRow> {
  const known = await accountOf(ctx, user.email)
  if (known) throw taken(known.status)
  try {
    return await ctx.tx
      .insertInto('users')
      .values(
        onlyColumns('users', {
          ...user,
          phone: '',
          company: '',
          birth_date: null,
          status: 'invited',
          password_hash: null,
          password_expires_at: null,
          reset_hash: null,
          reset_expires_at: null,
          deleted_at: null,
          created_at: ctx.now,
          updated_at: ctx.now,
        }),
      )
      .returningAll()
      .executeTakeFirstOrThrow()
  } catch (error) {
    // Another request invited the same address in between.
    throw ctx.services.database.isUnique(error) ? taken('invited') : error
  }
}

/** 422: the address is already in use. */
export function taken(status: 'invited' | 'active'): HttpError {
  const sentence =
    status === 'invited' ? 'This email was already invited. You can resend the activation.' : 'This email already has an account.'
  return new HttpError(422, 'taken', sentence, { fields: { email: sentence }, field_codes: { email: 'taken' } })
}
