import { verdictOn } from '../../../contract/access.ts'
import type { Ctx } from '../../core/context.ts'
import { assertAllowed, forbidden, HttpError, notFound } from '../../core/errors.ts'
import { MAIL_COLUMNS, withActions } from '../../domain/mail/list.ts'
import type { MailRow } from '../../domain/mail/outbox.ts'
import { withdrawLetters } from '../../domain/mail/outbox.ts'
import { secretsOf, withoutSecrets } from '../../domain/mail/secrets.ts'

async function mailOf(ctx: Ctx<{ id: number }>): Promise<MailRow> {
  const row = await ctx.db.selectFrom('mails').selectAll().where('id', '=', ctx.input.id).executeTakeFirst()
  if (!row) throw notFound('This mail')
  return row
}

/** A mail in a list. */
const shown = (ctx: Ctx<{ id: number }>, mail: MailRow) => withActions(ctx, pick(mail, MAIL_COLUMNS))
const pick = <T extends object, K extends keyof T>(from: T, names: readonly K[]): Pick<T, K> =>
  Object.fromEntries(names.map((name) => [name, from[name]])) as Pick<T, K>

/** Whether a mail's secret can be shown; never for an administrator's account, which the reader could sign in to. */
async function secretIn(ctx: Ctx, mail: MailRow): Promise<'none' | 'hidden' | 'withheld' | 'over'> {
  if (mail.redacted_at) return 'over'
  const secrets = secretsOf(mail)
  if (!secrets.length) return 'none'
  if (mail.secrets_until && mail.secrets_until <= ctx.now) return 'over'
  const user = mail.user_id ?? Number(/ user:(\d+)$/.exec(mail.about)?.[1] ?? 0)
  const opens = user
    ? await ctx.db.selectFrom('users').select('role').where('id', '=', user).executeTakeFirst()
    : // An older release stored only the address.
      await ctx.db
        .selectFrom('users')
        .select('role')
        .where('email', '=', mail.to_address)
        .where('role', '=', 'admin')
        .executeTakeFirst()
  return opens?.role === 'admin' ? 'withheld' : 'hidden'
}

/** One mail with its text, without secrets; throws 404. */
export async function mailText(ctx: Ctx<{ id: number }>) {
  const mail = await mailOf(ctx)
  const secrets = secretsOf(mail)
  return {
    ...shown(ctx, mail),
    body: withoutSecrets(mail.body, secrets),
    html: withoutSecrets(mail.html, secrets),
    secret: await secretIn(ctx, mail),
  }
}

/** One mail with its secrets; the history keeps who revealed them. */
export async function revealMail(ctx: Ctx<{ id: number }>) {
  const mail = await mailOf(ctx)
  const secret = await secretIn(ctx, mail)
  if (secret === 'withheld')
    throw forbidden('This link opens an administrator’s account, so nobody can see it. You can send the mail again.')
  if (secret === 'over') throw new HttpError(409, 'not_now', 'The link or password in this mail was used or has expired.')
  if (secret === 'hidden')
    await ctx.record({ subject: 'outbox', subject_id: mail.id, after: { to: mail.to_address, about: mail.about } })
  return { data: { ...shown(ctx, mail), body: mail.body, html: mail.html, secret } }
}

/** Queues a failed, kept or withdrawn mail again; not after its links were removed. */
export async function retryMail(ctx: Ctx<{ id: number }>) {
  const mail = await mailOf(ctx)
  assertAllowed(verdictOn('outbox.retry', ctx.actor, mail))
  if ((await secretIn(ctx, mail)) === 'over')
    throw new HttpError(409, 'not_now', 'The link or password in this mail was used or has expired. Send a new one.')
  await ctx.tx
    .updateTable('mails')
    .set({ status: 'queued', attempts: 0, error: '', not_before: ctx.now, sent_at: null })
    .where('id', '=', mail.id)
    .where('status', '=', mail.status)
    .execute()
  await ctx.record({ subject: 'outbox', subject_id: mail.id, before: { status: mail.status }, after: { status: 'queued' } })
  ctx.emit({ noun: 'outbox', id: mail.id, audience: 'admin' })
  ctx.after(() => ctx.services.jobs.wake())
  return { data: shown(ctx, await mailOf(ctx)), message: 'The mail is on its way.' }
}

/** Withdraws a mail that wasn't sent yet. */
export async function withdrawMail(ctx: Ctx<{ id: number }>) {
  const mail = await mailOf(ctx)
  assertAllowed(verdictOn('outbox.withdraw', ctx.actor, mail))
  // The sender took it at this very moment.
  if (!(await withdrawLetters(ctx, { id: mail.id })))
    assertAllowed(verdictOn('outbox.withdraw', ctx.actor, { status: 'sending' }))
  await ctx.record({ subject: 'outbox', subject_id: mail.id, before: { status: mail.status }, after: { status: 'withdrawn' } })
  return { data: shown(ctx, await mailOf(ctx)), message: 'Mail cancelled.' }
}
