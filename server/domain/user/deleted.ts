import type { Services } from '../../core/context.ts'
import { KEPT_MS } from '../../core/undo/changeSets.ts'

/** What a deleted user's row doesn't keep. Their name and address stay, as the history names who did what. */
export const BLANKED = { password_hash: null, phone: '', birth_date: null } as const

/**
 * Blanks users deleted by a process of an earlier release once nobody can restore them.
 * A deletion blanks its user at once, and its change set, which restores them, is swept after a day.
 */
export async function blankDeleted({ database, now }: Pick<Services, 'database' | 'now'>): Promise<number> {
  const before = new Date(now().getTime() - KEPT_MS).toISOString()
  const { numUpdatedRows } = await database.db
    .updateTable('users')
    .set(BLANKED)
    .where('deleted_at', '<', before)
    .where((eb) => eb.or([eb('password_hash', 'is not', null), eb('phone', '!=', ''), eb('birth_date', 'is not', null)]))
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}
