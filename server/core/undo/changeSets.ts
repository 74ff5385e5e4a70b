import { RESTORED } from '../../../contract/restored.ts'
import { type Tx, transact } from '../../db/connect.ts'
import { removeContent } from '../contents.ts'
import type { Ctx, HistoryLine, Services } from '../context.ts'
import type { Change } from '../ports.ts'
import type { Recorder, RowChange } from './changeRecorder.ts'

/** How long a write can be undone. */
export const KEPT_MS = 24 * 3_600_000
/** Larger writes can't be undone. */
const MOST_ROWS = 50_000
/** Old change sets are swept after this many new ones in a process. */
const SWEEP_AFTER = 200
let sinceSweep = 0

/** True for a call that `{noun}.restore` reverses. */
const isDeletion = (call: string): boolean => RESTORED.some((noun) => call === `${noun}.remove` || call === `${noun}.removeOlder`)

interface Written {
  call: string
  caller: Ctx['caller']
  /** The key in `attempts`; empty without one. */
  key: string
  now: string
  lines: readonly HistoryLine[]
  events: readonly Change[]
}

/** Stores a write's changes in its transaction; returns the change set's id, or null if nothing can be undone. */
export async function storeChangeSet(tx: Tx, recorder: Recorder, written: Written): Promise<number | null> {
  const rows = await recorder.changes()
  const actor = written.caller.actor
  if (!rows?.length || rows.length > MOST_ROWS || !actor) return null
  const contents = contentsOf(rows)
  const { id } = await tx
    .insertInto('change_sets')
    .values({
      user_id: actor.id,
      admin_id: actor.admin_id,
      call: written.call,
      key: written.key,
      rows: JSON.stringify(rows),
      lines: JSON.stringify(written.lines),
      events: JSON.stringify(written.events),
      contents: contents.length ? JSON.stringify(contents) : '',
      at: written.now,
      removes: isDeletion(written.call) ? 1 : 0,
      token_id: written.caller.token?.id ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** The change set of an earlier write with the same key, or null. */
export async function earlierChangeSet(tx: Tx, userId: number, key: string): Promise<number | null> {
  const row = await tx
    .selectFrom('change_sets')
    .select('id')
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .executeTakeFirst()
  return row?.id ?? null
}

/** File-store keys of added or deleted rows; their contents stay until the undo expires. */
const contentsOf = (rows: readonly RowChange[]): string[] =>
  rows
    .filter(({ table, before, after }) => table === 'files' && (!before || !after))
    .flatMap(({ before, after }) => [(before ?? after)!.storage_key, (before ?? after)!.thumb_key])
    .filter(Boolean)
    .map(String)

/** File-store keys that change sets still refer to. */
export async function contentsInChangeSets(db: Pick<Tx, 'selectFrom'>): Promise<Set<string>> {
  const rows = await db.selectFrom('change_sets').select('contents').where('contents', '!=', '').execute()
  return new Set(rows.flatMap((row) => JSON.parse(row.contents) as string[]))
}

/** Now and then deletes expired change sets, and the contents only they referred to. */
export async function sweepChanges(services: Services, always = false): Promise<void> {
  if (!always && ++sinceSweep % SWEEP_AFTER) return
  const before = new Date(services.now().getTime() - KEPT_MS).toISOString()
  const dropped = await transact(services.database, async (tx) => {
    const old = await tx
      .deleteFrom('change_sets')
      .where('at', '<', before)
      .where('removes', '=', 0)
      .returning('contents')
      .execute()
    const keys = [...new Set(old.flatMap(({ contents }) => (contents ? (JSON.parse(contents) as string[]) : [])))]
    if (!keys.length) return []
    const still = await contentsInChangeSets(tx)
    const rows = await tx
      .selectFrom('files')
      .select(['storage_key', 'thumb_key'])
      .where((eb) => eb.or([eb('storage_key', 'in', keys), eb('thumb_key', 'in', keys)]))
      .execute()
    for (const { storage_key, thumb_key } of rows) still.add(storage_key).add(thumb_key)
    return keys.filter((key) => !still.has(key))
  })
  for (const key of dropped) await removeContent(services.files, key)
}
