import { setTimeout as delay } from 'node:timers/promises'
import { denialOf } from '../../contract/access.ts'
import { commonFault } from '../../contract/commonPassword.ts'
import { MESSAGES } from '../../contract/messages.ts'
import { RESET_PAGES } from '../../contract/pages.ts'
import type { sessionCalls } from '../../contract/session.ts'
import { change } from '../core/change.ts'
import { countedUntil } from '../core/clockSkew.ts'
import type { Ctx, UserRow } from '../core/context.ts'
import { describeEffect } from '../core/describeEffect.ts'
import { assertAllowed, HttpError, invalid, refuseActing, unauthorized } from '../core/errors.ts'
import { type HandlersOf, ownTransaction } from '../core/handler.ts'
import { hashPassword, verifyPassword } from '../core/passwords.ts'
import { ago, DAY_MS, limitOf, tooOften } from '../core/quotas.ts'
import { refuseOtherSite } from '../core/sameOrigin.ts'
import { randomToken } from '../core/secrets.ts'
import { advisoryLock, locked } from '../db/locked.ts'
import { aboutAccount } from '../domain/mail/mailSecrets.ts'
import { organizationOf } from '../domain/organization.ts'
import { refuseLookAlike } from '../domain/user/lookAlike.ts'
import { activeAdmins, fullName, meOf, paneStateOf, userRow } from '../domain/user/records.ts'
import { PAUSED_BY, pauseWebhooksOf } from '../domain/webhook/pauseAll.ts'
import type { Link } from '../mail/letter.ts'
import { activation, links, requestAccount, reset } from '../mail/letters.ts'
import { sendLetter } from '../mail/sendLetter.ts'
import { tellOwner } from '../mail/tellOwner.ts'
import { revokePersonalTokens } from './account/keys.ts'
import { refuseDemoPassword } from './session/demoPassword.ts'
import { markBrowser, takeOwnPassword, takeSignIn } from './session/guard.ts'
import {
  answerTokens,
  callerOf,
  clearCookies,
  clearOwn,
  dropTokens,
  endSessions,
  keepOwnSession,
  openSession,
  ownSession,
  takeBack,
  wantsCookie,
} from './session/sessions.ts'
import { noteFailure, noteSignIn, origin, rememberDevice } from './session/signIns.ts'
import { accountByToken, anotherInvitation, closeLinks, holdUser, newResetToken, spendToken } from './session/tokens.ts'
import { confirmEmail, NO_PENDING } from './user/newEmail.ts'

const HOUR = 3_600_000
const later = (ctx: Ctx, milliseconds: number): string => new Date(Date.parse(ctx.now) + milliseconds).toISOString()

const badCredentials = () => new HttpError(401, 'bad_credentials', 'Invalid login credentials. Please try again.')

/** Whether the verified password is still current, locked until the commit: verifying is slow enough for a change. */
async function stillHas(ctx: Ctx, { id, password_hash }: UserRow): Promise<boolean> {
  const query = ctx.tx.selectFrom('users').select('password_hash').where('id', '=', id).where('deleted_at', 'is', null)
  const row = await locked(ctx.services.database, query).executeTakeFirst()
  return row !== undefined && row.password_hash === password_hash
}

/** Their responses carry token headers, which are never stored for a replay. */
const OPENS_SESSION = { noKey: 'it opens a session; another one ends by itself' } as const
/** Keys are valid only for signed-in users. */
const STRANGERS = { noKey: 'it is a public call' } as const

const signIn: HandlersOf<typeof sessionCalls>['session.signIn'] = ownTransaction(OPENS_SESSION, async (ctx) => {
  const email = ctx.input.email.trim().toLowerCase().normalize()
  const cookie = wantsCookie(ctx.request, ctx.input.remember_cookie)
  // Another site's form must not sign this browser in to an account of its choice.
  if (cookie) refuseOtherSite(ctx.services, ctx.request)
  const putBack = await takeSignIn(ctx, email)
  const user = await ctx.db
    .selectFrom('users')
    .selectAll()
    .where('email', '=', email)
    .where('status', '=', 'active')
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  const refuse = async (why: string, error: HttpError): Promise<never> => {
    await noteFailure(ctx, user, email, why)
    throw error
  }
  if (!(await verifyPassword(user?.password_hash ?? null, ctx.input.password)) || !user)
    return refuse(user ? 'wrong password' : 'no such account', badCredentials())
  await refuseDemoPassword(ctx, user).catch((error: HttpError) => refuse('public demo password', error))
  await putBack()
  if (user.password_expires_at && user.password_expires_at <= ctx.now) {
    const expired = new HttpError(
      401,
      'password_expired',
      'The temporary password has expired. Please ask an administrator for a new one.',
    )
    return refuse('temporary password expired', expired)
  }
  const opened = await ctx.write(async (write) => {
    const before = write.caller.session
    if (before?.by === 'cookie') await endSessions(write, write.caller.user!.id, { id: before.id })
    // Ends the admin's own session in this browser, so that the next user can't switch back to it.
    const own = cookie ? await ownSession(write) : null
    if (own) await endSessions(write, own.user_id, { id: own.id })
    if (!(await stillHas(write, user))) throw badCredentials()
    const session = await openSession(write, user)
    await noteSignIn(write, user, cookie ? 'cookie' : 'headers')
    return session
  })
  if (cookie) clearOwn(ctx.services, ctx.request, ctx.reply)
  answerTokens(ctx, opened, cookie)
  if (cookie) markBrowser(ctx, email)
  return { data: await meOf(ctx.db, ctx.today, callerOf(user, opened)) }
})

const setPassword: HandlersOf<typeof sessionCalls>['session.setPassword'] = ownTransaction(STRANGERS, async (ctx) => {
  const { reset_password_token: token, password, current_password } = ctx.input
  const user = token ? await byResetToken(ctx, token) : await bySelf(ctx, current_password)
  await refuseWeak(user, password)
  const password_hash = await hashPassword(password)
  const paused_webhooks = await ctx.write(async (write) => {
    if (token) {
      // Spending the token in the same transaction lets only one of two concurrent requests win.
      if (!(await spendToken(write, user.id, 'reset', token))) throw await refusedToken(write)
    } else if (!(await stillHas(write, user))) throw notRight()
    await change(write, 'users', {
      subject: 'user',
      id: user.id,
      patch: { password_hash, must_change_password: 0, password_expires_at: null, reset_hash: null, reset_expires_at: null },
      // A thief of the old password may have asked for it.
      also: NO_PENDING,
      line: { actor_id: user.id },
      change: { noun: 'user', audience: 'admin' },
    })
    await closeLinks(write, user.id, 'password set')
    // Ends all other sessions and acting, because the old password may have been stolen.
    await endSessions(write, user.id, { behind: true, ...(token ? {} : { but: write.caller.session!.id }) })
    await revokePersonalTokens(write, user.id)
    const paused = await pauseWebhooksOf(write, user.id, PAUSED_BY.password)
    const stopped = { paused: paused.map(({ name }) => name), cancelled: user.pending_email }
    await tellOwner(write, user, token ? 'password reset' : 'password changed', stopped)
    return paused
  })
  return {
    message: describeEffect(ctx, 'session.setPassword', { words: PASSWORD }),
    paused_webhooks,
    cancelled_email: user.pending_email,
  }
})

/** What sentences about the caller, and their password, are about. */
const YOU = ['you', 'you'] as const
const PASSWORD = ['your password', 'your passwords'] as const

/** Throws a 422 for the current password (also a temporary one) and for a common one. */
async function refuseWeak(user: UserRow, password: string): Promise<void> {
  const fault = commonFault(password, user)
  if (fault) throw invalid('password', fault)
  if (user.password_hash && (await verifyPassword(user.password_hash, password)))
    throw invalid('password', 'That’s already your password. Choose another one.')
}

async function byResetToken(ctx: Ctx, token: string): Promise<UserRow> {
  const user = await accountByToken(ctx.db, 'reset', token, ctx.now)
  if (!user) throw await refusedToken(ctx)
  return user
}

async function refusedToken(ctx: Ctx): Promise<HttpError> {
  const { product, support_team } = await organizationOf(ctx.db)
  const sentence = MESSAGES.passwordFailed(support_team || product)
  return new HttpError(422, 'bad_token', sentence, { fields: { reset_password_token: sentence } })
}

const notRight = () => invalid('current_password', 'The current password is wrong.')

async function bySelf(ctx: Ctx, current: string | undefined): Promise<UserRow> {
  const user = ctx.user
  refuseActing(ctx.actor)
  // Signing in with a temporary password has just proved it.
  if (user.must_change_password) return user
  const putBack = await takeOwnPassword(ctx, user.id)
  if (!(await verifyPassword(user.password_hash, current ?? ''))) throw notRight()
  await putBack()
  return user
}

/** The link of a reset mail; redirect_url must be one of our reset pages, as a path or an address of this site. */
function resetLink(publicUrl: string, redirect: string | undefined, token: string): Link {
  const page = redirect?.startsWith(`${publicUrl}/`) ? redirect.slice(publicUrl.length) : redirect || RESET_PAGES[0]
  // Compared as text, so that parsers' differences (blob:, user@host, //host) don't matter.
  if (!(RESET_PAGES as readonly string[]).includes(page))
    throw invalid('redirect_url', `redirect_url must be one of ${RESET_PAGES.join(', ')} on this site.`)
  return { url: `${publicUrl}${page}?reset_password_token=${token}`, secret: token }
}

/** Milliseconds a forgotten-password response takes, whether or not the account exists. */
const FORGOT_TAKES = 250

async function forgot(ctx: Ctx<{ email: string; redirect_url?: string | undefined }>) {
  const { email, redirect_url } = ctx.input
  const token = randomToken(32)
  const link = resetLink(ctx.services.settings.publicUrl, redirect_url, token)
  const known = await ctx.tx
    .selectFrom('users')
    .select('id')
    .where('email', '=', email)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  const user = known && (await holdUser(ctx, known.id))
  if (user?.status === 'active') await mailReset(ctx, user, token, link)
  else if (user) await mailInvitation(ctx, user)
  return {
    success: true as const,
    message: describeEffect(ctx, 'session.forgot', { words: ['a message with instructions', 'messages'] }),
  }
}

const actAs: HandlersOf<typeof sessionCalls>['session.actAs'] = ownTransaction(OPENS_SESSION, async (ctx) => {
  const byCookie = ctx.caller.session?.by === 'cookie'
  const { opened, user } = await ctx.write(async (write) => {
    const subject = await userRow(write.tx, { id: write.input.id })
    assertAllowed(denialOf('session.actAs', write.actor, paneStateOf(subject, await activeAdmins(write.tx))))
    await write.record({
      subject: 'user',
      subject_id: subject.id,
      reason: write.input.reason,
      action: 'session.actAs',
      after: { acting: fullName(write.user), ...origin(write) },
    })
    return { user: subject, opened: await openSession(write, subject, { admin_id: write.actor.id, reason: write.input.reason }) }
  })
  if (byCookie) keepOwnSession(ctx)
  answerTokens(ctx, opened, byCookie)
  const data = await meOf(ctx.db, ctx.today, callerOf(user, opened, ctx.actor.id))
  return { data, message: describeEffect(ctx, 'session.actAs', { words: YOU, rest: ` as ${data.name} for 30 minutes` }) }
})

export const sessionHandlers: HandlersOf<typeof sessionCalls> = {
  'session.signIn': signIn,
  async 'session.signOut'(ctx) {
    const { session, user } = ctx.caller
    if (session && user) {
      await endSessions(ctx, user.id, { id: session.id })
      await ctx.record({ subject: 'session', subject_id: user.id, after: origin(ctx) })
    }
    // The admin's own session, set aside while acting, may outlive the acting.
    const own = session?.by === 'headers' ? null : await ownSession(ctx)
    if (!session && !own) throw unauthorized()
    if (own) {
      await endSessions(ctx, own.user_id, { id: own.id })
      await ctx.record({ subject: 'session', subject_id: own.user_id, actor_id: own.user_id, after: origin(ctx) })
    }
    clearCookies(ctx.services, ctx.request, ctx.reply)
    dropTokens(ctx.reply)
    return { success: true, message: describeEffect(ctx, 'session.signOut', { words: YOU }) }
  },
  async 'session.validate'(ctx) {
    // The id where the live stream starts, so that no change falls between the first reads and the stream.
    ctx.reply.header('x-live-last', String(await ctx.services.live.last()))
    return { success: true, data: await meOf(ctx.db, ctx.today, { ...ctx.caller, user: ctx.user }) }
  },
  'session.meFull': async (ctx) => ({ data: await meOf(ctx.db, ctx.today, { ...ctx.caller, user: ctx.user }, 'v1') }),
  'session.forgot': ownTransaction(STRANGERS, async (ctx) => {
    // Writing a mail takes a moment, so both cases wait equally long and don't reveal accounts.
    const [answer] = await Promise.all([ctx.write(forgot), delay(FORGOT_TAKES)])
    return answer
  }),
  'session.setPassword': setPassword,
  async 'session.invitation'(ctx) {
    const { email, first_name, last_name, phone } = await byInvitation(ctx)
    return { data: { email, first_name, last_name, phone } }
  },
  'session.register': ownTransaction(STRANGERS, async (ctx) => {
    const user = await byInvitation(ctx)
    const { first_name, last_name, phone, password, invitation_token } = ctx.input
    await refuseWeak({ ...user, first_name, last_name }, password)
    const password_hash = await hashPassword(password)
    await ctx.write(async (write) => {
      if (!(await spendToken(write, user.id, 'invitation', invitation_token))) throw badInvitation()
      await closeLinks(write, user.id, 'registered')
      await change(write, 'users', {
        subject: 'user',
        id: user.id,
        patch: { first_name, last_name, phone, password_hash, status: 'active' },
        line: { origin: user.role === 'client' ? 'client' : 'event', actor_id: user.id },
        change: { noun: 'user', audience: 'admin' },
      })
      // The first sign-in usually follows on the same device.
      await rememberDevice(write, user)
    })
    return { message: describeEffect(ctx, 'session.register', { words: ['your account', 'your accounts'] }) }
  }),
  'session.confirmEmail': confirmEmail,
  async 'session.requestAccount'(ctx) {
    refuseLookAlike(ctx.input.email)
    const { name, support_team, support_mail } = await organizationOf(ctx.tx)
    await refuseMoreRequests(ctx, support_mail)
    await sendLetter(ctx, { to: support_mail, about: ACCOUNT_REQUEST }, (organization) => requestAccount(organization, ctx.input))
    return {
      message: describeEffect(ctx, 'session.requestAccount', {
        words: ['account request', 'account requests'],
        also: [MESSAGES.requestFollows(support_team || name)],
      }),
    }
  },
  'session.actAs': actAs,
  async 'session.switchBack'(ctx) {
    const { session, user, actor } = ctx.caller
    const own = await ownSession(ctx)
    if (!actor?.admin_id && !own) throw new HttpError(409, 'not_now', 'You aren’t acting as anyone.')
    if (session && user && actor?.admin_id) {
      await ctx.record({ subject: 'user', subject_id: user.id, action: 'session.switchBack' })
      await endSessions(ctx, user.id, { id: session.id })
      dropTokens(ctx.reply)
    }
    // The cookie set aside proves who the admin is; without it, nobody becomes an admin here.
    if (own) takeBack(ctx, own)
    else clearCookies(ctx.services, ctx.request, ctx.reply)
    return { message: describeEffect(ctx, 'session.switchBack', { words: YOU }) }
  },
}

/** The `about` of mails that request an account. */
const ACCOUNT_REQUEST = 'account request'

/** Throws 429 after too many anonymous account requests in 24 hours, to protect the support mailbox. */
async function refuseMoreRequests(ctx: Ctx, support: string): Promise<void> {
  await advisoryLock(ctx.services.database, ctx.tx, 'account_requests', 0)
  const { count, first } = await ctx.tx
    .selectFrom('mails')
    .select((eb) => [eb.fn.countAll<number>().as('count'), eb.fn.min('created_at').as('first')])
    .where('about', '=', ACCOUNT_REQUEST)
    .where('created_at', '>', ago(ctx, DAY_MS))
    .where('created_at', '<=', countedUntil(ctx))
    .executeTakeFirstOrThrow()
  if (Number(count) < limitOf(ctx, 'account_requests_day')) return
  const wait = Date.parse(first ?? ctx.now) + DAY_MS - Date.parse(ctx.now)
  throw tooOften(`Too many people have asked for an account today. Write to ${support}.`, wait)
}

/** The most reset mails an account gets in 24 hours, however they are requested. */
const MAILS_A_DAY = 5

/** Allows one mail a minute and five a day, to protect mailboxes; call it with the user's row locked. */
async function mayMail(ctx: Ctx, user: UserRow, about: string): Promise<boolean> {
  const { count, last } = await ctx.tx
    .selectFrom('mails')
    .select((eb) => [eb.fn.countAll<number>().as('count'), eb.fn.max('created_at').as('last')])
    .where('user_id', '=', user.id)
    .where('about', '=', about)
    .where('created_at', '>', later(ctx, -24 * HOUR))
    .where('created_at', '<=', countedUntil(ctx))
    .executeTakeFirstOrThrow()
  return Number(count) < MAILS_A_DAY && !(last && last > later(ctx, -60_000))
}

async function mailReset(ctx: Ctx, user: UserRow, token: string, link: Link): Promise<void> {
  const about = aboutAccount('reset', user.id)
  if (!(await mayMail(ctx, user, about))) return
  const until = later(ctx, HOUR)
  await newResetToken(ctx, user, token, until)
  await ctx.record({ subject: 'user', subject_id: user.id })
  await sendLetter(ctx, { to: user.email, about, opens: { until, account: user.id } }, (organization) =>
    reset(organization, { first_name: user.first_name, link }),
  )
}

/** Mails another link to an open invitation; earlier links keep working, and none lasts longer than before. */
async function mailInvitation(ctx: Ctx, user: UserRow): Promise<void> {
  const about = aboutAccount('invitation', user.id)
  if (!(await mayMail(ctx, user, about))) return
  const made = await anotherInvitation(ctx, user)
  if (!made) return
  await ctx.record({ subject: 'user', subject_id: user.id })
  const link = links.registration(ctx.services.settings.publicUrl, made.token)
  const days = Math.max(1, Math.ceil((Date.parse(made.until) - Date.parse(ctx.now)) / (24 * HOUR)))
  await sendLetter(ctx, { to: user.email, about, opens: { until: made.until, account: user.id } }, (organization) =>
    activation(organization, { first_name: user.first_name, link, days }),
  )
}

const badInvitation = () =>
  new HttpError(404, 'bad_token', 'This invitation was already used or has expired. Please ask for a new one.')
async function byInvitation(ctx: Ctx<{ invitation_token: string }>): Promise<UserRow> {
  const user = await accountByToken(ctx.db, 'invitation', ctx.input.invitation_token, ctx.now)
  if (user?.status !== 'invited') throw badInvitation()
  return user
}
