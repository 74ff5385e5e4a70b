import type { Insertable, Selectable, Updateable } from 'kysely'
import { locked } from '../db/locked.ts'
import type { Schema } from '../db/schema.ts'
import type { Ctx, HistoryLine } from './context.ts'
import { HttpError, notFound } from './errors.ts'
import type { ColumnsAlone } from './onlyColumns.ts'
import type { Change } from './ports.ts'

/** Tables of records that are changed under a lock. */
export type VersionedTable = {
  [T in keyof Schema]: Schema[T] extends { lock_version: unknown; updated_at: unknown; id: unknown } ? T : never
}[keyof Schema] &
  string

interface How<T extends VersionedTable, P = Updateable<Schema[T]>, A = Updateable<Schema[T]>> {
  /** The noun in history and messages. */
  subject: string
  id: number
  patch: P & ColumnsAlone<P, T>
  /** Columns that follow from the patch, written with it; the history leaves them out. */
  also?: A & ColumnsAlone<A, T>
  /** The version the caller saw; a stale one gets a 409 with both versions. */
  lock?: number | undefined
  /** The record, if the transaction has locked and read it already, and has not written it since. */
  held?: Selectable<Schema[T]>
  line?: Partial<HistoryLine>
  change?: Partial<Change> & Pick<Change, 'noun'>
}

/** The fields of a patch that differ from a record, before and after. */
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
 * Changes one record: checks and raises the lock, writes what differs with a history row, and emits the change.
 * Writes nothing if nothing differs.
 * Throws 404, or 409 `stale` with `mine`, `theirs` and the conflicting fields (decisions.md 9).
 */
export async function change<
  T extends VersionedTable,
  P extends Updateable<Schema[T]>,
  A extends Updateable<Schema[T]> = Updateable<Schema[T]>,
>(ctx: Ctx, table: T, how: How<T, P, A>): Promise<Selectable<Schema[T]>> {
  // Kysely can't follow a type parameter through its builder, so the helper names one of the tables.
  const rows = table as 'projects'
  const query = ctx.tx.selectFrom(rows).selectAll().where('id', '=', how.id)
  const held = how.held as Selectable<Schema['projects']> | undefined
  const record = held ?? (await locked(ctx.services.database, query).executeTakeFirst())
  if (!record || (record as { deleted_at?: unknown }).deleted_at) throw notFound(`This ${how.subject}`)
  const { before, after } = difference(record, how.patch)
  if (how.lock !== undefined && how.lock !== record.lock_version && Object.keys(after).length)
    throw stale(how.subject, record, how.patch, Object.keys(after))
  if (!Object.keys(after).length) return record as unknown as Selectable<Schema[T]>
  // The row that an undo compares with, which would be read once more otherwise.
  const executor = ctx.tx.getExecutor() as { hold?: (table: string, row: object) => void }
  executor.hold?.(table, record)
  await ctx.tx
    .updateTable(rows)
    .set({ ...after, ...how.also, updated_at: ctx.now, lock_version: record.lock_version + 1 })
    .where('id', '=', how.id)
    .execute()
  ctx.notePrevious(how.subject, how.id, before)
  await ctx.record({ subject: how.subject, subject_id: how.id, before: redact(before), after: redact(after), ...how.line })
  if (how.change) ctx.emit({ id: how.id, ...how.change })
  return { ...record, ...after, updated_at: ctx.now, lock_version: record.lock_version + 1 } as unknown as Selectable<Schema[T]>
}

interface Added<T extends VersionedTable, V, A> {
  /** The noun in the history. */
  subject: string
  /** What the history says; `also` has the columns that it leaves out. */
  values: V & ColumnsAlone<V, T>
  also?: A & ColumnsAlone<A, T>
  line?: Partial<HistoryLine>
  change?: Partial<Change> & Pick<Change, 'noun'>
}

/** Adds one record with a history row, and emits it; returns its id. */
export async function add<
  T extends VersionedTable,
  V extends Partial<Insertable<Schema[T]>>,
  A extends Partial<Insertable<Schema[T]>> = Partial<Insertable<Schema[T]>>,
>(ctx: Ctx, table: T, { subject, values, also, line, change }: Added<T, V, A>): Promise<number> {
  const row = { ...values, ...also, created_at: ctx.now, updated_at: ctx.now } as unknown as Insertable<Schema['teams']>
  const { id } = await ctx.tx
    .insertInto(table as 'teams')
    .values(row)
    .returning('id')
    .executeTakeFirstOrThrow()
  await ctx.record({ subject, subject_id: id, after: values, ...line })
  if (change) ctx.emit({ id, ...change })
  return id
}

/** Deletes one record softly, as a change whose event drops it. */
export const drop = <T extends VersionedTable>(
  ctx: Ctx,
  table: T,
  how: Omit<How<T>, 'patch' | 'lock'> & Required<Pick<How<T>, 'change'>>,
) =>
  change<T, Updateable<Schema[T]>>(ctx, table, {
    ...how,
    patch: { deleted_at: ctx.now } as unknown as How<T>['patch'],
    change: { ...how.change, kind: 'drop' },
  })

/** Columns never shown: secrets, and what is private to the user. */
export const PRIVATE = /hash|password|token|preferences|storage_key/

/**
 * Builds the 409 for a concurrent edit; `theirs` has the current values of the sent fields, and the version.
 * server/http/writes.ts adds the rest of the record as its read returns it, never a raw database row.
 */
export function stale(
  subject: string,
  record: { id: number; lock_version: number; updated_at: string },
  patch: object,
  clashes: readonly string[] = Object.keys(patch),
): HttpError {
  const shown = Object.keys(patch).filter((name) => !PRIVATE.test(name))
  const pick = (from: object) => Object.fromEntries(shown.map((name) => [name, (from as Record<string, unknown>)[name]]))
  const { id, lock_version, updated_at } = record
  return new HttpError(409, 'stale', `This ${subject} was changed by someone else since you opened it.`, {
    theirs: { ...pick(record), id, lock_version, updated_at },
    mine: pick(patch),
    clashes: clashes.filter((name) => !PRIVATE.test(name)),
  })
}

/** Keeps secrets out of the history. */
function redact(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, /hash|password|token/.test(key) ? '…' : value]))
}
