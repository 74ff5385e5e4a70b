import type { z } from 'zod'
import { allowedActions, MAIL_RULES, type MailFacts } from '../../contract/access.ts'
import type { accountCalls } from '../../contract/account.ts'
import type { Ctx } from '../core/context.ts'
import { matches, offsetOf } from '../core/listing.ts'

/** What a list shows of a mail: never its text. */
export const MAIL_COLUMNS = [
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

/** A mail with what may be done with it. */
export const withActions = <M extends MailFacts>(ctx: Pick<Ctx, 'actor'>, mail: M) => {
  const { allowed_actions, refused_actions } = allowedActions(MAIL_RULES, ctx.actor, mail)
  return { ...mail, allowed_actions, refused_actions: refused_actions as Record<string, string> }
}

/** A page of mails that match, newest first; without their texts. */
export async function listMails(ctx: Ctx<ListQuery>) {
  const { input } = ctx
  const [{ count }, data] = await Promise.all([
    matchingMails(ctx, input)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow(),
    orderedMails(ctx, input)
      .select([...MAIL_COLUMNS])
      .limit(input.per_page)
      .offset(offsetOf(input))
      .execute(),
  ])
  return { data: data.map((mail) => withActions(ctx, mail)), count: Number(count), page: input.page }
}
