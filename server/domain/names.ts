import { sql } from 'kysely'
import { nameKey } from '../../contract/foldText.ts'
import { nounOf, nounsWith, wordOf } from '../../contract/nounOf.ts'
import type { NounId, nouns } from '../../contract/nouns.ts'
import type { Ctx } from '../core/context.ts'
import { HttpError } from '../core/errors.ts'
import { tableOf } from '../core/undo/tables.ts'
import type { Db } from '../db/connect.ts'
import { advisoryLock } from '../db/locked.ts'

type Nouns = typeof nouns
/** Nouns whose names are unique (`unique` in their row; decisions.md 13, Names and ids). */
export type NamedNoun = { [N in NounId]: Nouns[N] extends { unique: unknown } ? N : never }[NounId]

interface Row {
  id: number
  name: string
  parent_id: number | null
}
/** A noun's records that aren't deleted, of one parent if its names are unique within it. */
async function rowsOf(db: Db, noun: NounId, whole?: number): Promise<Row[]> {
  const { parent } = nounOf(noun)!
  // Kysely needs a static name, so the helper names one of the tables.
  const rows = db
    .selectFrom(tableOf(noun as NamedNoun) as 'teams')
    .select([
      'id',
      'name',
      parent ? sql<number | null>`${sql.ref(`${parent}_id`)}`.as('parent_id') : sql<number | null>`null`.as('parent_id'),
    ])
    .where('deleted_at', 'is', null)
    .orderBy('id')
  return (parent && whole !== undefined ? rows.where(`${parent}_id` as 'client_id', '=', whole) : rows).execute()
}

/**
 * Throws a 422 for `name`, with the `id` of the sibling that already has it.
 * Existing duplicates stay until renamed (`was`).
 * Checks run one at a time, so that two concurrent writes can't both take a name.
 */
export async function refuseTakenName(
  ctx: Pick<Ctx, 'tx' | 'services'>,
  noun: NamedNoun,
  { name, id, was, client_id, project_id }: { name: string; id?: number; was?: string; client_id?: number; project_id?: number },
): Promise<void> {
  const key = nameKey(name)
  if (was !== undefined && nameKey(was) === key) return
  await advisoryLock(ctx.services.database, ctx.tx, 'name', nounOf(noun)!.unique!.lock)
  const other = (await rowsOf(ctx.tx, noun, client_id ?? project_id)).find((row) => row.id !== id && nameKey(row.name) === key)
  if (!other) return
  const usual = `There is a ${wordOf(noun)} called “{name}” already.`
  const sentence = (nounOf(noun)!.unique!.taken ?? usual).replace('{name}', () => other.name)
  throw new HttpError(422, 'invalid', sentence, {
    fields: { name: sentence },
    field_codes: { name: 'taken' },
    id: other.id,
  })
}

/** Duplicate names with their records' ids, to be renamed or merged. */
export async function doubledNames(db: Db): Promise<{ noun: string; name: string; ids: number[]; client_id: number | null }[]> {
  const found = await Promise.all(
    // Names within a project are checked only there. Brands and their services are checked by their stored keys.
    [
      ...nounsWith(({ unique, parent }) => unique !== undefined && parent !== 'project'),
      'brand' as const,
      'service' as const,
    ].map(async (noun) => {
      const alike = Map.groupBy(await rowsOf(db, noun), (row) => `${row.parent_id ?? ''} ${nameKey(row.name)}`)
      return [...alike.values()]
        .filter((rows) => rows.length > 1)
        .map(([first, ...rest]) => ({
          noun: wordOf(noun),
          name: first!.name,
          ids: [first!, ...rest].map((row) => row.id),
          client_id: nounOf(noun)?.parent === 'client' ? first!.parent_id : null,
        }))
    }),
  )
  return found.flat()
}
