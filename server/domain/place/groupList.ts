import { type SqlBool, sql } from 'kysely'
import type { z } from 'zod'
import { allowedActions } from '../../../contract/access.ts'
import type { Paging } from '../../../contract/listInput.ts'
import type { GroupRow, LocationGroup, locationGroupCalls } from '../../../contract/locationGroup.ts'
import type { Ctx } from '../../core/context.ts'
import { notFound } from '../../core/errors.ts'
import { listOf } from '../../core/listBuilder.ts'
import { holds } from '../../core/listSearch.ts'
import { byText } from '../../db/foldedText.ts'
import { marketAreas } from '../../db/markets.ts'

type Input = z.output<(typeof locationGroupCalls)['group.list']['input']>
/** The filter of a list of groups. */
export type GroupFilter = Omit<Input, Paging> & { without_activity?: number }
type Row = Omit<GroupRow, 'location_group_id' | 'location_name' | 'allowed_actions' | 'refused_actions'>

/** A location group's name; throws 404. */
export async function nameOfGroup(ctx: Ctx, id: number): Promise<string> {
  const row = await ctx.db
    .selectFrom('location_groups')
    .select('name')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!row) throw notFound('This location group')
  return row.name
}

/** Few places lack coordinates, so they are counted once for all groups, by their own index. */
const LACKING = `(select m.group_id, sum(case when p.position = 'none' then 0 else 1 end) as approximate,
    sum(case when p.position = 'none' then 1 else 0 end) as unplaced
  from places p join location_group_places m on m.place_id = p.id
  where p.deleted_at is null and p.position <> 'exact' group by m.group_id)`
const LOCATIONS = sql`(select count(*) from location_group_places m where m.group_id = location_groups.id)`
const approximate = sql`coalesce(lacking.approximate, 0)`
const unplaced = sql`coalesce(lacking.unplaced, 0)`
const USED = sql<SqlBool>`exists (select 1 from activity_location_groups link join activities on activities.id = link.activity_id
  where link.group_id = location_groups.id and activities.deleted_at is null)`

/** The files a group was imported from, or that were added to it. */
const LAST_FILE = sql`from imports join files on files.id = imports.file_id
  where imports.group_id = location_groups.id and imports.kind = 'location' and imports.status = 'done'`

/** Location groups of all clients. A deleted place is in no group, so members can be counted without joining it. */
export const groupList = listOf<'group', GroupFilter, Row, GroupRow>('group', {
  table: 'location_groups',
  join: `join clients on clients.id = location_groups.client_id left join ${LACKING} lacking on lacking.group_id = location_groups.id`,
  scope: () => sql<SqlBool>`location_groups.deleted_at is null and clients.deleted_at is null`,
  where: ({ client_id, used, position, without_activity }) => [
    client_id !== undefined && sql<SqlBool>`location_groups.client_id = ${client_id}`,
    used === 'yes' && USED,
    used === 'no' && sql<SqlBool>`not ${USED}`,
    position === 'exact' && sql<SqlBool>`${LOCATIONS} > ${approximate} + ${unplaced}`,
    position === 'approximate' && sql<SqlBool>`${approximate} > 0`,
    position === 'missing' && sql<SqlBool>`${unplaced} > 0`,
    without_activity !== undefined &&
      sql<SqlBool>`not exists (select 1 from activity_location_groups link
        where link.group_id = location_groups.id and link.activity_id = ${without_activity})`,
  ],
  finds: ({ services: { database } }, word) =>
    sql<SqlBool>`(${holds(database, 'location_groups.name', word)} or ${holds(database, 'clients.name', word)})`,
  columns: () => ({
    client_name: sql`clients.name`,
    locations_count: LOCATIONS,
    approximate_count: approximate,
    unplaced_count: unplaced,
    activities_count: sql`(select count(*) from activity_location_groups link join activities on activities.id = link.activity_id
      where link.group_id = location_groups.id and activities.deleted_at is null)`,
    file_name: sql`coalesce((select files.original_name ${LAST_FILE} order by imports.id desc limit 1), '')`,
  }),
  also: () => [
    ...['client_id', 'updated_at', 'lock_version'].map((name) => sql.ref(`location_groups.${name}`)),
    sql`(select imports.ended_at ${LAST_FILE} order by imports.id desc limit 1) as file_at`,
    sql`(select imports.id ${LAST_FILE} order by imports.id desc limit 1) as import_id`,
  ],
  // With the client under both names (people-area 3).
  shown: ({ actor }, rows) =>
    rows.map((row) => ({ ...row, location_group_id: row.id, location_name: row.name, ...allowedActions('group', actor) })),
  file: {
    title: async (ctx, { client_id }) => {
      if (!client_id) return 'Location groups'
      const client = await ctx.db.selectFrom('clients').select('name').where('id', '=', client_id).executeTakeFirst()
      return `${client?.name ?? 'Client'} location groups`
    },
  },
})

/** One location group with its positions, market areas and activities. */
export async function groupDetail(ctx: Ctx, id: number): Promise<LocationGroup> {
  const group = await groupList.get(ctx, id)
  const [positions, areas, activities] = await Promise.all([
    sql<{ position: string; count: number }>`select p.position, count(*) as count from places p
      join location_group_places m on m.place_id = p.id and m.group_id = ${id}
      where p.deleted_at is null and p.position <> 'exact' group by p.position`.execute(ctx.db),
    marketsOf(ctx, [id]),
    ctx.db
      .selectFrom('activity_location_groups as link')
      .innerJoin('activities', 'activities.id', 'link.activity_id')
      .innerJoin('projects', 'projects.id', 'activities.project_id')
      .select([
        'activities.id',
        'activities.name',
        'activities.project_id',
        'projects.name as project_name',
        'projects.status',
        'projects.status as stored_status',
        'link.linked_at',
        'activities.lock_version',
      ])
      .where('link.group_id', '=', id)
      .where('activities.deleted_at', 'is', null)
      .where('projects.deleted_at', 'is', null)
      .orderBy(byText(ctx.db, 'projects.name'))
      .orderBy('activities.id')
      .execute(),
  ])
  const of = (position: string) => Number(positions.rows.find((row) => row.position === position)?.count ?? 0)
  const [zip, city, none] = [of('zip'), of('city'), of('none')]
  return {
    ...group,
    positions: { exact: group.locations_count - zip - city - none, zip, city, none },
    markets_count: areas.length,
    markets: areas.slice(0, 5),
    activities,
    import: await importOf(ctx, group.import_id),
  }
}

/** The latest file of a group with its figures; null for a group created by hand. */
async function importOf(ctx: Ctx, id: number | null): Promise<LocationGroup['import']> {
  if (id === null) return null
  const row = await ctx.db
    .selectFrom('imports')
    .innerJoin('files', 'files.id', 'imports.file_id')
    .select([
      'imports.id',
      'files.original_name as file',
      'imports.file_id',
      'imports.created_at as at',
      'created',
      'reused',
      'repeated',
      'failed',
    ])
    .where('imports.id', '=', id)
    .executeTakeFirst()
  return row ?? null
}

/** The market areas nearest to the places of groups, those with the most places first. */
export async function marketsOf(ctx: Ctx, group_ids: readonly number[]): Promise<LocationGroup['markets']> {
  if (!group_ids.length) return []
  const { rows } = await sql<{ dma: number; count: number }>`select places.dma, count(distinct places.id) as count
    from location_group_places m join places on places.id = m.place_id
    where m.group_id in (${sql.join(group_ids)}) and places.dma is not null group by places.dma
    order by count(distinct places.id) desc, places.dma`.execute(ctx.db)
  const names = new Map(marketAreas().map(({ code, name }) => [code, name]))
  return rows.map(({ dma, count }) => ({
    dma_code: Number(dma),
    dma_name: names.get(Number(dma)) ?? '',
    locations: Number(count),
  }))
}
