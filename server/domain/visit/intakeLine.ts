import { isWithin } from '../../core/clockSkew.ts'
import type { Tx } from '../../db/connect.ts'

/** A sender's batches within this time share a line of a service's history. */
const WITHIN_MS = 3_600_000

/** The sender of visits, for the history: a user, a key, or the command line. */
export interface Sender {
  actor_id: number | null
  admin_id: number | null
  reason: string
  key: { api_key?: number; key?: string }
}

/** A line of a service's history, with its counts. */
export interface IntakeLine {
  id: number
  added: number
  errors: number
}

/**
 * The service's last line, if it is the same sender's and less than an hour old; further visits are added to it.
 * It keeps frequent small batches from filling the history. The visits lock the service until the commit.
 */
export async function openLine(tx: Tx, service: number, sender: Sender, now: string): Promise<IntakeLine | null> {
  const last = await tx
    .selectFrom('history')
    .select(['id', 'action', 'actor_id', 'admin_id', 'reason', 'after', 'at'])
    .where('subject', '=', 'service')
    .where('subject_id', '=', service)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (last?.action !== 'visit.ingest' || !isWithin(last.at, now, WITHIN_MS)) return null
  const { added, errors, ...key } = JSON.parse(last.after) as { added: number; errors: number }
  const by = ({ actor_id, admin_id, reason }: typeof last | Sender) => JSON.stringify([actor_id, admin_id, reason])
  return by(last) === by(sender) && JSON.stringify(key) === JSON.stringify(sender.key) ? { id: last.id, added, errors } : null
}

/** Updates the counts of an existing line. */
export async function writeLine(tx: Tx, { id, ...counts }: IntakeLine, key: Sender['key']): Promise<void> {
  await tx
    .updateTable('history')
    .set({ after: JSON.stringify({ ...counts, ...key }) })
    .where('id', '=', id)
    .execute()
}
