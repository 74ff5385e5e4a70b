import type { z } from 'zod'
import { denialOf } from '../../contract/access.ts'
import { MESSAGES } from '../../contract/messages.ts'
import type { userCalls } from '../../contract/user.ts'
import { change } from '../core/change.ts'
import type { Ctx } from '../core/context.ts'
import { describeEffect } from '../core/describeEffect.ts'
import { assertAllowed, HttpError, invalid, notFound } from '../core/errors.ts'
import { type HandlersOf, ownTransaction, preceded } from '../core/handler.ts'
import { hashPassword, temporaryPassword } from '../core/passwords.ts'
import { byText } from '../db/foldedText.ts'
import { aboutAccount } from '../domain/mail/mailSecrets.ts'
import { withdrawLetters } from '../domain/mail/outbox.ts'
import { BLANKED } from '../domain/user/deleted.ts'
import { userList } from '../domain/user/list.ts'
import { activeAdmins, fullName, paneStateOf, userRecord, userRow } from '../domain/user/records.ts'
import { takeEveryService } from '../domain/visit/users.ts'
import { PAUSED_BY, pauseWebhooksOf } from '../domain/webhook/pauseAll.ts'
import { activation, links, temporaryPassword as temporaryPasswordLetter } from '../mail/letters.ts'
import { sendLetter } from '../mail/sendLetter.ts'
import { deedOf } from '../mail/tellOwner.ts'
import { revokeKeysOf } from './account/keys.ts'
import { endSessions } from './session/sessions.ts'
import { closeLinks } from './session/tokens.ts'
import { editUser, heldAdmins } from './user/edit.ts'
import { INVITATION, INVITATION_DAYS, invite, inviteMany, newInvitation } from './user/invite.ts'
import { approveEmail, cancelEmail, NO_PENDING, proveOwn, resendEmail } from './user/newEmail.ts'
import { setTeams } from './user/teams.ts'

const TEMPORARY_HOURS = 72

async function remove(ctx: Ctx<{ id: number }>) {
  const user = await userRow(ctx.tx, ctx.input)
  assertAllowed(denialOf('user.remove', ctx.actor, paneStateOf(user, await heldAdmins(ctx))))
  await change(ctx, 'users', {
    subject: 'user',
    id: user.id,
    patch: { deleted_at: ctx.now },
    // Left out of the history, too. The undo of a day restores it (domain/user/deleted.ts).
    also: { ...BLANKED, ...NO_PENDING, invitation_hash: null, reset_hash: null },
    change: { noun: 'user', audience: 'admin', kind: 'drop' },
  })
  await takeEveryService(ctx, user)
  await endSessions(ctx, user.id, { behind: true })
  await revokeKeysOf(ctx, user.id)
  await withdrawLetters(ctx, { about: aboutAccount('invitation', user.id) })
  await closeLinks(ctx, user.id, 'deleted')
  return { message: describeEffect(ctx, 'user.remove', { name: fullName(user), kind: 'user' }) }
}

const ACCOUNT = ['account', 'accounts'] as const

async function invited(ctx: Ctx<z.output<(typeof userCalls)['user.invite']['input']>>) {
  const { row, link } = await invite(ctx)
  const message = link
    ? describeEffect(ctx, 'user.account', { words: ACCOUNT, rest: ` for ${row.email}`, also: ['Send them the link yourself.'] })
    : describeEffect(ctx, 'user.invite', { words: INVITATION, rest: ` to ${row.email}`, seconds: ctx.input.delay_seconds })
  return { data: await userRecord(ctx, row), message, ...(link ? { link } : {}) }
}

/**
 * The company a user typed: whichever of the two fields differs from what is stored.
 * `company_name` shows the client's name for users who have one.
 */
function companyOf(
  input: { company?: string | undefined; company_name?: string | undefined },
  shown: { company: string; company_name: string },
): string {
  const [first, second] = (['company', 'company_name'] as const).flatMap((name) =>
    input[name] === undefined || input[name] === shown[name] ? [] : [input[name]],
  )
  if (second !== undefined && second !== first)
    throw invalid('company_name', 'company_name and company are one field and must match')
  if (first === '' || !(input.company || input.company_name)) throw invalid('company', MESSAGES.requestCompany)
  return first ?? shown.company
}

export const userHandlers: HandlersOf<typeof userCalls> = {
  'user.list': (ctx) => userList.page(ctx, ctx.input),
  async 'user.dropdown'(ctx) {
    let query = ctx.db.selectFrom('users').select(['id', 'first_name', 'last_name', 'email']).where('deleted_at', 'is', null)
    if (ctx.input.role) query = query.where('role', '=', ctx.input.role)
    const rows = await query.orderBy(byText(ctx.db, 'first_name')).orderBy(byText(ctx.db, 'last_name')).orderBy('id').execute()
    return { data: rows.map((row) => ({ id: row.id, name: fullName(row), email: row.email })), count: rows.length, page: 1 }
  },
  async 'user.listOfClient'(ctx) {
    const client = await ctx.db
      .selectFrom('clients')
      .select('id')
      .where('id', '=', ctx.input.client_id)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    if (!client) throw notFound('This client')
    return userList.page(ctx, { ...ctx.input, client_id: client.id })
  },
  'user.get': async (ctx) => ({ data: await userRecord(ctx, await userRow(ctx.db, ctx.input)) }),
  'user.edit': preceded(proveOwn, (ctx) => editUser(ctx)),
  'user.approveEmail': approveEmail,
  'user.resendEmail': resendEmail,
  'user.cancelEmail': cancelEmail,
  'user.setTeams': setTeams,
  'user.remove': remove,
  'user.invite': invited,
  'user.inviteMany': inviteMany,
  async 'user.resendActivation'(ctx) {
    const user = await userRow(ctx.tx, { email: ctx.input.email })
    assertAllowed(denialOf('user.resendActivation', ctx.actor, paneStateOf(user, await activeAdmins(ctx.tx))))
    const { token, fields } = newInvitation(ctx)
    // The earlier invitation's link is void now, so its unsent mails are withdrawn.
    await withdrawLetters(ctx, { about: aboutAccount('invitation', user.id) })
    await closeLinks(ctx, user.id, 'invited again')
    await change(ctx, 'users', { subject: 'user', id: user.id, patch: fields, change: { noun: 'user', audience: 'admin' } })
    const link = links.registration(ctx.services.settings.publicUrl, token)
    const opens = { until: fields.invitation_expires_at, account: user.id }
    await sendLetter(ctx, { to: user.email, about: aboutAccount('invitation', user.id), opens }, (organization) =>
      activation(organization, { first_name: user.first_name, link, days: INVITATION_DAYS, replaces: true }),
    )
    return { message: describeEffect(ctx, 'user.resendActivation', { name: user.email, kind: 'user' }) }
  },
  'user.resetPassword': ownTransaction('writeIdempotent', async (ctx) => {
    const password = temporaryPassword()
    const password_hash = await hashPassword(password)
    const { answer } = await ctx.writeIdempotent(ctx.input, async (write) => {
      const user = await userRow(write.tx, write.input)
      assertAllowed(denialOf('user.resetPassword', write.actor))
      if (user.status === 'invited')
        throw new HttpError(409, 'not_now', 'This account is not active yet: resend the activation instead.')
      if (user.id === write.actor.id) throw new HttpError(409, 'not_now', 'Change your own password in Account settings.')
      const password_expires_at = new Date(Date.parse(write.now) + TEMPORARY_HOURS * 3_600_000).toISOString()
      await change(write, 'users', {
        subject: 'user',
        id: user.id,
        patch: { password_hash, must_change_password: 1, password_expires_at, reset_hash: null, reset_expires_at: null },
        also: NO_PENDING,
        change: { noun: 'user', audience: 'admin' },
      })
      await endSessions(write, user.id, { behind: true })
      await revokeKeysOf(write, user.id)
      await closeLinks(write, user.id, 'password reset')
      const paused_webhooks = await pauseWebhooksOf(write, user.id, PAUSED_BY.password)
      const stopped = { paused: paused_webhooks.map(({ name }) => name), cancelled: user.pending_email }
      const facts = { ...stopped, ...(await deedOf(write, user)) }
      const link = links.login(write.services.settings.publicUrl)
      const about = aboutAccount('temporary password', user.id)
      const opens = { until: password_expires_at, account: user.id }
      await sendLetter(write, { to: user.email, about, opens }, (organization) =>
        temporaryPasswordLetter(organization, { first_name: user.first_name, password, link, facts }),
      )
      const message = describeEffect(write, 'user.resetPassword', { name: user.email, kind: 'user' })
      return { message, paused_webhooks, cancelled_email: user.pending_email }
    })
    return answer
  }),
  async 'user.setCompany'(ctx) {
    const company = companyOf(ctx.input, await userRecord(ctx, ctx.user, 'v1'))
    const row = await change(ctx, 'users', {
      subject: 'user',
      id: ctx.user.id,
      patch: { company },
      change: { noun: 'user', audience: 'admin' },
    })
    return {
      data: await userRecord(ctx, row, 'v1'),
      message: describeEffect(ctx, 'user.setCompany', { words: ['company', 'companies'] }),
    }
  },
}
