import { FINDS } from '../../contract/access.ts'
import { letsIn } from '../../contract/actor.ts'
import type { Output } from '../../contract/calls.ts'
import { favouriteOf, readFavourite } from '../../contract/favourites.ts'
import type { PaletteNoun } from '../../contract/nouns.ts'
import type { Ctx } from '../core/context.ts'
import { viewsOf } from '../domain/view/scope.ts'
import { type Entry, sourceOf } from './sources.ts'

/** The caller's favourites as they are called now; `missing` are those that are deleted or no longer visible. */
export async function namedFavourites(ctx: Ctx, favourites: readonly string[]): Promise<Output<'account.favourites'>> {
  const stored = favourites.flatMap((text) => readFavourite(text) ?? [])
  const entries = new Map<string, Entry>()
  for (const [noun, records] of Map.groupBy(stored, ({ noun }) => noun)) {
    if (!letsIn(FINDS[noun].who, ctx.actor)) continue
    const rows = await sourceOf(noun as PaletteNoun).rows(ctx, { ids: records.map(({ id }) => id) })
    for (const row of rows) entries.set(favouriteOf(row[0], row[1]), row)
  }
  const viewIds = stored.flatMap(({ noun, id }) => (noun === 'view' ? id : []))
  const views = viewIds.length ? await viewsOf(ctx).where('views.id', 'in', viewIds).execute() : []
  const states = new Map(views.map(({ id, screen, query }) => [id, { screen, query }]))
  const data = favourites.flatMap((favourite) => {
    const [kind, id, name, detail] = entries.get(favourite) ?? []
    if (kind === undefined || id === undefined) return []
    const state = (kind === 'view' && states.get(id)) || { screen: '', query: '' }
    return { favourite, kind, id, name: name ?? '', detail: detail ?? '', ...state }
  })
  const named = new Set(data.map(({ favourite }) => favourite))
  return { data, count: data.length, page: 1, missing: favourites.filter((favourite) => !named.has(favourite)) }
}
