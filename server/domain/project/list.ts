import { type Expression, type SqlBool, sql } from 'kysely'
import type { z } from 'zod'
import { isAdmin, seesAll } from '../../../contract/actor.ts'
import type { Fields } from '../../../contract/fieldKinds.ts'
import { foldedWords } from '../../../contract/foldText.ts'
import { pacingOf } from '../../../contract/pacing.ts'
import { rowFields } from '../../../contract/projectFields.ts'
import { PROJECT_COLUMNS } from '../../../contract/projectHeadings.ts'
import type { ListInput } from '../../../contract/projectInput.ts'
import type { ProjectList } from '../../../contract/projectRecord.ts'
import { BUCKETS, readStatus, STATUSES, statusesOf } from '../../../contract/status.ts'
import type { Ctx, CursorValue } from '../../core/context.ts'
import { invalid } from '../../core/errors.ts'
import { searchedColumns } from '../../core/fieldColumns.ts'
import { cachedIds } from '../../core/idCache.ts'
import { behind, cursorOf, orderBy, type SortKey } from '../../core/keyset.ts'
import { changedRecords, holds } from '../../core/listSearch.ts'
import { projectScope, topLevel } from '../../core/scope.ts'
import { byText } from '../../db/foldedText.ts'
import { FAMILY_SUMS, familySum } from './family.ts'
import { isMine, isOwned, OWNER_NAME } from './projectOwner.ts'
import { briefRows, FAMILY_COLUMNS, type FamilyPart, projectRows, type Row } from './projectRows.ts'
import type { ProjectRecord } from './storedProject.ts'

export type ListQuery = z.output<typeof ListInput>
/** The column of each field that the list shows. */
const FIELDS = Object.entries(rowFields as Fields).flatMap(([name, field]) =>
  Object.hasOwn(PROJECT_COLUMNS, name) ? [[name, field] as const] : [],
)
/** SQL columns to sort by as they are, because they are never null: the list's fields, and what else a project has. */
const PLAIN: Record<string, string> = {
  ...Object.fromEntries(FIELDS.map(([name, { column = name }]) => [name, `projects.${column}`])),
  goal: 'projects.ordered',
  created_at: 'projects.created_at',
  updated_at: 'projects.updated_at',
  id: 'projects.id',
}
/** Those that sort as texts do. */
const TEXTS = FIELDS.flatMap(([name, { kind }]) => (kind === 'name' || kind === 'text' ? [name] : []))
const SEARCHED = searchedColumns(rowFields)

/** A status by its place in the flow. */
export const STATUS_ORDER = sql`case projects.status ${sql.join(
  STATUSES.map((status, at) => sql`when ${sql.lit(status)} then ${sql.lit(at)}`),
  sql` `,
)} end`

/** SQL for a sort: a family's sum, a status by its place in the flow, or a column; null for an unknown one. */
export function sortOf({ actor, db }: Pick<Ctx, 'actor' | 'db'>, column: string): Expression<unknown> | null {
  if (Object.hasOwn(FAMILY_SUMS, column)) return familySum(actor, FAMILY_SUMS[column as keyof typeof FAMILY_SUMS])
  if (column === 'status') return STATUS_ORDER
  if (column === 'client' || column === 'client_name')
    return byText(db, { computed: sql`(select name from clients where clients.id = projects.client_id)` })
  if (column === 'owner') return isAdmin(actor) ? byText(db, { computed: OWNER_NAME }) : null
  if (TEXTS.includes(column)) return byText(db, PLAIN[column]!)
  return Object.hasOwn(PLAIN, column) ? sql.ref(PLAIN[column]!) : null
}
const COMPUTED = ['pacing', 'percentage']

interface More {
  generation?: 'project' | 'campaign' | undefined
  /** Limits the list to one client, whatever the filter says. */
  ofClient?: number
  flat?: boolean
}

/** A page of matching top-level projects with their children; `count` is all matches. */
export async function listProjects(ctx: Ctx, input: ListQuery, more: More = {}): Promise<z.output<typeof ProjectList>> {
  const ids = await keptOrder(ctx, input, more)
  const from = await placeOf(ctx, input, more, ids)
  const until = from + input.per_page
  const some = ids.slice(from, until)
  ctx.endsAt(until < ids.length ? await valuesOf(ctx, input, more, ids[until - 1]!) : null)
  const found = { count: ids.length, page: input.page }
  if (input.brief) {
    const [records, parts] = await Promise.all([recordsOf(ctx, some), familiesOf(ctx, some)])
    return { ...(await briefRows(ctx, records, parts, input.texts)), ...found }
  }
  const [records, children, other_generation] = await Promise.all([
    recordsOf(ctx, some),
    childrenIn(ctx, some),
    otherGeneration(ctx, input, more),
  ])
  return { data: await projectRows(ctx, records, children), ...found, ...(other_generation === null ? {} : { other_generation }) }
}

/** How many projects match that are of the other generation only; null if the list has both. */
async function otherGeneration(ctx: Ctx, input: ListQuery, more: More): Promise<number | null> {
  if (!more.generation) return null
  const other = more.generation === 'project' ? 'campaign' : 'project'
  return (await keptOrder(ctx, input, { ...more, generation: other })).length
}

/** The place of the page's first project among the ids; behind a cursor, wherever its own project is now. */
async function placeOf(ctx: Ctx, input: ListQuery, more: More, ids: readonly number[]): Promise<number> {
  const values = cursorOf(ctx, 2)
  if (!values) return (input.page - 1) * input.per_page
  const [value, id] = values
  let next: number | undefined
  if (COMPUTED.includes(input.column)) {
    const sign = input.order === 'asc' ? 1 : -1
    const paced = await pacedRows(ctx, input, more)
    next = paced.find((row) => (sign * (row.pacing - Number(value)) || sign * (row.id - Number(id))) > 0)?.id
  } else {
    const later = (await ordered(ctx, input, more)).where(behind(ctx.services.database.engine, sortKeys(ctx, input), values))
    // A filter by pacing is applied in memory, so the first that it leaves is looked for.
    const rows = await (input.pacing ? later : later.limit(1)).execute()
    const listed = input.pacing ? new Set(ids) : null
    next = rows.find((row) => !listed || listed.has(row.id))?.id
  }
  const at = next === undefined ? -1 : ids.indexOf(next)
  return at < 0 ? ids.length : at
}

/** The values that a project is sorted by. */
async function valuesOf(ctx: Ctx, input: ListQuery, more: More, id: number): Promise<CursorValue[]> {
  if (COMPUTED.includes(input.column)) {
    const { pacing } = (await pacedRows(ctx, input, more, id))[0]!
    return [pacing, id]
  }
  const [{ by }] = sortKeys(ctx, input) as [SortKey]
  const row = await ctx.db
    .selectFrom('projects')
    .select(sql<CursorValue>`${by}`.as('value'))
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return [row.value, id]
}

/** Every matching id in the list's order, for exports and for selecting all matches. */
export const orderedIds = async (ctx: Ctx, input: ListQuery, more: More = {}): Promise<number[]> => [
  ...(await keptOrder(ctx, input, more)),
]

/** Columns that change as results arrive. */
const COUNTED = ['delivered', 'completed', ...COMPUTED]

/** The ids in order, cached until a project changes: a deep page and the count cost no more than the first page. */
function keptOrder(ctx: Ctx, input: ListQuery, more: More): Promise<readonly number[]> {
  const paced = Boolean(input.pacing) || COMPUTED.includes(input.column)
  const { page: _page, per_page: _size, cursor: _cursor, brief: _brief, texts: _texts, ...filter } = input
  const { id, role, only } = ctx.actor
  // Two tokens of one user may see different projects.
  const me = seesAll(ctx.actor) && !input.mine && input.owner_id !== 'me' ? 'everything' : { id, role, only }
  const key = JSON.stringify([me, paced ? ctx.today : '', more, filter])
  const counted = paced || COUNTED.includes(input.column)
  return cachedIds(ctx, counted ? ['project', 'delivered'] : ['project'], key, () =>
    paced ? pacedIds(ctx, input, more) : allIds(ctx, input, more),
  )
}

/** All ids as one value, which is faster than a row for each. */
async function allIds(ctx: Ctx, input: ListQuery, more: More): Promise<number[]> {
  const rows = await ordered(ctx, input, more)
  if (ctx.services.database.engine === 'postgres') {
    const { ids } = await ctx.db
      .selectFrom(rows.as('found'))
      .select(sql<number[] | null>`json_agg(found.id)`.as('ids'))
      .executeTakeFirstOrThrow()
    return ids ?? []
  }
  const { ids } = await ctx.db
    .selectFrom(rows.as('found'))
    .select(sql<string>`json_group_array(found.id)`.as('ids'))
    .executeTakeFirstOrThrow()
  return JSON.parse(ids) as number[]
}

/** Projects in the order of the given ids. */
export async function recordsOf(ctx: Ctx, ids: readonly number[]): Promise<ProjectRecord[]> {
  if (!ids.length) return []
  const records = await ctx.db.selectFrom('projects').selectAll().where('id', 'in', ids).execute()
  const place = new Map(ids.map((id, at) => [id, at]))
  return records.sort((a, b) => place.get(a.id)! - place.get(b.id)!)
}

/** The given ids that the list contains, because they or their parents match. */
export async function familyOf(ctx: Ctx, ids: readonly number[], matching: ReadonlySet<number>): Promise<number[]> {
  if (!ids.length) return []
  const rows = await ctx.db
    .selectFrom('projects')
    .select(['id', 'parent_id'])
    .where('id', 'in', ids)
    .where(projectScope(ctx.actor))
    .execute()
  return rows
    .filter((row) => matching.has(row.id) || (row.parent_id !== null && matching.has(row.parent_id)))
    .map((row) => row.id)
}

function sortKeys(ctx: Ctx, input: ListQuery): SortKey[] {
  const column = input.column || 'created_at'
  const by = sortOf(ctx, column)
  if (!by) throw invalid('column', `column is not one that can be sorted by: ${column}`)
  const way = input.column ? input.order : 'desc'
  // Projects without a cost or an owner come last in either direction, on both engines.
  return [
    { by, way, nullsLast: column === 'cost' || column === 'owner' },
    { by: sql.ref('projects.id'), way, full: true },
  ]
}

async function ordered(ctx: Ctx, input: ListQuery, more: More) {
  let query = (await matching(ctx, input, more)).select('projects.id')
  for (const one of orderBy(sortKeys(ctx, input))) query = query.orderBy(one)
  return query
}

/** Projects with a child that meets a condition; the children are read once instead of for every project. */
function withPart(ctx: Ctx, such: (child: Parts) => Parts): Expression<SqlBool> {
  const parts = such(childProjects(ctx)).where(projectScope(ctx.actor, 'child'))
  return sql<SqlBool>`projects.id in (${parts.select('child.parent_id')})`
}
const childProjects = (ctx: Ctx) =>
  ctx.db.selectFrom('projects as child').where('child.parent_id', 'is not', null).where('child.deleted_at', 'is', null)
type Parts = ReturnType<typeof childProjects>

/** The changed children that the caller sees: a project is found by a change of its children. */
const partOf = ({ actor }: Ctx) => sql<SqlBool>`changed.parent_id is not null and ${projectScope(actor, 'changed')}`

async function matching(ctx: Ctx, input: ListQuery, more: More) {
  const { database } = ctx.services
  const bucket = input.status.toLowerCase()
  const statuses = BUCKETS.some((known) => known.value === bucket)
    ? statusesOf(bucket)
    : [readStatus(bucket) ?? refuseStatus(input.status)]
  let query = ctx.db.selectFrom('projects').where(projectScope(ctx.actor))
  const { updated_since } = input
  const parts = { table: 'projects', id: 'parent_id', where: partOf(ctx) }
  const changed = updated_since && (await changedRecords(ctx, updated_since, 'projects', [{ table: 'projects' }, parts]))
  // The plus keeps SQLite from beginning with an index of the filter, which has all projects of a generation.
  const isFew = changed ? changed.few : false
  const own = (column: string) => (isFew && database.engine === 'sqlite' ? sql`+${sql.ref(column)}` : sql.ref(column))
  if (more.generation) query = query.where(own('projects.generation'), '=', more.generation)
  if (more.ofClient) query = query.where(own('projects.client_id'), '=', more.ofClient)
  if (!more.flat) query = query.where(topLevel(ctx.actor))
  if (bucket !== 'all') {
    query = query.where((eb) =>
      eb.or([
        eb('projects.status', 'in', [...statuses]),
        withPart(ctx, (child) => child.where('child.status', 'in', [...statuses])),
      ]),
    )
  }
  if (input.client) query = query.where(own('projects.client_id'), '=', input.client)
  if (input.type) query = query.where('projects.campaign_type', '=', input.type)
  if (input.mine) query = query.where(isMine(ctx.actor))
  if (input.owner_id !== undefined) query = query.where(isOwned(ctx.actor, input.owner_id))
  if (changed) query = query.where(changed.is)
  const code = /^(?:p-?)?(\d{1,9})$/i.exec(input.search)?.[1]
  for (const word of foldedWords(input.search)) {
    const named = (column: string) => holds(database, column, word)
    query = query.where((eb) =>
      eb.or([
        ...SEARCHED.map((column) => named(`projects.${column}`)),
        // Look clients up by name once instead of for every project.
        eb('projects.client_id', 'in', eb.selectFrom('clients').select('clients.id').where(named('clients.name'))),
        ...(code ? [eb('projects.id', '=', Number(code))] : []),
        withPart(ctx, (child) => child.where((eb) => eb.or(SEARCHED.map((column) => named(`child.${column}`))))),
      ]),
    )
  }
  return query
}

function refuseStatus(status: string): never {
  throw invalid('status', `status is not one of ${BUCKETS.map((bucket) => bucket.value).join(', ')}: ${status}`)
}

const pacedIds = async (ctx: Ctx, input: ListQuery, more: More): Promise<number[]> =>
  (await pacedRows(ctx, input, more)).map((row) => row.id)

/** Pacing is computed, not stored: read a few columns of all matches, or of one of them, and sort here. */
async function pacedRows(ctx: Ctx, input: ListQuery, more: More, id?: number) {
  const column = input.column || 'created_at'
  const plain = COMPUTED.includes(column)
    ? null
    : new Map((await (await ordered(ctx, input, more)).execute()).map((row, at) => [row.id, at]))
  const query = await matching(ctx, input, more)
  const all = await query
    .$if(id !== undefined, (query) => query.where('projects.id', '=', id!))
    .select([
      'projects.id',
      'projects.status',
      'projects.ordered',
      'projects.delivered',
      'projects.start_dt as start',
      'projects.end_dt as end',
    ])
    .execute()
  const parts = await ctx.db
    .selectFrom('projects')
    .select(['parent_id', 'status', 'ordered', 'delivered', 'start_dt as start', 'end_dt as end'])
    .where((eb) => (id === undefined ? eb('parent_id', 'is not', null) : eb('parent_id', '=', id)))
    .where(projectScope(ctx.actor))
    .execute()
  const children = Map.groupBy(parts, (part) => part.parent_id)
  const paced = all
    .map((row) => ({ id: row.id, ...pacingOf(row, ctx.today, children.get(row.id) ?? []) }))
    .filter((row) => !input.pacing || row.color.toLowerCase() === input.pacing.toLowerCase())
  const sign = (input.column ? input.order : 'desc') === 'asc' ? 1 : -1
  paced.sort((a, b) => (plain ? plain.get(a.id)! - plain.get(b.id)! : sign * (a.pacing - b.pacing) || sign * (a.id - b.id)))
  return paced
}

export async function withChildren(ctx: Ctx, records: ProjectRecord[]): Promise<Row[]> {
  const ids = records.map((record) => record.id)
  return projectRows(ctx, records, await childrenIn(ctx, ids))
}

/** All children of these projects that the caller can see. */
const childrenIn = async (ctx: Ctx, parents: readonly number[]): Promise<ProjectRecord[]> =>
  parents.length ? seenChildren(ctx, parents).selectAll().execute() : []

/** The same, with the columns of their families' figures. */
const familiesOf = async (ctx: Ctx, parents: readonly number[]): Promise<FamilyPart[]> =>
  parents.length ? seenChildren(ctx, parents).select(FAMILY_COLUMNS).execute() : []

const seenChildren = (ctx: Ctx, parents: readonly number[]) =>
  ctx.db.selectFrom('projects').where('parent_id', 'in', parents).where(projectScope(ctx.actor)).orderBy('id')
