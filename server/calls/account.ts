import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import type { accountCalls } from '../../contract/account.ts'
import { percent, count as shown } from '../../contract/format.ts'
import { SETTINGS, type Settings, VISITATION, type Visitation } from '../../contract/organizationSettings.ts'
import { change, difference, stale } from '../core/change.ts'
import type { Ctx } from '../core/context.ts'
import { describeEffect } from '../core/describeEffect.ts'
import { HttpError, invalid, notFound, WorkRefused } from '../core/errors.ts'
import { type HandlersOf, ownTransaction, preceded } from '../core/handler.ts'
import { LIMITS, type LimitName } from '../core/limits.ts'
import { onlyColumns } from '../core/onlyColumns.ts'
import { pick } from '../core/pick.ts'
import { limitOf } from '../core/quotas.ts'
import { locked } from '../db/locked.ts'
import { mailList } from '../domain/mail/list.ts'
import { ORGANIZATION, organizationOf, senderOf, settingsIn } from '../domain/organization.ts'
import { meOf, preferencesOf } from '../domain/user/records.ts'
import { closedBefore } from '../domain/visit/retention.ts'
import { PAUSED_BY, pauseWebhooksOf } from '../domain/webhook/pauseAll.ts'
import { withFooter } from '../mail/letter.ts'
import { testMail } from '../mail/letters.ts'
import { tellOwner } from '../mail/tellOwner.ts'
import { namedFavourites } from '../search-index/namedFavourites.ts'
import { createKey, listKeys, revokeKey } from './account/keys.ts'
import { mailText, retryMail, revealMail, withdrawMail } from './account/outbox.ts'
import { endActing, endSessions } from './session/sessions.ts'
import { cancelOwnEmail, cancelPending, emailChange, proveOwn, resendOwnEmail } from './user/newEmail.ts'

const me = (ctx: Ctx) => meOf(ctx.db, ctx.today, { ...ctx.caller, user: ctx.user })

async function configOf(ctx: Ctx) {
  const { name, product, support_mail, support_team } = await organizationOf(ctx.db)
  const { mapStyleUrl, timeZone, analytics } = ctx.services.settings
  return { name, product, support_mail, support_team, map_style_url: mapStyleUrl, time_zone: timeZone, analytics }
}

async function organization(ctx: Ctx) {
  const { lock_version, settings, sender_name, sender_mail, reply_to, mail_footer } = await organizationOf(ctx.db)
  const { publicUrl, smtpUrl, limits } = ctx.services.settings
  return {
    ...(await configOf(ctx)),
    sender_name,
    sender_mail,
    reply_to,
    mail_footer,
    mail_host: smtpUrl ? new URL(smtpUrl).host : '',
    limits: Object.entries(LIMITS).map(([name, { about }]) => ({ name, about, value: limits[name as LimitName] })),
    lock_version,
    public_url: publicUrl,
    mail: smtpUrl ? ('smtp' as const) : ('outbox' as const),
    ...settings,
    visitation: await visitationOf(ctx.db, settings),
  }
}

/** The settings of visitation as one object. */
const visitationOf = async (db: Ctx['db'], settings: Settings): Promise<z.output<typeof Visitation>> => ({
  keep_months: settings.visits_keep_months,
  silence_days: settings.visits_silence_days,
  timeout_seconds: settings.visits_timeout_seconds,
  closed_since: await closedBefore(db),
})

/**
 * The settings that `visitation` changes, under their flat names.
 * Unchanged parts are left out, so that a record written back with one flat field changed is accepted.
 */
async function visitsIn(
  ctx: Ctx,
  patch: Partial<z.output<typeof Visitation>>,
  flat: Partial<Settings>,
): Promise<Partial<Settings>> {
  const { settings } = await organizationOf(ctx.tx)
  const was = await visitationOf(ctx.tx, settings)
  if (patch.closed_since !== undefined && patch.closed_since !== was.closed_since)
    throw invalid('visitation.closed_since', 'closed_since can’t be set: it follows from the deleted visits')
  const changed: Partial<Settings> = {}
  for (const [name, setting] of Object.entries(VISITATION) as [
    keyof typeof VISITATION,
    (typeof VISITATION)[keyof typeof VISITATION],
  ][]) {
    const value = patch[name]
    if (value === undefined || value === was[name]) continue
    if (flat[setting] !== undefined && flat[setting] !== was[name] && flat[setting] !== value)
      throw invalid(`visitation.${name}`, `visitation.${name} and ${setting} must match`)
    changed[setting] = value
  }
  return changed
}

/** Sends the caller a mail right now, and returns the mail server's response. */
const sendTestMail = ownTransaction({ noKey: 'each call sends another email' }, async (ctx: Ctx) => {
  const { mailer, log } = ctx.services
  const { email, first_name } = ctx.user
  const answer = (accepted: boolean, words: string) => ({ data: { accepted, words, to: email }, message: words })
  if (!mailer.sends) return answer(false, 'No mail server: emails are kept in the Outbox.')
  const names = await organizationOf(ctx.db)
  const sender = senderOf(names)
  const { subject, text, html } = withFooter(testMail(names, { first_name }), names.mail_footer)
  const messageId = `<test-${randomUUID()}@${sender.from.address.split('@')[1]}>`
  try {
    await mailer.deliver({ ...sender, to: email, subject, text, html, messageId })
  } catch (error) {
    if (!(error instanceof WorkRefused)) throw error
    log.warn({ reason: error.message }, 'sending a test email failed')
    return answer(false, error.message)
  }
  return answer(true, `The mail server accepted it for ${email}.`)
})

/** The organization's row, created by its first edit; null if the edit changes nothing. */
async function organizationRow(ctx: Ctx, patch: object): Promise<number | null> {
  const { id, settings, ...shown } = await organizationOf(ctx.tx)
  if (id !== null) return id
  if (!Object.keys(difference({ ...shown, ...settings }, patch).after).length) return null
  const row = await ctx.tx
    .insertInto('organizations')
    .values(onlyColumns('organizations', { ...ORGANIZATION, settings: '{}', created_at: ctx.now, updated_at: ctx.now }))
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/** Writes names to their columns and settings to theirs; the history names each setting. */
async function changeOrganization(ctx: Ctx, id: number, patch: Partial<Settings>, lock: number | undefined): Promise<void> {
  const query = ctx.tx.selectFrom('organizations').selectAll().where('id', '=', id)
  const { settings, ...row } = await locked(ctx.services.database, query).executeTakeFirstOrThrow()
  const was = settingsIn(settings)
  const names = Object.keys(SETTINGS)
  const { before, after } = difference({ ...row, ...was }, patch)
  if (lock !== undefined && lock !== row.lock_version && Object.keys(after).length)
    throw stale('organization', { ...row, ...was }, patch, Object.keys(after))
  const anew = Object.fromEntries(Object.entries(after).filter(([name]) => names.includes(name)))
  const { usual_margin, margin_floor } = { ...was, ...anew }
  if (margin_floor > usual_margin)
    throw invalid('margin_floor', `The least margin can’t be above the usual margin of ${percent(usual_margin)}`)
  const columns = Object.fromEntries(Object.entries(after).filter(([name]) => !names.includes(name)))
  const settingsPatch = Object.keys(anew).length ? { settings: JSON.stringify({ ...JSON.parse(settings), ...anew }) } : {}
  await change(ctx, 'organizations', {
    subject: 'organization',
    id,
    patch: { ...columns, ...settingsPatch },
    line: { before, after },
    change: { noun: 'organization', audience: 'admin' },
  })
}

/** Merges preferences in without raising the user's lock, so that they never make another edit stale. */
async function setPreferences(ctx: Ctx, preferences: Record<string, unknown>): Promise<void> {
  const query = ctx.tx.selectFrom('users').select('preferences').where('id', '=', ctx.user.id)
  const was = preferencesOf(await locked(ctx.services.database, query).executeTakeFirstOrThrow())
  const next = JSON.stringify({ ...was, ...preferences })
  const most = limitOf(ctx, 'preferences_kb')
  if (Buffer.byteLength(next) > most * 1024)
    throw new HttpError(413, 'limit_reached', `Your preferences can hold ${shown(most)} KB. Reset shortcuts that you don’t use.`)
  const changed = Object.keys(preferences).filter((key) => JSON.stringify(was[key]) !== JSON.stringify(preferences[key]))
  if (!changed.length) return
  await ctx.tx.updateTable('users').set({ preferences: next }).where('id', '=', ctx.user.id).execute()
  await ctx.record({ subject: 'user', subject_id: ctx.user.id, before: pick(was, changed), after: pick(preferences, changed) })
  ctx.emit({ noun: 'account', id: ctx.user.id, audience: 'user', user_id: ctx.user.id })
}

/** What stopped with the other sessions, as they may have begun it. */
const stoppedLines = (paused: readonly string[], cancelled: string | null): string[] => [
  ...(paused.length
    ? [`Paused ${paused.length === 1 ? 'the webhook' : 'the webhooks'} ${paused.map((name) => `“${name}”`).join(', ')}.`]
    : []),
  ...(cancelled ? [`Your new email ${cancelled} was cancelled.`] : []),
]

export const accountHandlers: HandlersOf<typeof accountCalls> = {
  'account.get': async (ctx) => ({ data: await me(ctx) }),
  'account.edit': preceded(proveOwn, async (ctx) => {
    const { preferences, lock_version, email, current_password: _, ...patch } = ctx.input
    if (preferences) await setPreferences(ctx, preferences)
    const { patch: pending, also, after } = await emailChange(ctx, ctx.user, email)
    const row = await change(ctx, 'users', {
      subject: 'user',
      id: ctx.user.id,
      patch: { ...patch, ...pending },
      also,
      lock: lock_version,
      change: { noun: 'account', audience: 'user', user_id: ctx.user.id },
    })
    const waits = await after()
    if (row.lock_version !== ctx.user.lock_version) ctx.emit({ noun: 'user', id: row.id, audience: 'admin' })
    const data = await meOf(ctx.db, ctx.today, { ...ctx.caller, user: { ...row, ...also } })
    const message = describeEffect(ctx, 'account.edit', { words: ['account', 'accounts'], also: [waits] })
    return { data, message }
  }),
  'account.resendEmail': resendOwnEmail,
  'account.cancelEmail': cancelOwnEmail,
  async 'account.favourites'(ctx) {
    const user = await ctx.db.selectFrom('users').select('preferences').where('id', '=', ctx.user.id).executeTakeFirstOrThrow()
    return namedFavourites(ctx, (preferencesOf(user).favourites ?? []) as string[])
  },
  async 'account.sessions'(ctx) {
    const rows = await ctx.db
      .selectFrom('sessions')
      .selectAll()
      .where('user_id', '=', ctx.user.id)
      .where('expires_at', '>', ctx.now)
      .orderBy('last_seen_at', 'desc')
      .orderBy('id', 'desc')
      .execute()
    const data = rows.map(({ id, client, user_agent, created_at, last_seen_at, expires_at, admin_id }) => ({
      id,
      client,
      user_agent,
      created_at,
      last_seen_at,
      expires_at,
      current: id === ctx.caller.session?.id,
      acting: admin_id !== null,
    }))
    return { data, count: data.length, page: 1 }
  },
  async 'account.endSession'(ctx) {
    if (!(await endSessions(ctx, ctx.user.id, { id: ctx.input.id }))) throw notFound('This session')
    // Acting sessions don't record their device, which may be this one.
    await endActing(ctx, ctx.user.id)
    await ctx.record({ subject: 'user', subject_id: ctx.user.id })
    return { message: describeEffect(ctx, 'account.endSession', { words: ['that device', 'those devices'] }) }
  },
  async 'account.endOtherSessions'(ctx) {
    const ended = await endSessions(ctx, ctx.user.id, { but: ctx.caller.session!.id })
    await endActing(ctx, ctx.user.id)
    if (ended) await ctx.record({ subject: 'user', subject_id: ctx.user.id })
    const paused_webhooks = await pauseWebhooksOf(ctx, ctx.user.id, PAUSED_BY.devices)
    const cancelled_email = await cancelPending(ctx, ctx.user)
    const paused = paused_webhooks.map(({ name }) => name)
    if (paused.length || cancelled_email) await tellOwner(ctx, ctx.user, 'signed out', { paused, cancelled: cancelled_email })
    const facts = { count: ended, words: ['other device', 'other devices'], also: stoppedLines(paused, cancelled_email) } as const
    return { message: describeEffect(ctx, 'account.endOtherSessions', facts), paused_webhooks, cancelled_email }
  },
  'key.list': listKeys,
  'key.create': createKey,
  'key.revoke': revokeKey,
  'organization.config': async (ctx) => ({ data: await configOf(ctx) }),
  'organization.testMail': sendTestMail,
  'organization.get': async (ctx) => ({ data: await organization(ctx) }),
  async 'organization.edit'(ctx) {
    const { lock_version, visitation = {}, ...flat } = ctx.input
    const changes = { ...flat, ...(await visitsIn(ctx, visitation, flat)) }
    const id = await organizationRow(ctx, changes)
    if (id !== null) await changeOrganization(ctx, id, changes, lock_version)
    return {
      data: await organization(ctx),
      message: describeEffect(ctx, 'organization.edit', { words: ['organization', 'organizations'] }),
    }
  },
  'outbox.list': (ctx) => mailList.page(ctx, ctx.input),
  'outbox.get': async (ctx) => ({ data: await mailText(ctx) }),
  'outbox.reveal': revealMail,
  'outbox.retry': retryMail,
  'outbox.withdraw': withdrawMail,
}
