import type { ExpressionBuilder, Selectable } from 'kysely'
import type { Ctx } from '../../core/context.ts'
import { type Database, type Tx, transact } from '../../db/connect.ts'
import type { MailTable, Schema } from '../../db/schema.ts'

export type MailRow = Selectable<MailTable>

/** A mail to queue. */
export interface Mail {
  to: string
  subject: string
  text: string
  html?: string | undefined
  /** Its subject for the Outbox: `invitation user:12`. */
  about: string
  /** ISO time in UTC at which it is queued; now without it. */
  at?: string
  /** ISO time in UTC before which it isn't sent. */
  notBefore?: string | undefined
  /** The exact secrets in its text, and the ISO time when they expire. */
  secrets?: readonly string[] | undefined
  secretsUntil?: string | undefined
  /** The account that its secrets open. */
  account?: number | undefined
}

/** Queues a mail in the caller's transaction and returns its id; the jobs send it after the commit. */
export async function queueMail(tx: Tx, mail: Mail): Promise<number> {
  const now = mail.at ?? new Date().toISOString()
  const row = await tx
    .insertInto('mails')
    .values({
      to_address: mail.to,
      subject: mail.subject,
      body: mail.text,
      html: mail.html ?? '',
      status: 'queued',
      error: '',
      about: mail.about,
      not_before: mail.notBefore ?? now,
      created_at: now,
      sent_at: null,
      secrets: JSON.stringify(mail.secrets ?? []),
      secrets_until: mail.secrets?.length ? (mail.secretsUntil ?? null) : null,
      user_id: mail.account ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/** Without an SMTP server, marks due mails as kept in the Outbox; returns how many. */
export async function keepDue(database: Database, now: Date): Promise<number> {
  const at = now.toISOString()
  const due = (eb: ExpressionBuilder<Schema, 'mails'>) => eb('status', 'in', ['queued', 'sending']).and('not_before', '<=', at)
  // Usually there are none, and a transaction would count as a write.
  if (!(await database.db.selectFrom('mails').select('id').where(due).limit(1).executeTakeFirst())) return 0
  return transact(database, async (tx) => {
    const update = tx.updateTable('mails').set({ status: 'outbox', sent_at: at }).where(due)
    return Number((await update.executeTakeFirstOrThrow()).numUpdatedRows)
  })
}

/** Withdraws queued mails about something; returns how many. */
export async function withdrawLetters(ctx: Ctx, where: { about?: string; id?: number }): Promise<number> {
  let query = ctx.tx
    .updateTable('mails')
    .set({ status: 'withdrawn', error: 'withdrawn before it was sent' })
    .where('status', '=', 'queued')
  if (where.about !== undefined) query = query.where('about', '=', where.about)
  if (where.id !== undefined) query = query.where('id', '=', where.id)
  const { numUpdatedRows } = await query.executeTakeFirstOrThrow()
  if (numUpdatedRows) ctx.emit({ noun: 'outbox', id: where.id ?? 0, audience: 'admin' })
  return Number(numUpdatedRows)
}
