import { denialOf } from '../../../contract/access.ts'
import type { MailFacts } from '../../../contract/recordAccess.ts'
import type { Ctx } from '../../core/context.ts'
import { describeEffect } from '../../core/describeEffect.ts'
import { assertAllowed, notFound } from '../../core/errors.ts'
import { pick } from '../../core/pick.ts'
import { MAIL_COLUMNS, withActions } from '../../domain/mail/list.ts'
import { secretsOf, withoutSecrets } from '../../domain/mail/mailSecrets.ts'
import type { MailRow } from '../../domain/mail/outbox.ts'
import { withdrawLetters } from '../../domain/mail/outbox.ts'
import { isOrWasAdmin } from '../../domain/user/lately.ts'

async function mailOf(ctx: Ctx<{ id: number }>): Promise<MailRow> {
  const row = await ctx.db.selectFrom('mails').selectAll().where('id', '=', ctx.input.id).executeTakeFirst()
  if (!row) throw notFound('This email')
  return row
}

/** A mail in a list. */
const shown = (ctx: Ctx<{ id: number }>, mail: MailRow) => withActions(ctx, pick(mail, MAIL_COLUMNS))

/** What the access table needs to know of a mail's text: whether it still holds a secret, and for whose account. */
async function secretIn(ctx: Ctx, mail: MailRow): Promise<NonNullable<MailFacts['secret']>> {
  if (mail.redacted_at) return { state: 'over', opens: null }
  if (!secretsOf(mail).length) return { state: 'none', opens: null }
  if (mail.secrets_until && mail.secrets_until <= ctx.now) return { state: 'over', opens: null }
  const user = mail.user_id ?? Number(/ user:(\d+)$/.exec(mail.about)?.[1] ?? 0)
  const opens = user
    ? await ctx.db.selectFrom('users').select(['id', 'role']).where('id', '=', user).executeTakeFirst()
    : // An older release stored only the address.
      await ctx.db
        .selectFrom('users')
        .select(['id', 'role'])
        .where('email', '=', mail.to_address)
        .where('role', '=', 'admin')
        .executeTakeFirst()
  if (!opens) return { state: 'kept', opens: null }
  return { state: 'kept', opens: (await isOrWasAdmin(ctx, opens)) ? 'admin' : opens.role }
}

/** One mail with its text, without secrets; throws 404. */
export async function mailText(ctx: Ctx<{ id: number }>) {
  const mail = await mailOf(ctx)
  const secrets = secretsOf(mail)
  const { state, opens } = await secretIn(ctx, mail)
  const refused = denialOf('outbox.reveal', ctx.actor, { status: mail.status, secret: { state, opens } })
  return {
    ...shown(ctx, mail),
    body: withoutSecrets(mail.body, secrets),
    html: withoutSecrets(mail.html, secrets),
    secret: state !== 'kept' ? state : refused ? ('withheld' as const) : ('hidden' as const),
  }
}

/** One mail with its secrets; the history keeps who revealed them. */
export async function revealMail(ctx: Ctx<{ id: number }>) {
  const mail = await mailOf(ctx)
  const secret = await secretIn(ctx, mail)
  assertAllowed(denialOf('outbox.reveal', ctx.actor, { status: mail.status, secret }))
  const keeps = secret.state === 'kept'
  if (keeps) await ctx.record({ subject: 'outbox', subject_id: mail.id, after: { to: mail.to_address, about: mail.about } })
  const state = keeps ? ('hidden' as const) : ('none' as const)
  return { data: { ...shown(ctx, mail), body: mail.body, html: mail.html, secret: state } }
}

/** Queues a failed, kept or withdrawn mail again; not after its links were removed. */
export async function retryMail(ctx: Ctx<{ id: number }>) {
  const mail = await mailOf(ctx)
  assertAllowed(denialOf('outbox.retry', ctx.actor, { status: mail.status, secret: await secretIn(ctx, mail) }))
  await ctx.tx
    .updateTable('mails')
    .set({ status: 'queued', attempts: 0, error: '', not_before: ctx.now, sent_at: null })
    .where('id', '=', mail.id)
    .where('status', '=', mail.status)
    .execute()
  await ctx.record({ subject: 'outbox', subject_id: mail.id, before: { status: mail.status }, after: { status: 'queued' } })
  ctx.emit({ noun: 'outbox', id: mail.id, audience: 'admin' })
  ctx.after(() => ctx.services.jobs.wake())
  return { data: shown(ctx, await mailOf(ctx)), message: describeEffect(ctx, 'outbox.retry', { noun: 'mail' }) }
}

/** Withdraws a mail that wasn't sent yet. */
export async function withdrawMail(ctx: Ctx<{ id: number }>) {
  const mail = await mailOf(ctx)
  assertAllowed(denialOf('outbox.withdraw', ctx.actor, mail))
  // The sender took it at this very moment.
  if (!(await withdrawLetters(ctx, { id: mail.id }))) assertAllowed(denialOf('outbox.withdraw', ctx.actor, { status: 'sending' }))
  await ctx.record({ subject: 'outbox', subject_id: mail.id, before: { status: mail.status }, after: { status: 'withdrawn' } })
  return { data: shown(ctx, await mailOf(ctx)), message: describeEffect(ctx, 'outbox.withdraw', { noun: 'mail' }) }
}
