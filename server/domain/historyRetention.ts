import { sql } from 'kysely'
import type { JobKind, Services } from '../core/context.ts'
import { type Database, transact } from '../db/connect.ts'

/**
 * TABLE  subjects whose history is never deleted (docs/operating.md).
 * Prices, rewards and payments need it for an audit, as does who was let in; targets count their versions by it.
 */
const KEPT = [
  'project',
  'proffer',
  'partner',
  'reward',
  'entry',
  'import',
  'vip',
  'user',
  'team',
  'key',
  'token',
  'organization',
  'target',
]

/** Lines looked at in one transaction. */
const AT_ONCE = 2000
/** The row of `meta` with the last line looked at, so that lines that stay aren't read each day. */
const CURSOR = 'history_swept'
const DAY_MS = 24 * 3_600_000

/**
 * Deletes history before a time in short transactions; returns how many lines.
 * The newest line of each record stays, because it says who changed or deleted it.
 */
export async function deleteHistory(database: Database, before: string, signal?: AbortSignal): Promise<number> {
  const row = await database.db.selectFrom('meta').select('value').where('key', '=', CURSOR).executeTakeFirst()
  let deleted = 0
  for (let after = Number(row?.value ?? 0); !signal?.aborted; ) {
    const page = database.db.selectFrom('history').select(['id', 'at']).where('id', '>', after).orderBy('id').limit(AT_ONCE)
    // Lines are numbered as they are written, so the first page without an old one is the end.
    const last = (await page.execute()).findLast(({ at }) => at < before)?.id
    if (last === undefined) break
    deleted += await transact(database, async (tx) => {
      const { numDeletedRows } = await tx
        .deleteFrom('history')
        .where('id', '>', after)
        .where('id', '<=', last)
        .where('at', '<', before)
        .where('subject', 'not in', KEPT)
        .where(
          sql<boolean>`exists (select 1 from history newer where newer.subject = history.subject
            and newer.subject_id = history.subject_id and newer.id > history.id)`,
        )
        .executeTakeFirst()
      const value = String(last)
      await tx
        .insertInto('meta')
        .values({ key: CURSOR, value })
        .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
        .execute()
      return Number(numDeletedRows)
    })
    after = last
  }
  return deleted
}

/** When a process last looked. */
const looked = new WeakMap<Services, number>()

/** Once a day, deletes what is older than HISTORY_YEARS. */
async function keepHistory(services: Services, signal: AbortSignal): Promise<void> {
  const { historyYears } = services.settings
  const now = services.now()
  if (!historyYears || now.getTime() - (looked.get(services) ?? 0) < DAY_MS) return
  const before = new Date(now)
  before.setUTCFullYear(before.getUTCFullYear() - historyYears)
  const deleted = await deleteHistory(services.database, before.toISOString(), signal)
  // Set last, so that a failure is tried again.
  looked.set(services, now.getTime())
  if (deleted) services.log.info(`${deleted} lines of history before ${before.toISOString()} were deleted`)
}

/** Has no jobs of its own; its tick deletes what is past its retention. */
export const historyKind: JobKind = { run: async () => ({}), tick: keepHistory }
