import { type Insertable, sql, type Updateable } from 'kysely'
import { countedUntil } from '../../core/clockSkew.ts'
import type { Ctx } from '../../core/context.ts'
import { onlyColumns } from '../../core/onlyColumns.ts'
import { ago, DAY_MS } from '../../core/quotas.ts'
import { type Database, type Tx, transact } from '../../db/connect.ts'
import type { FileTable } from '../../db/schema.ts'

const HOUR_MS = 3_600_000

/** Sums of a user's uploads, null without any; a content counts once, even if copies of its project share it. */
export async function uploadSums(ctx: Pick<Ctx, 'db' | 'now'>, person: number) {
  const from = (within: number) =>
    sql<number>`case when contents.at > ${ago(ctx, within)} and contents.at <= ${countedUntil(ctx)} then 1 else 0 end`
  return ctx.db
    .selectFrom(
      ctx.db
        .selectFrom('files')
        .select((eb) => [eb.fn.max('size').as('size'), eb.fn.min('created_at').as('at')])
        .where('uploaded_by', '=', person)
        .where('kind', '<>', 'export')
        .groupBy('storage_key')
        .as('contents'),
    )
    .select((eb) => [
      eb.fn.countAll<number>().as('files'),
      sql<number>`sum(contents.size)`.as('bytes'),
      sql<number>`sum(${from(DAY_MS)})`.as('day_files'),
      sql<number>`sum(contents.size * ${from(DAY_MS)})`.as('day_bytes'),
      sql<number>`sum(${from(HOUR_MS)})`.as('hour_files'),
      sql<number>`sum(contents.size * ${from(HOUR_MS)})`.as('hour_bytes'),
    ])
    .executeTakeFirstOrThrow()
}

/** The caller's uploads since a moment, newest first, each content once. */
export const uploadsSince = (ctx: Ctx, since: string) =>
  ctx.db
    .selectFrom('files')
    .select((eb) => ['storage_key', eb.fn.max('size').as('size'), eb.fn.min('created_at').as('at')])
    .where('uploaded_by', '=', ctx.actor.id)
    .where('kind', '<>', 'export')
    .where('created_at', '>', since)
    .where('created_at', '<=', countedUntil(ctx))
    .groupBy('storage_key')
    .orderBy('at', 'desc')
    .execute()

/** File-store keys that `files` refers to. */
export async function keysNamed({ db }: Database): Promise<string[]> {
  const rows = await db.selectFrom('files').select(['storage_key', 'thumb_key']).execute()
  return rows.flatMap((row) => (row.thumb_key ? [row.storage_key, row.thumb_key] : [row.storage_key]))
}

/** Each content with the first file that has it, in order of the files. */
export async function* contentsNamed({ db }: Database) {
  // Copies of a project share contents.
  const seen = new Set<string>()
  for (let after = 0; ; ) {
    const rows = await db
      .selectFrom('files')
      .select(['id', 'storage_key', 'thumb_key', 'size', 'sha256'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(1000)
      .execute()
    for (const row of rows) if (seen.size < seen.add(row.storage_key).size) yield row
    const last = rows.at(-1)
    if (!last || rows.length < 1000) return
    after = last.id
  }
}

/** The places in the ids of files from which samples are taken, and how many files each is. */
const PLACES = 20
const AT_EACH = 25

/** At most 500 files from the oldest to the newest, for a look at whether their contents are there. */
export async function contentSamples({ db }: Database): Promise<{ id: number; storage_key: string }[]> {
  const { first, last } = await db
    .selectFrom('files')
    .select((eb) => [eb.fn.min('id').as('first'), eb.fn.max('id').as('last')])
    .executeTakeFirstOrThrow()
  const samples = new Map<number, { id: number; storage_key: string }>()
  if (first === null || last === null) return []
  const step = Math.max(AT_EACH, Math.ceil((last - first + 1 - AT_EACH) / (PLACES - 1)))
  for (let from = first; from <= last; from += step) {
    const rows = await db
      .selectFrom('files')
      .select(['id', 'storage_key'])
      .where('id', '>=', from)
      .orderBy('id')
      .limit(AT_EACH)
      .execute()
    for (const row of rows) samples.set(row.id, row)
  }
  return [...samples.values()]
}

/** Those of some files that are still there. */
export async function filesLeft({ db }: Database, ids: readonly number[]): Promise<number[]> {
  if (!ids.length) return []
  return (await db.selectFrom('files').select('id').where('id', 'in', ids).orderBy('id').execute()).map(({ id }) => id)
}

/** The fields needed to send a file; undefined if it is gone. */
export const fileToSend = ({ db }: Database, id: number) =>
  db.selectFrom('files').select(['storage_key', 'mime', 'rotation']).where('id', '=', id).executeTakeFirst()

/** The file that has waited longest for its thumbnail, and how many wait. */
export async function thumbsQueued({ db }: Database) {
  const waiting = db.selectFrom('files').where('thumb_state', '=', 'queued')
  const columns = ['storage_key', 'mime', 'thumb_tries'] as const
  const first = await waiting.select(columns).orderBy('id').limit(1).executeTakeFirst()
  const { count } = await waiting.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  return { first, count: Number(count) }
}

/** True while a job of a kind is queued. */
export const jobWaits = async (tx: Tx, kind: string): Promise<boolean> =>
  !!(await tx.selectFrom('jobs').select('id').where('kind', '=', kind).where('status', '=', 'queued').executeTakeFirst())

/** The properties of a picture or video, known once it has been examined. */
export type Looked = Pick<Updateable<FileTable>, 'width' | 'height' | 'seconds' | 'thumb_fault'> & {
  thumb_key: string
  thumb_state: 'done' | 'failed' | 'none'
}

/**
 * Files that wait for the thumbnail of a content: copies of a project share it, so it is examined once for all.
 * Their locks stay, because nobody changes the files.
 */
const waitingFor = (tx: Tx, storage_key: string) =>
  tx.updateTable('files').where('storage_key', '=', storage_key).where('thumb_state', '=', 'queued')

/** Counts that the reading of a content begins, or takes that back; false if no file waits for it. */
export async function thumbBegun(tx: Tx, storage_key: string, by: 1 | -1): Promise<boolean> {
  const counted = await waitingFor(tx, storage_key)
    .set((eb) => ({ thumb_tries: eb('thumb_tries', '+', by) }))
    .executeTakeFirst()
  return Number(counted.numUpdatedRows) > 0
}

/** Records a thumbnail; returns its files, none if another process did it, or they are gone. */
export const thumbMade = (tx: Tx, storage_key: string, looked: Looked) =>
  waitingFor(tx, storage_key).set(looked).returning(['id', 'project_id']).execute()

/** Deletes rows of exports older than a moment, at most a hundred; returns them, to delete their contents. */
export async function takeOldExports(database: Database, before: string): Promise<{ id: number; storage_key: string }[]> {
  const old = await database.db
    .selectFrom('files')
    .select(['id', 'storage_key'])
    .where('kind', '=', 'export')
    .where('created_at', '<', before)
    .limit(100)
    .execute()
  if (!old.length) return []
  const ids = old.map((file) => file.id)
  await transact(database, (tx) => tx.deleteFrom('files').where('id', 'in', ids).execute())
  return old
}

/** Adds the row of an exported file; returns its id. */
export async function addExport(
  tx: Tx,
  at: string,
  file: Pick<Insertable<FileTable>, 'original_name' | 'storage_key' | 'mime' | 'size' | 'sha256' | 'uploaded_by' | 'holds'>,
): Promise<number> {
  const { id } = await tx
    .insertInto('files')
    .values(
      onlyColumns('files', {
        ...file,
        kind: 'export',
        project_id: null,
        activity_id: null,
        asset_type: '',
        description: '',
        created_at: at,
        updated_at: at,
      }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
