import type { Selectable } from 'kysely'
import { type Database, transact } from '../db/connect.ts'
import type { MailTable } from '../db/schema.ts'
import { redaction, secretsOf } from './secrets.ts'

export type MailRow = Selectable<MailTable>

/** A try may take so long at most before another process may take the mail up; longer than every SMTP timeout together. */
const LEASE = 10 * 60_000
/** The pauses before the second and every later try; after the last of them the mail has failed. */
const PAUSES = [10, 30, 90, 300, 900, 3600, 3 * 3600].map((seconds) => seconds * 1000)
/** How often a mail is tried. */
export const MAX_TRIES = PAUSES.length + 1

/** Claims the mails that are due, so that no other process sends them: a few at a time, the longest due first. */
export function claimDue(database: Database, now: Date, limit: number): Promise<MailRow[]> {
  return transact(database, async (tx) => {
    // A mail whose sender was killed half way is due again when its lease is over.
    let due = tx
      .selectFrom('mails')
      .selectAll()
      .where('status', 'in', ['queued', 'sending'])
      .where('not_before', '<=', now.toISOString())
      .orderBy('not_before')
      .orderBy('id')
      .limit(limit)
    if (database.engine === 'postgres') due = due.forUpdate().skipLocked()
    const rows = await due.execute()
    if (!rows.length) return []
    const lease = new Date(now.getTime() + LEASE).toISOString()
    await tx
      .updateTable('mails')
      .set((eb) => ({ status: 'sending' as const, not_before: lease, attempts: eb('attempts', '+', 1) }))
      .where(
        'id',
        'in',
        rows.map((row) => row.id),
      )
      .execute()
    return rows.map((row) => ({ ...row, status: 'sending' as const, attempts: row.attempts + 1, not_before: lease }))
  })
}

/** Without an SMTP server: everything that is due goes to the Outbox, where an admin reads it. */
export function toOutbox(database: Database, now: Date): Promise<number> {
  return transact(database, async (tx) => {
    const at = now.toISOString()
    const done = await tx
      .updateTable('mails')
      .set({ status: 'outbox', sent_at: at })
      .where('status', 'in', ['queued', 'sending'])
      .where('not_before', '<=', at)
      .executeTakeFirstOrThrow()
    return Number(done.numUpdatedRows)
  })
}

/** It left: its links and passwords are taken out of our copy. */
export async function markSent(database: Database, mail: MailRow, now: Date): Promise<void> {
  await settle(database, mail, {
    status: 'sent',
    error: '',
    sent_at: now.toISOString(),
    ...(secretsOf(mail).length ? redaction(mail, now.toISOString()) : {}),
  })
}

/** It did not leave: tried again after a growing pause, or failed for good. */
export async function markFailed(database: Database, mail: MailRow, now: Date, error: string, permanent: boolean): Promise<void> {
  const pause = permanent ? undefined : PAUSES[mail.attempts - 1]
  const again =
    pause === undefined
      ? { status: 'failed' as const }
      : { status: 'queued' as const, not_before: new Date(now.getTime() + pause).toISOString() }
  await settle(database, mail, { ...again, error: error.slice(0, 500) })
}

async function settle(database: Database, mail: MailRow, patch: Partial<MailRow>): Promise<void> {
  // Only the holder of the lease settles: whoever took it up later knows better.
  await transact(database, (tx) =>
    tx
      .updateTable('mails')
      .set(patch)
      .where('id', '=', mail.id)
      .where('status', '=', 'sending')
      .where('not_before', '=', mail.not_before)
      .execute(),
  )
}

/** When the next mail is due, or null. */
export async function nextDue(database: Database): Promise<Date | null> {
  const row = await database.db
    .selectFrom('mails')
    .select((eb) => eb.fn.min('not_before').as('at'))
    .where('status', 'in', ['queued', 'sending'])
    .executeTakeFirst()
  return row?.at ? new Date(row.at) : null
}
