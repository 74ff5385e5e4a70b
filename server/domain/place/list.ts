import { type SqlBool, sql } from 'kysely'
import type { z } from 'zod'
import { allowedActions } from '../../../contract/access.ts'
import { stateCode } from '../../../contract/address.ts'
import type { Paging } from '../../../contract/listInput.ts'
import type { Location, locationCalls } from '../../../contract/location.ts'
import type { Ctx } from '../../core/context.ts'
import { listOf } from '../../core/listBuilder.ts'
import { contains } from '../../core/listSearch.ts'
import type { Engine } from '../../db/connect.ts'
import { byText } from '../../db/foldedText.ts'
import { nameOfGroup } from './groupList.ts'

type Input = z.output<(typeof locationCalls)['location.list']['input']>
/** The filter of a list of places. */
export type LocationFilter = Omit<Input, Paging>
type Row = Omit<Location, 'groups' | 'repeats' | 'allowed_actions' | 'refused_actions'> & { address_key: string }

const MEMBERS = sql.raw('location_group_places')
/** Places without coordinates of their own; spelled as a literal, to match the condition of the index. */
const NOT_EXACT = sql`places.position <> 'exact'`
const PRESENT = sql<SqlBool>`places.deleted_at is null`

const ofPosition = (position: Input['position']) => {
  if (!position) return undefined
  if (position === 'exact') return sql<SqlBool>`places.position = 'exact'`
  const wanted = position === 'approximate' ? sql`('zip', 'city')` : sql`(${position})`
  return sql<SqlBool>`(${NOT_EXACT} and places.position in ${wanted})`
}

/** A text as searches and orders see it, spelled as in its index (0111-place-folds.ts). */
const foldedBy = (fold: string, text: string) => (engine: Engine) =>
  engine === 'postgres'
    ? sql.raw<string>(`(coalesce(places.${fold}, lower(${text} collate "C")) collate "C")`)
    : sql.raw<string>(`coalesce(places.${fold}, lower(${text}))`)
export const foldedName = foldedBy('name_fold', 'places.name')
const CITY = foldedBy('city_fold', 'places.city')
const REST = foldedBy('address_fold', `(places.address || ' ' || places.city || ' ' || places.zip)`)
const searched = (engine: Engine) => sql`(${foldedName(engine)} || ' ' || ${REST(engine)})`

/** Places of the whole installation. Groups and duplicates are read only for a page's rows. */
export const locationList = listOf<'location', LocationFilter, Row, Location>('location', {
  table: 'places',
  scope: () => PRESENT,
  where: ({ group_id, client_id, state, position, repeated }) => [
    group_id !== undefined && sql<SqlBool>`places.id in (select m.place_id from ${MEMBERS} m where m.group_id = ${group_id})`,
    client_id !== undefined &&
      sql<SqlBool>`places.id in (select m.place_id from ${MEMBERS} m join location_groups g on g.id = m.group_id
        where g.client_id = ${client_id} and g.deleted_at is null)`,
    state ? sql<SqlBool>`places.state = ${stateCode(state) ?? state}` : undefined,
    ofPosition(position),
    repeated === 'yes' &&
      sql<SqlBool>`(places.address_key <> '' and places.address_key in (select twin.address_key from places twin
        where twin.deleted_at is null group by twin.address_key having count(*) > 1))`,
  ],
  finds: ({ services: { database } }, word) => contains(searched(database.engine), word),
  folds: ({ engine }) => ({ name: foldedName(engine), city: CITY(engine) }),
  columns: () => ({ group: sql`''`, added_at: sql`null`, line: sql`null` }),
  also: () => ['dma', 'address_key', 'updated_at', 'lock_version'].map((name) => sql.ref(`places.${name}`)),
  async shown(ctx, rows) {
    const [groups, repeats] = await Promise.all([groupsOf(ctx, rows), repeatsOf(ctx, rows)])
    return rows.map(({ address_key, ...row }) => {
      const mine = groups.get(row.id) ?? []
      return {
        ...row,
        groups: mine,
        group: mine.map(({ name }) => name).join(', '),
        repeats: repeats.get(address_key) ?? 0,
        ...allowedActions('location', ctx.actor),
      }
    })
  },
  file: {
    title: async (ctx, { group_id }) => (group_id ? `${await nameOfGroup(ctx, group_id)} locations` : 'Locations'),
    async more(ctx, rows) {
      const groups = await groupsOf(ctx, rows)
      return rows.map((row) => ({ ...row, group: (groups.get(row.id) ?? []).map(({ name }) => name).join(', ') }))
    },
  },
})

/** The groups of places by name, by the place's id. */
async function groupsOf(ctx: Ctx, rows: readonly { id: number }[]): Promise<Map<number, Location['groups']>> {
  const groups = new Map<number, Location['groups']>()
  for (let at = 0; at < rows.length; at += 500) {
    const ids = rows.slice(at, at + 500).map(({ id }) => id)
    const found = await ctx.db
      .selectFrom('location_group_places as m')
      .innerJoin('location_groups as g', 'g.id', 'm.group_id')
      .select(['m.place_id', 'g.id', 'g.name', 'g.client_id'])
      .where('m.place_id', 'in', ids)
      .where('g.deleted_at', 'is', null)
      .orderBy(byText(ctx.db, 'g.name'))
      .orderBy('g.id')
      .execute()
    for (const { place_id, ...group } of found) groups.set(place_id, [...(groups.get(place_id) ?? []), group])
  }
  return groups
}

/** How many other places have each address. */
async function repeatsOf(ctx: Ctx, rows: readonly { address_key: string }[]): Promise<Map<string, number>> {
  const keys = [...new Set(rows.map((row) => row.address_key).filter(Boolean))]
  if (!keys.length) return new Map()
  const found = await ctx.db
    .selectFrom('places')
    .select((eb) => ['address_key', eb.fn.countAll<number>().as('count')])
    .where('address_key', 'in', keys)
    .where('deleted_at', 'is', null)
    .groupBy('address_key')
    .execute()
  return new Map(found.map(({ address_key, count }) => [address_key, Number(count) - 1]))
}

/** A page of places; in a group, with when each was added and from which line. */
export async function locationPage(ctx: Ctx, input: Input): Promise<{ data: Location[]; count: number; page: number }> {
  const page = await locationList.page(ctx, input)
  const { group_id } = input
  if (group_id === undefined || !page.data.length) return page
  const members = await ctx.db
    .selectFrom('location_group_places')
    .select(['place_id', 'added_at', 'line'])
    .where('group_id', '=', group_id)
    .where(
      'place_id',
      'in',
      page.data.map(({ id }) => id),
    )
    .execute()
  const of = new Map(
    members.map(({ place_id, added_at, line }) => [place_id, { added_at, line: line === null ? null : Number(line) }]),
  )
  return { ...page, data: page.data.map((row) => ({ ...row, ...of.get(row.id) })) }
}

/** The most positions on a map; more are counted by squares of half a degree. */
const MOST_POINTS = 20_000
export async function locationPoints(ctx: Ctx<z.output<(typeof locationCalls)['location.points']['input']>>) {
  const { group_ids, ids, ...filter } = ctx.input
  const numbers = (text: string) =>
    text
      .split(',')
      .map(Number)
      .filter((id) => Number.isSafeInteger(id) && id > 0)
  const some = await pointFilter(ctx as Ctx, filter, numbers(group_ids), numbers(ids))
  const total = await sql<{ count: number; placed: number }>`select count(*) as count, count(places.latitude) as placed
    from places where ${some}`.execute(ctx.db)
  const { count, placed } = total.rows[0]!
  const figures = { count: Number(count), page: 1, unplaced: Number(count) - Number(placed) }
  const isPlaced = sql`places.latitude is not null and places.longitude is not null`
  if (Number(placed) > MOST_POINTS) {
    const square = (column: string) => sql`floor(${sql.ref(`places.${column}`)} * 2)`
    const { rows } = await sql<{ latitude: number; longitude: number; count: number; exact: number }>`
      select avg(places.latitude) as latitude, avg(places.longitude) as longitude, count(*) as count,
        sum(case when places.position = 'exact' then 1 else 0 end) as exact
      from places where ${some} and ${isPlaced} group by ${square('latitude')}, ${square('longitude')}`.execute(ctx.db)
    const squares = rows.map((row) => ({
      latitude: Number(row.latitude),
      longitude: Number(row.longitude),
      count: Number(row.count),
      exact: Number(row.exact),
    }))
    return { data: [], squares, ...figures }
  }
  const { rows } = await sql<{ id: number; latitude: number; longitude: number; position: string }>`
    select places.id, places.latitude, places.longitude, places.position from places where ${some} and ${isPlaced}
    order by places.id`.execute(ctx.db)
  const data = rows.map((row): [number, number, number, number] => [
    row.id,
    row.latitude,
    row.longitude,
    row.position === 'exact' ? 1 : 0,
  ])
  return { data, squares: [], ...figures }
}

/** The list's own conditions combined, further limited to groups or places. */
async function pointFilter(
  ctx: Ctx,
  filter: Omit<LocationFilter, 'column' | 'order'>,
  group_ids: readonly number[],
  ids: readonly number[],
) {
  const inGroups = group_ids.length
    ? sql` and places.id in (select m.place_id from ${MEMBERS} m join location_groups g on g.id = m.group_id
        where g.deleted_at is null and m.group_id in (${sql.join(group_ids)}))`
    : sql``
  const among = ids.length ? sql` and places.id in (${sql.join(ids)})` : sql``
  return sql`${await locationList.matching(ctx, filter)}${inGroups}${among}`
}
