import { sql } from 'kysely'
import { MESSAGES } from '../../contract/messages.ts'
import { wordOf } from '../../contract/nounOf.ts'
import type { SubjectKind } from '../../contract/nouns.ts'
import type { Ctx } from '../core/context.ts'
import { HttpError } from '../core/errors.ts'
import type { Db } from '../db/connect.ts'
import { advisoryLock } from '../db/locked.ts'

interface NamedRow {
  noun: SubjectKind
  /** The column within which names are unique. */
  within: 'client_id' | 'project_id' | null
  /** The error text for a taken name, if it differs from the usual one (screens-quote-flow.md, Channel partners). */
  taken?: (name: string) => string
}
/** Tables whose names are unique, over all rows or within a client (decisions.md 13, Names and ids). */
const NAMED = {
  clients: { noun: 'client', within: null },
  partners: { noun: 'partner', within: null, taken: (name: string) => `A partner named ${name} exists` },
  teams: { noun: 'team', within: 'client_id', taken: () => MESSAGES.teamTaken },
  location_groups: { noun: 'group', within: 'client_id', taken: () => MESSAGES.groupTaken },
  rewards: { noun: 'reward', within: 'project_id', taken: () => 'A reward of this project already has this name.' },
} as const satisfies Record<string, NamedRow>
type NamedTable = keyof typeof NAMED

/** A name as it is compared: case, spaces and Unicode composition don't matter. */
export const nameKey = (name: string): string => name.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase()

interface Row {
  id: number
  name: string
  client_id: number | null
}
/** A table's records that aren't deleted, of one client if its names are unique within a client. */
async function rowsOf(db: Db, table: NamedTable, whole?: number): Promise<Row[]> {
  const { within } = NAMED[table]
  // Kysely needs a static name, so the helper names one of the tables.
  const rows = db
    .selectFrom(table as 'teams')
    .select(['id', 'name', (within === 'client_id' ? within : sql<number | null>`null`.as('client_id')) as 'client_id'])
    .where('deleted_at', 'is', null)
    .orderBy('id')
  return (within && whole !== undefined ? rows.where(within as 'client_id', '=', whole) : rows).execute()
}

/**
 * Throws a 422 for `name`, with the `id` of the sibling that already has it.
 * Existing duplicates stay until renamed (`was`).
 * Checks run one at a time, so that two concurrent writes can't both take a name.
 */
export async function refuseTakenName(
  ctx: Pick<Ctx, 'tx' | 'services'>,
  table: NamedTable,
  { name, id, was, client_id, project_id }: { name: string; id?: number; was?: string; client_id?: number; project_id?: number },
): Promise<void> {
  const key = nameKey(name)
  if (was !== undefined && nameKey(was) === key) return
  await advisoryLock(ctx.services.database, ctx.tx, 'name', Object.keys(NAMED).indexOf(table))
  const other = (await rowsOf(ctx.tx, table, client_id ?? project_id)).find((row) => row.id !== id && nameKey(row.name) === key)
  if (!other) return
  const row: NamedRow = NAMED[table]
  const sentence = row.taken?.(other.name) ?? `There is a ${wordOf(row.noun)} called “${other.name}” already.`
  throw new HttpError(422, 'invalid', sentence, { fields: { name: sentence }, id: other.id })
}

/** Duplicate names with their records' ids, to be renamed or merged. */
export async function doubledNames(db: Db): Promise<{ noun: string; name: string; ids: number[]; client_id: number | null }[]> {
  const found = await Promise.all(
    // Names within a project are checked only there.
    (Object.keys(NAMED) as NamedTable[])
      .filter((table) => NAMED[table].within !== 'project_id')
      .map(async (table) => {
        const alike = Map.groupBy(await rowsOf(db, table), (row) => `${row.client_id ?? ''} ${nameKey(row.name)}`)
        return [...alike.values()]
          .filter((rows) => rows.length > 1)
          .map(([first, ...rest]) => ({
            noun: wordOf(NAMED[table].noun),
            name: first!.name,
            ids: [first!, ...rest].map((row) => row.id),
            client_id: first!.client_id,
          }))
      }),
  )
  return found.flat()
}
