import type { z } from 'zod'
import type { accountCalls } from '../../contract/account.ts'
import type { Ctx } from '../context.ts'
import { matches, offsetOf } from '../listing.ts'
import type { MailRow } from '../mail/outbox.ts'
import { withdrawLetters } from '../mail/send.ts'
import { notFound, Refusal } from '../refusal.ts'

const COLUMNS = [
  'id',
  'to_address',
  'subject',
  'status',
  'error',
  'attempts',
  'about',
  'not_before',
  'created_at',
  'sent_at',
] as const
type ListQuery = z.output<(typeof accountCalls)['outbox.list']['input']>

/** The mails that match a list's filter, in its order; newest first unless a column sorts. */
function orderedMails(ctx: Ctx, input: Omit<ListQuery, 'page' | 'per_page'>) {
  return matchingMails(ctx, input)
    .orderBy(input.column || 'created_at', input.column ? input.order : 'desc')
    .orderBy('id', 'desc')
}
function matchingMails(ctx: Ctx, { search, status }: Pick<ListQuery, 'search' | 'status'>) {
  const mails = ctx.db.selectFrom('mails').where(matches(ctx.house.database, ['to_address', 'subject', 'about'], search))
  return status && status !== 'all' ? mails.where('status', '=', status) : mails
}

/** Every id that matches, in the order of the list. */
export const mailIds = async (ctx: Ctx, input: Parameters<typeof orderedMails>[1]): Promise<number[]> =>
  (await orderedMails(ctx, input).select('id').execute()).map((row) => row.id)

/** A page of mails that match, newest first; without their texts. */
export async function listMails(ctx: Ctx<ListQuery>) {
  const { input } = ctx
  const [{ count }, data] = await Promise.all([
    matchingMails(ctx, input)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow(),
    orderedMails(ctx, input)
      .select([...COLUMNS])
      .limit(input.per_page)
      .offset(offsetOf(input))
      .execute(),
  ])
  return { data, count: Number(count), page: input.page }
}

/** One mail with its text; throws 404. */
export async function mailOf(ctx: Ctx<{ id: number }>): Promise<MailRow> {
  const row = await ctx.db.selectFrom('mails').selectAll().where('id', '=', ctx.input.id).executeTakeFirst()
  if (!row) throw notFound('This mail')
  return row
}

/** Queues a mail again that failed, was kept, or was withdrawn; one whose links were taken out can't leave twice. */
export async function retryMail(ctx: Ctx<{ id: number }>) {
  const mail = await mailOf(ctx)
  if (mail.status === 'queued' || mail.status === 'sending') throw new Refusal(409, 'not_now', 'This mail is on its way already.')
  if (mail.status === 'sent') throw new Refusal(409, 'not_now', 'This mail was sent already.')
  await ctx.tx
    .updateTable('mails')
    .set({ status: 'queued', attempts: 0, error: '', not_before: ctx.now, sent_at: null })
    .where('id', '=', mail.id)
    .where('status', '=', mail.status)
    .execute()
  await ctx.record({ subject: 'outbox', subject_id: mail.id, before: { status: mail.status }, after: { status: 'queued' } })
  ctx.emit({ noun: 'outbox', id: mail.id, audience: 'admin' })
  ctx.after(() => ctx.house.mailer.wake())
  return { data: await mailOf(ctx), message: 'The mail is on its way.' }
}

/** Takes a mail back that has not left yet. */
export async function withdrawMail(ctx: Ctx<{ id: number }>) {
  const mail = await mailOf(ctx)
  if (!(await withdrawLetters(ctx, { id: mail.id })))
    throw new Refusal(
      409,
      'not_now',
      `This mail can't be taken back: it is ${mail.status === 'outbox' ? 'in the outbox' : mail.status}.`,
    )
  await ctx.record({ subject: 'outbox', subject_id: mail.id, before: { status: mail.status }, after: { status: 'withdrawn' } })
  return { data: await mailOf(ctx), message: 'The mail was taken back.' }
}
