import { count, counted } from '../../contract/format.ts'
import { nounOf, wordOf } from '../../contract/nounOf.ts'
import type { NounRow } from '../../contract/nouns.ts'
import type { restoreCalls } from '../../contract/restore.ts'
import { RESTORED, type RestoredNoun } from '../../contract/restored.ts'
import type { Ctx } from '../core/context.ts'
import { describeEffect } from '../core/describeEffect.ts'
import { HttpError, notFound } from '../core/errors.ts'
import type { HandlersOf } from '../core/handler.ts'
import { ruleOf, tableOf } from '../core/undo/tables.ts'
import { locked } from '../db/locked.ts'
import { type NamedNoun, refuseTakenName } from '../domain/names.ts'
import { type ChangeSet, eventsOf, linesOf, parsedSet, restoreOf } from './undo.ts'

type Deleted = { deleted_at: string | null; name?: string } & Partial<
  Record<`${NonNullable<NounRow['parent']>}_id`, number | null>
>

/** A deletion is stored after it began, in the same transaction. */
const WITHIN_MS = 10 * 60_000

/** Returns the change set of the call that deleted a record then; null if none did, or a parent's deletion did. */
async function deletionOf(ctx: Ctx, noun: RestoredNoun, id: number, deleted_at: string): Promise<ChangeSet | null> {
  const table = tableOf(noun)!
  const rows = await ctx.tx
    .selectFrom('change_sets')
    .selectAll()
    .where('removes', '=', 1)
    .where('at', '>=', deleted_at)
    .where('at', '<=', new Date(Date.parse(deleted_at) + WITHIN_MS).toISOString())
    .where('rows', 'like', `%${JSON.stringify({ table, key: [id] }).slice(0, -1)},%`)
    .orderBy('id', 'desc')
    .execute()
  const sets = rows.map(parsedSet)
  const isIt = ({ call, rows }: ChangeSet) =>
    call.startsWith(`${noun}.`) &&
    rows.some((row) => row.table === table && row.key[0] === id && row.after?.deleted_at === deleted_at)
  return sets.find(isIt) ?? null
}

/** Restores a deleted record as its undo does, regardless of who deleted it and when. */
async function restored(ctx: Ctx, noun: RestoredNoun, id: number) {
  const table = tableOf(noun) as 'teams'
  const query = ctx.tx.selectFrom(table).selectAll().where('id', '=', id).where('deleted_at', 'is not', null)
  const row = (await locked(ctx.services.database, query).executeTakeFirst()) as Deleted | undefined
  if (!row?.deleted_at) throw notFound(`This deleted ${wordOf(noun)}`)
  const { parent, unique } = nounOf(noun)!
  const of = parent && row[`${parent}_id`]
  if (of) {
    const held = ctx.tx
      .selectFrom(tableOf(parent) as 'clients')
      .select('deleted_at')
      .where('id', '=', of)
    if ((await held.executeTakeFirst())?.deleted_at)
      throw new HttpError(409, 'not_now', `Its ${parent} is deleted: restore the ${parent} first.`)
  }
  const { name = '' } = row
  if (unique) await refuseTakenName(ctx, noun as NamedNoun, { id, name, ...(of ? { [`${parent}_id`]: of } : {}) })
  const set = await deletionOf(ctx, noun, id, row.deleted_at)
  if (!set) throw new HttpError(409, 'not_now', 'What was deleted with it is no longer known, so it can’t be restored.')
  await restoreOf(ctx, set, true)
  await ctx.record(linesOf(set, true).map(({ action: _, ...line }) => line))
  for (const event of eventsOf(set, true)) ctx.emit(event)
  const others = set.rows.filter((one) => one.table === table && one.key[0] !== id && one.after?.deleted_at).length
  const rest = `${withIt(noun, set)}${others ? `, and ${count(others)} deleted with it` : ''}`
  return { data: { id }, message: describeEffect(ctx, `${noun}.restore`, { ...(name ? { name } : { noun }), rest }) }
}

/** The links restored with a record: ", with 3 users and 2 projects", or its noun's words for them. */
function withIt(noun: RestoredNoun, { rows }: ChangeSet): string {
  const links = rows.filter(({ before, after }) => before && !after)
  const named = [...Map.groupBy(links, ({ table }) => table)].flatMap(([table, some]) => {
    const other = ruleOf(table)?.key.find((column) => column !== `${noun}_id` && nounOf(column.replace('_id', ''))?.words)
    return other ? counted(some.length, ...(nounOf(other.replace('_id', ''))!.words as [string, string])) : []
  })
  const { restores } = nounOf(noun)!
  if (!named.length) return typeof restores === 'object' ? `; ${restores.with} are as they were` : ''
  return `, with ${new Intl.ListFormat('en').format(named)}`
}

const restores = (noun: RestoredNoun) => (ctx: Ctx<{ id: number }>) => restored(ctx as Ctx, noun, ctx.input.id)

export const restoreHandlers = Object.fromEntries(
  RESTORED.map((noun) => [`${noun}.restore`, restores(noun)]),
) as unknown as HandlersOf<typeof restoreCalls>
