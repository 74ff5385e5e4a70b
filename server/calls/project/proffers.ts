import { sql } from 'kysely'
import type { Ctx } from '../../core/context.ts'
import { orderBy, type Paged, pageOf, type SortKey } from '../../core/keyset.ts'
import { changedRecords } from '../../core/listSearch.ts'
import { ANSWER_COLUMNS } from '../../domain/quote/answers.ts'

/** Filters answers; an empty filter matches all. `ended`: an acceptance that is no longer valid. */
interface Which {
  project_id?: number | undefined
  partner_id?: number | undefined
  state?: '' | 'yes' | 'no' | 'ended'
  updated_since?: string | undefined
}

/** Sent feasibility answers of projects that aren't deleted. */
async function answers(ctx: Ctx, { project_id, partner_id, state, updated_since }: Which) {
  let all = ctx.db
    .selectFrom('proffers')
    .innerJoin('partners', 'partners.id', 'partner_id')
    .innerJoin('projects', 'projects.id', 'proffers.project_id')
    .where('projects.deleted_at', 'is', null)
    .where('proffers.state', '=', 'sent')
  if (project_id !== undefined) all = all.where('proffers.project_id', '=', project_id)
  if (partner_id !== undefined) all = all.where('proffers.partner_id', '=', partner_id)
  if (state) all = all.where('fill_requirements', '=', state === 'no' ? 'No' : 'Yes')
  if (state === 'ended') all = all.where('proffers.valid_until', '<', ctx.today)
  if (updated_since) all = all.where((await changedRecords(ctx, updated_since, 'proffers')).is)
  return all
}

/** Older releases leave `sent_at` empty. */
const SENT_AT = sql<string>`coalesce(proffers.sent_at, proffers.created_at)`

/** Feasibility answers with partner names, newest first; clients must never see them (decisions.md 4). */
async function proffersIn(ctx: Ctx, which: Which) {
  const all = await answers(ctx, which)
  const rows = all.select([
    'proffers.id',
    'project_id',
    'partner_id',
    'partners.name as company_name',
    'projects.name as project_name',
    'projects.generation',
    'round',
    ...ANSWER_COLUMNS,
    'proffers.created_at',
    SENT_AT.as('sent_at'),
  ])
  // A filtered list is short enough to sort by time; sorting all answers would read every one of them for a page.
  const few = which.project_id !== undefined || which.partner_id !== undefined
  const byId: SortKey = { by: sql.ref('proffers.id'), way: 'desc', full: true }
  const keys: SortKey[] = few ? [{ by: SENT_AT, way: 'desc', full: true }, byId] : [byId]
  return { all, rows, keys }
}

/** All matching answers. */
export async function proffersOf(ctx: Ctx, which: Which) {
  const { rows, keys } = await proffersIn(ctx, which)
  let query = rows
  for (const one of orderBy(keys)) query = query.orderBy(one)
  return query.execute()
}

/** A page of them, by number or by cursor, and how many match. */
export async function profferPage(ctx: Ctx, which: Which, paged: Paged) {
  const { all, rows, keys } = await proffersIn(ctx, which)
  const counted = all.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  const [{ count }, page] = await Promise.all([counted, pageOf(ctx, rows, keys, paged)])
  return { count: Number(count), rows: page }
}
