import type { Expression, SqlBool } from 'kysely'
import { type Actor, seesAll } from '../../contract/actor.ts'
import { type CopyHolds, HELD } from '../core/copyHolds.ts'
import { clientScope, projectScope } from '../core/scope.ts'
import type { Db } from '../db/connect.ts'
import { brandScope, serviceScope } from './visit/scope.ts'

/** Ids in one statement. */
const SOME = 5000
const SCOPES: Readonly<Record<keyof CopyHolds, (actor: Actor) => Expression<SqlBool>>> = {
  projects: projectScope,
  clients: clientScope,
  services: serviceScope,
  brands: brandScope,
}

/**
 * Returns a predicate on stored copies: whether the caller sees now every record that a copy holds.
 * Copies are as closed as their records: exports, responses of repeated writes and jobs all ask it.
 */
export async function copiesSeen(
  { db, actor }: { db: Db; actor: Actor },
  copies: readonly CopyHolds[],
): Promise<(copy: CopyHolds) => boolean> {
  if (seesAll(actor)) return () => true
  const seen = new Map<keyof CopyHolds, Set<number>>()
  for (const table of HELD) {
    const ids = [...new Set(copies.flatMap((copy) => copy[table] ?? []))]
    const found = new Set<number>()
    for (let at = 0; at < ids.length; at += SOME) {
      const query = db.selectFrom(table as 'projects').select('id')
      const rows = await query
        .where('id', 'in', ids.slice(at, at + SOME))
        .where(SCOPES[table](actor))
        .execute()
      for (const row of rows) found.add(row.id)
    }
    seen.set(table, found)
  }
  return (copy) => HELD.every((table) => (copy[table] ?? []).every((id) => seen.get(table)!.has(id)))
}
