import type { Selectable, Updateable } from 'kysely'
import type { Change, Ctx, HistoryLine } from './context.ts'
import type { Schema } from './db/schema.ts'
import { notFound, Refusal } from './refusal.ts'

type Kept = {
  [T in keyof Schema]: Schema[T] extends { lock_version: unknown; updated_at: unknown; id: unknown } ? T : never
}[keyof Schema] &
  string

interface How<T extends Kept> {
  /** The noun as history and messages call it. */
  subject: string
  id: number
  patch: Updateable<Schema[T]>
  /** What the caller saw; a stale one answers 409 with both versions. */
  lock?: number | undefined
  line?: Partial<HistoryLine>
  change?: Partial<Change> & Pick<Change, 'noun'>
}

/** Which of a patch's fields differ from a record, before and after. */
export function difference(record: object, patch: object): { before: Record<string, unknown>; after: Record<string, unknown> } {
  const before: Record<string, unknown> = {}
  const after: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(patch)) {
    const was = (record as Record<string, unknown>)[key]
    if (value === undefined || value === was || (value === null && was === null)) continue
    before[key] = was
    after[key] = value
  }
  return { before, after }
}

/**
 * Changes one record: checks the lock, writes what differs, raises the lock, writes the history row and tells the open workspaces.
 * Nothing differs: nothing is written. Throws 404, or 409 `stale` with `mine`, `theirs` and the clashing fields (decisions.md 9).
 */
export async function change<T extends Kept>(ctx: Ctx, table: T, how: How<T>): Promise<Selectable<Schema[T]>> {
  // One generic helper over every table: Kysely can't follow a type parameter through its builder, so the table is named as one of them.
  const rows = table as 'projects'
  let query = ctx.tx.selectFrom(rows).selectAll().where('id', '=', how.id)
  if (ctx.house.database.engine === 'postgres') query = query.forUpdate()
  const record = await query.executeTakeFirst()
  if (!record || (record as { deleted_at?: unknown }).deleted_at) throw notFound(`This ${how.subject}`)
  const { before, after } = difference(record, how.patch)
  if (how.lock !== undefined && how.lock !== record.lock_version && Object.keys(after).length) {
    throw new Refusal(409, 'stale', `This ${how.subject} was changed by somebody else since you opened it.`, {
      theirs: redact(record),
      mine: redact(how.patch),
      clashes: Object.keys(after),
    })
  }
  if (!Object.keys(after).length) return record as unknown as Selectable<Schema[T]>
  await ctx.tx
    .updateTable(rows)
    .set({ ...after, updated_at: ctx.now, lock_version: record.lock_version + 1 })
    .where('id', '=', how.id)
    .execute()
  await ctx.record({ subject: how.subject, subject_id: how.id, before: redact(before), after: redact(after), ...how.line })
  if (how.change) ctx.emit({ id: how.id, ...how.change })
  return { ...record, ...after, updated_at: ctx.now, lock_version: record.lock_version + 1 } as unknown as Selectable<Schema[T]>
}

/** History never holds what opens a door. */
function redact(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, /hash|password|token/.test(key) ? '…' : value]))
}
