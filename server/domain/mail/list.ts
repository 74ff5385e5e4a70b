import { type SqlBool, sql } from 'kysely'
import type { z } from 'zod'
import { allowedActions } from '../../../contract/access.ts'
import type { accountCalls } from '../../../contract/account.ts'
import type { Paging } from '../../../contract/listInput.ts'
import { lists } from '../../../contract/listRows.ts'
import type { ColumnOf } from '../../../contract/lists.ts'
import type { MailFacts } from '../../../contract/recordAccess.ts'
import type { Ctx } from '../../core/context.ts'
import { listOf } from '../../core/listBuilder.ts'
import type { MailRow } from './outbox.ts'

/** Columns of a mail in lists: never its text. */
export const MAIL_COLUMNS = [...(Object.keys(lists.mail.columns) as ColumnOf<'mail'>[]), 'not_before'] as const
type Filter = Omit<z.output<(typeof accountCalls)['outbox.list']['input']>, Paging>
type Row = Pick<MailRow, (typeof MAIL_COLUMNS)[number]>

/** A mail with its allowed actions. */
export const withActions = <M extends MailFacts>(ctx: Pick<Ctx, 'actor'>, mail: M) => {
  const { allowed_actions, refused_actions } = allowedActions('mail', ctx.actor, mail)
  return { ...mail, allowed_actions, refused_actions: refused_actions as Record<string, string> }
}

/** Mails, newest first by default. */
export const mailList = listOf<'mail', Filter, Row, ReturnType<typeof withActions<Row>>>('mail', {
  table: 'mails',
  changed: () => [{ table: 'mails', at: ['created_at', 'not_before', 'sent_at', 'redacted_at'] }],
  scope: () => sql<SqlBool>`1 = 1`,
  where: ({ status }) => [status && status !== 'all' ? sql<SqlBool>`mails.status = ${status}` : undefined],
  also: () => [sql`mails.not_before`],
  shown: (ctx, rows) => rows.map((mail) => withActions(ctx, mail)),
  file: { title: () => 'Outbox' },
})
