import type { Selectable } from 'kysely'
import type { Db } from '../../db/connect.ts'
import type { TargetTable } from '../../db/schema.ts'
import { EMPTY, type Lists, listChanges, VALUES } from './targetLists.ts'

/** A version of a target, from its history. */
interface Version extends Lists {
  activity_id: number
  version: number
  /** When and by whom; null and '' for a version from before its history. */
  at: string | null
  who: string
  reason: string
  changes: ReturnType<typeof listChanges>
}

const listsOf = (record: object): Lists =>
  Object.fromEntries(VALUES.map((field) => [field, (record as Record<string, string>)[field] ?? ''])) as unknown as Lists
const asLists = (text: string): Partial<Lists> => {
  const fields = JSON.parse(text) as Record<string, unknown>
  return Object.fromEntries(VALUES.flatMap((field) => (typeof fields[field] === 'string' ? [[field, fields[field]]] : [])))
}

/**
 * A target's versions, newest first: each history line raised the version by one, so they are counted backwards.
 * A version from before the history has no date and no name.
 */
export async function versionsOf(db: Db, target: Selectable<TargetTable>): Promise<Version[]> {
  const lines = await db
    .selectFrom('history')
    .leftJoin('users', 'users.id', 'actor_id')
    .select(['history.id', 'before', 'after', 'reason', 'at', 'action', 'users.first_name', 'users.last_name'])
    .where('subject', '=', 'target')
    .where('subject_id', '=', target.id)
    .orderBy('history.id', 'desc')
    .limit(target.version)
    .execute()
  const versions: Version[] = []
  let lists = listsOf(target)
  for (let version = target.version; version >= 1; version--) {
    const line = lines[target.version - version]
    const [before, after] = line ? [asLists(line.before), asLists(line.after)] : [{}, {}]
    const first = version === 1
    versions.push({
      ...lists,
      activity_id: target.activity_id,
      version,
      at: line?.at ?? (versions.length ? null : target.updated_at),
      who: line?.first_name ? `${line.first_name} ${line.last_name}` : '',
      reason: line ? (line.action.startsWith('undo ') ? 'Undone' : line.reason) : '',
      changes: first ? [] : listChanges(before, after),
    })
    if (!line) break
    lists = {
      ...lists,
      ...Object.fromEntries(Object.keys(after).map((field) => [field, EMPTY[field as keyof Lists]])),
      ...before,
    }
  }
  return versions
}
