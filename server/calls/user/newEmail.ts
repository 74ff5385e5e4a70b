import type { FastifyRequest } from 'fastify'
import { denialOf } from '../../../contract/access.ts'
import { seesAll } from '../../../contract/actor.ts'
import type { Sentence } from '../../../contract/effectText.ts'
import type { EffectId } from '../../../contract/writeEffects.ts'
import { change } from '../../core/change.ts'
import type { Ctx, UserRow } from '../../core/context.ts'
import { describeEffect } from '../../core/describeEffect.ts'
import { assertAllowed, HttpError, invalid } from '../../core/errors.ts'
import { verifyPassword } from '../../core/passwords.ts'
import { ago, DAY_MS, tooOften } from '../../core/quotas.ts'
import { hashToken, randomToken } from '../../core/secrets.ts'
import { aboutAccount } from '../../domain/mail/mailSecrets.ts'
import { isNewlyTrusted, isOrWasAdmin, LATELY_DAYS } from '../../domain/user/lately.ts'
import { refuseLookAlike } from '../../domain/user/lookAlike.ts'
import { activeAdmins, fullName, NEEDS_APPROVAL, needsApproval, PROVEN, paneStateOf, userRow } from '../../domain/user/records.ts'
import { confirmAddress, links } from '../../mail/letters.ts'
import { sendLetter } from '../../mail/sendLetter.ts'
import { aboutEvent, tellOwner } from '../../mail/tellOwner.ts'
import { takeOwnPassword } from '../session/guard.ts'
import { closeLinks, holdUser } from '../session/tokens.ts'
import { taken } from './invite.ts'

/*
 * A new email address (docs/decisions/people.md).
 * It waits in the user's row until the link in a letter to it is opened; the current address is told at once.
 * An administrator's takes their own password as well, or a second administrator who wasn't made one just now.
 */

const LASTS_MS = 3 * DAY_MS
/** The most letters about new addresses, to the old one and the new, that one account causes in 24 hours. */
const LETTERS_A_DAY = 20
const RESEND_MS = 60_000

const until = (ctx: Ctx): string => new Date(Date.parse(ctx.now) + LASTS_MS).toISOString()

/** The columns of a user without a new address. */
export const NO_PENDING = {
  pending_email: null,
  pending_email_hash: null,
  pending_email_expires_at: null,
  pending_email_by: null,
  pending_email_proven: null,
} as const
type Pending = Pick<UserRow, keyof typeof NO_PENDING>

/** A link mailed to the old address would open the account from the wrong mailbox. */
const LINKS_ENDED = { reset_hash: null, invitation_hash: null } as const

/** Requests whose current_password is the caller's. */
const proven = new WeakSet<FastifyRequest>()

/** Checks `current_password` before the transaction of a write that may change the caller's own address. */
export async function proveOwn(ctx: Ctx<{ id?: number; current_password?: string | undefined }>): Promise<void> {
  const { id, current_password } = ctx.input
  if (current_password === undefined) return
  if (id !== undefined && id !== ctx.actor.id)
    throw invalid('current_password', 'current_password is for your own email: a second administrator approves another’s.')
  if (ctx.caller.token) throw invalid('current_password', 'current_password is for a signed-in person, not for a token.')
  const putBack = await takeOwnPassword(ctx, ctx.actor.id)
  if (!(await verifyPassword(ctx.user.password_hash, current_password)))
    throw invalid('current_password', 'The current password is wrong.')
  await putBack()
  proven.add(ctx.request)
}

/** What a write changes in a user's row for the email that it sends, and what follows once the row is written. */
interface EmailChange {
  /** What the history says, and the columns that it leaves out. */
  patch: Partial<UserRow>
  also: Partial<UserRow>
  /** Tells both addresses; returns what the caller should know. */
  after(): Promise<string | null>
}
const UNCHANGED: EmailChange = { patch: {}, also: {}, after: async () => null }

/** The change for a sent email; `role` is what the user's will be. */
export async function emailChange(ctx: Ctx, user: UserRow, email: string | undefined, role = user.role): Promise<EmailChange> {
  if (email === undefined || email === user.email) return UNCHANGED
  const isProven = proven.has(ctx.request)
  const waits = email === user.pending_email && (user.pending_email_expires_at ?? '') > ctx.now
  if (waits && !(isProven && needsApproval(user))) return { ...UNCHANGED, after: async () => waitsFor(ctx, user) }
  refuseLookAlike(email)
  await refuseTaken(ctx, email)
  if (user.status === 'invited') return moveInvitation(ctx, user, email)
  await refuseMoreLetters(ctx, user)
  const token = randomToken(32)
  const also: Pending = {
    pending_email: email,
    pending_email_hash: hashToken(token),
    pending_email_expires_at: until(ctx),
    pending_email_by: ctx.actor.id,
    pending_email_proven: isProven ? PROVEN : (await isOrWasAdmin(ctx, user)) ? NEEDS_APPROVAL : 0,
  }
  const next = { ...user, ...also, role }
  return {
    patch: email === user.pending_email ? { pending_email_expires_at: until(ctx) } : { pending_email: email },
    also,
    async after() {
      await closeLinks(ctx, user.id, 'address asked')
      if (!waits) await tellOwner(ctx, user, 'new address', { name: email, waits: needsApproval(next) })
      if (!needsApproval(next)) await sendConfirmation(ctx, next, token)
      return waitsFor(ctx, next)
    },
  }
}

/** Moves an invitation: nobody has the account yet, and registering by a new one's link confirms its address. */
function moveInvitation(ctx: Ctx, user: UserRow, email: string): EmailChange {
  return {
    patch: { email },
    also: LINKS_ENDED,
    async after() {
      await closeLinks(ctx, user.id, 'address changed')
      await tellOwner(ctx, user, 'invitation moved', { name: email })
      return 'The invitation’s link no longer works: resend the activation.'
    },
  }
}

const waitsFor = (ctx: Ctx, user: UserRow): string =>
  needsApproval(user)
    ? `The new email ${user.pending_email} needs a second administrator’s approval.`
    : `The new email has to be confirmed: ${linkWent(ctx, user)}.`

/** Where the link went. The Outbox shows an administrator's to nobody. */
const linkWent = (ctx: Ctx, user: UserRow): string =>
  reachesNobody(ctx, user)
    ? `no mail server is set up, so the link can’t reach ${user.pending_email}. ${SET_SMTP}`
    : `a link was sent to ${user.pending_email}`
const reachesNobody = ({ services }: Ctx, user: UserRow) => seesAll(user) && !services.settings.smtpUrl
const SET_SMTP = 'Set SMTP_URL on the server, then send it again'

async function refuseTaken(ctx: Ctx, email: string): Promise<void> {
  const other = await ctx.tx
    .selectFrom('users')
    .select('status')
    .where('email', '=', email)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (other) throw taken(other.status)
}

async function refuseMoreLetters(ctx: Ctx, user: UserRow, pause = 0): Promise<void> {
  const about = aboutAccount('new address', user.id)
  const sent = await ctx.tx
    .selectFrom('mails')
    .select(['about', 'created_at'])
    .where('user_id', '=', user.id)
    .where('about', 'in', [about, aboutEvent('new address', user.id)])
    .where('created_at', '>', ago(ctx, DAY_MS))
    .orderBy('created_at', 'desc')
    .limit(LETTERS_A_DAY)
    .execute()
  const since = (mail: { created_at: string } | undefined) => (mail ? Date.parse(ctx.now) - Date.parse(mail.created_at) : DAY_MS)
  const eldest = sent[LETTERS_A_DAY - 1]
  if (eldest) throw tooOften('This account’s email was changed too often today.', DAY_MS - since(eldest))
  const last = since(sent.find((mail) => mail.about === about))
  if (last < pause) throw tooOften('The letter was sent just now.', pause - last)
}

async function sendConfirmation(ctx: Ctx, user: UserRow, token: string): Promise<void> {
  const link = links.confirmEmail(ctx.services.settings.publicUrl, token)
  const email = user.pending_email!
  const about = aboutAccount('new address', user.id)
  const by = user.pending_email_by === user.id ? null : await nameOf(ctx, user.pending_email_by)
  await sendLetter(
    ctx,
    { to: email, about, opens: { until: user.pending_email_expires_at!, account: user.id } },
    (organization) => confirmAddress(organization, { first_name: user.first_name, email, by, link }),
  )
}

async function nameOf(ctx: Ctx, id: number | null): Promise<string | null> {
  const row = await ctx.tx
    .selectFrom('users')
    .select(['first_name', 'last_name', 'email'])
    .where('id', '=', id)
    .executeTakeFirst()
  return row ? fullName(row) : null
}

const emitUser = { change: { noun: 'user', audience: 'admin' } } as const

async function write(ctx: Ctx, user: UserRow, patch: Partial<UserRow>, also: Partial<UserRow>): Promise<void> {
  // The link works signed out, too.
  const line = ctx.caller.actor ? {} : { actor_id: user.id }
  await change(ctx, 'users', { subject: 'user', id: user.id, patch, also, line, ...emitUser })
  ctx.emit({ noun: 'account', id: user.id, audience: 'user', user_id: user.id })
}

/** The user whose new address a call is about, locked; throws the access table's refusal. */
async function pendingUser(ctx: Ctx<{ id: number }>, action: 'user.approveEmail' | 'user.resendEmail' | 'user.cancelEmail') {
  await userRow(ctx.tx, ctx.input)
  const user = (await holdUser(ctx, ctx.input.id))!
  assertAllowed(denialOf(action, ctx.actor, paneStateOf(user, await activeAdmins(ctx.tx))))
  return user
}

/** The caller's own row, locked; throws a 409 without a new address. */
async function ownPending(ctx: Ctx): Promise<UserRow> {
  const user = (await holdUser(ctx, ctx.user.id))!
  if (!user.pending_email) throw new HttpError(409, 'not_now', 'No new email waits to be confirmed.')
  return user
}

const NEW_APPROVER = `Your own account was invited or restored, or somebody changed its role, email or password, in the last ${LATELY_DAYS} days. An administrator of longer standing has to approve this email.`

/** Approves an administrator's new address as a second administrator; only then is its link sent. */
export async function approveEmail(ctx: Ctx<{ id: number }>) {
  const user = await pendingUser(ctx, 'user.approveEmail')
  if (await isNewlyTrusted(ctx, ctx.actor.id)) throw new HttpError(409, 'not_now', NEW_APPROVER)
  await write(ctx, user, { pending_email_proven: PROVEN }, {})
  const message = await sendAgain(ctx, { ...user, pending_email_proven: PROVEN }, 'user.approveEmail', 0)
  await tellOwner(ctx, user, 'new address', { name: user.pending_email! })
  return { message }
}

async function sendAgain(ctx: Ctx, user: UserRow, effect: EffectId, pause = RESEND_MS): Promise<Sentence> {
  if (needsApproval(user)) throw new HttpError(409, 'not_now', 'A second administrator has to approve this email first.')
  await refuseTaken(ctx, user.pending_email!)
  await refuseMoreLetters(ctx, user, pause)
  const token = randomToken(32)
  const pending_email_expires_at = until(ctx)
  await write(ctx, user, { pending_email_expires_at }, { pending_email_hash: hashToken(token) })
  await closeLinks(ctx, user.id, 'address asked')
  await sendConfirmation(ctx, { ...user, pending_email_expires_at }, token)
  const also = ['Earlier ones no longer work.']
  const email = user.pending_email!
  if (reachesNobody(ctx, user))
    return describeEffect(ctx, 'user.noMailServer', {
      words: ['the link', 'links'],
      rest: ` ${email}`,
      also: [`No mail server is set up. ${SET_SMTP}.`, ...also],
    })
  return describeEffect(ctx, effect, { words: ['a link', 'links'], rest: ` to ${email}`, also })
}

async function cancel(ctx: Ctx, user: UserRow, effect: EffectId = 'user.cancelEmail'): Promise<Sentence> {
  await write(ctx, user, { pending_email: null }, NO_PENDING)
  await closeLinks(ctx, user.id, 'address asked')
  return describeEffect(ctx, effect, { words: ['the email', 'emails'], rest: ` ${user.email}` })
}

/** Cancels a new address that waits, as part of another write; returns it, or null if none did. */
export async function cancelPending(ctx: Ctx, user: UserRow): Promise<string | null> {
  if (user.pending_email) await cancel(ctx, user)
  return user.pending_email
}

export const resendEmail = async (ctx: Ctx<{ id: number }>) => {
  const user = await pendingUser(ctx, 'user.resendEmail')
  return { message: await sendAgain(ctx, user, 'user.resendEmail') }
}
export const cancelEmail = async (ctx: Ctx<{ id: number }>) => ({
  message: await cancel(ctx, await pendingUser(ctx, 'user.cancelEmail')),
})
export const resendOwnEmail = async (ctx: Ctx) => {
  const user = await ownPending(ctx)
  return { message: await sendAgain(ctx, user, 'account.resendEmail') }
}
export const cancelOwnEmail = async (ctx: Ctx) => ({ message: await cancel(ctx, await ownPending(ctx), 'account.cancelEmail') })

const badLink = () =>
  new HttpError(404, 'bad_token', 'This link was already used, has expired or was cancelled. Please ask for a new one.')

/** Makes the new address the account's, by the token of the letter to it. */
export async function confirmEmail(ctx: Ctx<{ token: string }>) {
  const hash = hashToken(ctx.input.token)
  const found = await ctx.tx.selectFrom('users').select('id').where('pending_email_hash', '=', hash).executeTakeFirst()
  const user = found && (await holdUser(ctx, found.id))
  if (user?.pending_email_hash !== hash || user.status !== 'active' || user.pending_email_expires_at! <= ctx.now) throw badLink()
  if (needsApproval(user)) throw new HttpError(409, 'not_now', 'A second administrator has to approve this email first.')
  const email = user.pending_email!
  const gone = new HttpError(409, 'taken', 'Somebody else has this email now, so yours stays as it was. Choose another one.')
  const other = await ctx.tx
    .selectFrom('users')
    .select('id')
    .where('email', '=', email)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (other) throw gone
  await write(ctx, user, { email, pending_email: null }, { ...NO_PENDING, ...LINKS_ENDED }).catch((error: unknown) => {
    // Another request took the address in between.
    throw ctx.services.database.isUnique(error) ? gone : error
  })
  await closeLinks(ctx, user.id, 'address changed')
  await tellOwner(ctx, user, 'address changed', { name: email })
  const facts = { words: ['your email', 'your emails'], rest: ` ${email} now`, also: ['Sign in with it from now on.'] } as const
  return { message: describeEffect(ctx, 'session.confirmEmail', facts) }
}
