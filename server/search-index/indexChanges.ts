import { seesAll } from '../../contract/actor.ts'
import { nounOf } from '../../contract/nounOf.ts'
import type { PaletteNoun } from '../../contract/nouns.ts'
import type { Ctx } from '../core/context.ts'
import type { LiveEvent } from '../core/ports.ts'
import { type Entry, findable, idsOf, kindsOf, sourceOf } from './sources.ts'

/** The index's changes by these events: rows to put, and rows that are deleted or no longer visible. */
export async function indexChanges(
  ctx: Ctx,
  events: readonly LiveEvent[],
  nouns: readonly PaletteNoun[] = findable(ctx),
): Promise<{ put: Entry[]; drop: [string, number][] }> {
  const put: Entry[] = []
  const drop: [string, number][] = []
  for (const noun of nouns) {
    const source = sourceOf(noun)
    const named = [...new Set([...idsOf(events, noun), ...((await source.swayed?.(ctx, events)) ?? [])])]
    const ids = [...new Set([...named, ...(await renamed(ctx, noun, events))])]
    if (!ids.length) continue
    const rows = await source.rows(ctx, { ids })
    put.push(...rows)
    const found = new Set(rows.map((row) => row[1]))
    // What a deleted record had is gone with it; a client user may only learn that of records they saw.
    const gone = (seesAll(ctx.actor) && !source.own ? ids : named).filter((id) => !found.has(id))
    const reported = seesAll(ctx.actor) || !gone.length ? gone : ((await source.near?.(ctx, gone, events)) ?? [])
    for (const id of reported) drop.push(...kindsOf(noun).map((kind): [string, number] => [kind, id]))
  }
  return { put, drop }
}

/** Records whose second line shows a name that has changed. */
async function renamed(ctx: Ctx, noun: PaletteNoun, events: readonly LiveEvent[]): Promise<number[]> {
  const { table } = sourceOf(noun)
  const owner = nounOf(noun)?.found?.detail
  const owners = owner ? idsOf(events, owner) : []
  if (!table || !owners.length) return []
  // Kysely needs a static table and column; the rows above name only those that fit.
  const rows = await ctx.db
    .selectFrom(table as 'surveys')
    .select((table === 'user_clients' ? 'user_id as id' : 'id') as 'id')
    .where(`${owner}_id` as 'project_id', 'in', owners)
    .execute()
  return rows.map((row) => row.id)
}
