import type { z } from 'zod'
import { nameKey } from '../../contract/foldText.ts'
import { FilterBody, type visitFilterCalls } from '../../contract/visitFilter.ts'
import { change, drop } from '../core/change.ts'
import type { Ctx } from '../core/context.ts'
import { describeEffect } from '../core/describeEffect.ts'
import { forbidden, invalid } from '../core/errors.ts'
import type { HandlersOf } from '../core/handler.ts'
import { full } from '../core/quotas.ts'
import { byText } from '../db/foldedText.ts'
import { advisoryLock } from '../db/locked.ts'
import { brandOfFilter, datesOf, filtersOf, marketCodes, ownFilter, shownFilter } from '../domain/visit/filters.ts'

/** The most saved filters for a user. */
const MOST = 500

type Body = z.output<typeof FilterBody>
const asText = (value: unknown): string => (Array.isArray(value) ? [...value].sort().join(',') : String(value))

/** One filter of the two that a save names: the body and the query of its link; a 422 where they contradict. */
function oneFilter(sent: Body, query: string) {
  const at = query.indexOf('?')
  const read = FilterBody.safeParse(Object.fromEntries(new URLSearchParams(at < 0 ? query : query.slice(at + 1))))
  if (read.error) {
    const [issue] = read.error.issues
    throw invalid('customFilterURL', `customFilterURL has ${String(issue!.path[0])} that is not accepted`)
  }
  const merged: Record<string, unknown> = {}
  for (const [name, value, place] of [
    ...Object.entries(sent).map(([name, value]) => [name, value, `filter.${name}`] as const),
    ...Object.entries(read.data).map(([name, value]) => [name, value, 'customFilterURL'] as const),
  ]) {
    const key = name === 'date_type' ? 'date' : name
    if (value === undefined) continue
    if (merged[key] !== undefined && asText(merged[key]) !== asText(value))
      throw invalid(place, `${place} has another ${key} than the filter: ${asText(value)}, not ${asText(merged[key])}`)
    merged[key] ??= value
  }
  const { date = '30days', ...rest } = merged as Body
  return { date, ...rest }
}

/** Throws a 422 if the caller has another filter of this name for the brand; a user's checks run one at a time. */
async function refuseTaken(ctx: Ctx, { brand_id, name, id }: { brand_id: number; name: string; id: number | undefined }) {
  await advisoryLock(ctx.services.database, ctx.tx, 'views', ctx.actor.id)
  const own = await ctx.tx
    .selectFrom('visit_filters')
    .select(['id', 'brand_id', 'name', 'name_key'])
    .where('user_id', '=', ctx.actor.id)
    .where('deleted_at', 'is', null)
    .execute()
  const other = own.find((one) => one.id !== id && one.brand_id === brand_id && one.name_key === nameKey(name))
  if (other) throw invalid('filter_name', `You have a filter named ${other.name}`)
  if (id === undefined && own.length >= MOST) throw full(`You can keep ${MOST} saved filters. Delete one first.`)
}

const eventOf = (ctx: Ctx) => ({ noun: 'filter', audience: 'user', user_id: ctx.actor.id }) as const

async function remove(ctx: Ctx<{ filter_id: number }>) {
  const { id, name } = await ownFilter(ctx, ctx.input.filter_id)
  await drop(ctx, 'visit_filters', { subject: 'filter', id, change: eventOf(ctx) })
  return { message: describeEffect(ctx, 'filter.remove', { name }) }
}

export const visitFilterHandlers: HandlersOf<typeof visitFilterCalls> = {
  async 'filter.list'(ctx) {
    const { sid, bid } = ctx.input
    let query = filtersOf(ctx)
    if (sid !== undefined || bid !== undefined) {
      const brand_id = await brandOfFilter(ctx, { brand_id: bid, service_id: sid })
      query = query.where('visit_filters.brand_id', '=', brand_id)
      if (sid !== undefined)
        query = query.where((eb) => eb.or([eb('visit_filters.service_id', '=', sid), eb('visit_filters.service_id', 'is', null)]))
    }
    const rows = await query.orderBy(byText(ctx.db, 'visit_filters.name')).orderBy('visit_filters.id').execute()
    return { data: rows.map(shownFilter), count: rows.length, page: 1 }
  },

  async 'filter.save'(ctx) {
    const { user_id, filter_id: known, filter_name: name, customFilterURL: query } = ctx.input
    const filter = oneFilter(ctx.input.filter, query)
    if (user_id !== undefined && user_id !== ctx.actor.id) throw forbidden('You can save filters of your own only.')
    const was = known === undefined ? null : await ownFilter(ctx, known)
    const service_id = ctx.input.service_id ?? filter.service
    const brand_id = await brandOfFilter(ctx, {
      brand_id: ctx.input.brand_id ?? (service_id === undefined ? was?.brand_id : undefined),
      service_id,
    })
    await refuseTaken(ctx, { brand_id, name, id: was?.id })
    const columns = {
      ...{ brand_id, service_id: service_id ?? null, name, query },
      ...{ date_type: filter.date, ...datesOf(filter.date, filter.start, filter.end) },
      dmas: marketCodes(filter.dmas, 'filter.dmas').join(','),
    }
    if (was) {
      await change(ctx, 'visit_filters', { subject: 'filter', id: was.id, patch: columns, change: eventOf(ctx) })
      if (nameKey(name) !== was.name_key)
        await ctx.tx
          .updateTable('visit_filters')
          .set({ name_key: nameKey(name) })
          .where('id', '=', was.id)
          .execute()
      return { data: shownFilter(await ownFilter(ctx, was.id)), message: describeEffect(ctx, 'filter.save', { name }) }
    }
    const { id } = await ctx.tx
      .insertInto('visit_filters')
      .values({
        ...{ user_id: ctx.actor.id, ...columns, name_key: nameKey(name) },
        ...{ deleted_at: null, created_at: ctx.now, updated_at: ctx.now },
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await ctx.record({ subject: 'filter', subject_id: id, after: { name, date_type: filter.date } })
    ctx.emit({ ...eventOf(ctx), id })
    return { data: shownFilter(await ownFilter(ctx, id)), message: describeEffect(ctx, 'filter.save', { name }) }
  },

  'filter.remove': remove,
}
