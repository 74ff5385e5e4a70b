import { type Expression, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { z } from 'zod'
import { type Actor, seesAll } from '../../../contract/actor.ts'
import { foldedWords } from '../../../contract/foldText.ts'
import { addDays } from '../../../contract/pacing.ts'
import { rowFields } from '../../../contract/projectFields.ts'
import { OUR_STEPS, type RequestListInput } from '../../../contract/quoteRecord.ts'
import { BUCKETS, readStatus, statusesOf } from '../../../contract/status.ts'
import type { Ctx } from '../../core/context.ts'
import { invalid } from '../../core/errors.ts'
import { searchedColumns } from '../../core/fieldColumns.ts'
import { orderBy, pageOf, type SortKey } from '../../core/keyset.ts'
import { changedRecords, holds } from '../../core/listSearch.ts'
import { projectScope } from '../../core/scope.ts'
import type { Schema } from '../../db/schema.ts'
import { recordsOf, sortOf } from '../project/list.ts'
import { isMine } from '../project/projectOwner.ts'
import type { ProjectRecord } from '../project/storedProject.ts'
import { ANSWERED, answerBy, channelStep, clientStep, INVITED, ofCurrent, REMINDER_DAYS, WAITING } from './requestSteps.ts'

export type RequestQuery = z.output<typeof RequestListInput>

type Query = SelectQueryBuilder<Schema, 'projects', object>

function statusesIn(sort: string) {
  const bucket = sort.toLowerCase()
  if (BUCKETS.some((known) => known.value === bucket)) return statusesOf(bucket)
  const status = readStatus(bucket)
  if (!status) throw invalid('sort', `sort is not one of ${BUCKETS.map(({ value }) => value).join(', ')}: ${sort}`)
  return [status]
}

const PENDING = ['requirements', 'pricing', 'submit_approval'] as const satisfies readonly ProjectRecord['status'][]
const CHANNEL_ONLY: readonly string[] = ['ours', 'invite', 'waiting', 'answers', 'quoted']

function stepIs(ctx: Ctx, step: RequestQuery['step'], all: boolean): Expression<SqlBool> | null {
  if (step === 'all') return null
  if (step === '') return all ? sql<SqlBool>`projects.status in ('requirements', 'pricing', 'submit_approval')` : null
  if (step === 'ours') return sql<SqlBool>`${channelStep(ctx.today)} in (${sql.join(OUR_STEPS)})`
  // Administrators see an expired quote even if it was never sent.
  if (CHANNEL_ONLY.includes(step) || (all && step === 'expired')) return sql<SqlBool>`${channelStep(ctx.today)} = ${step}`
  return sql<SqlBool>`${clientStep(ctx.today)} = ${step}`
}

/** The possible statuses at a step, so that an index narrows the search. */
const STATUSES_OF: Partial<Record<RequestQuery['step'], readonly ProjectRecord['status'][]>> = {
  ours: PENDING,
  invite: ['requirements', 'pricing'],
  waiting: ['pricing'],
  answers: ['pricing'],
  quoted: ['submit_approval'],
  requirements: ['requirements'],
  pricing: ['pricing', 'submit_approval'],
  approval: ['submit_approval'],
  expired: ['submit_approval'],
  rejected: ['rejected'],
}

/** What changes a request: its project, a quote or an answer. */
const CHANGES = [{ table: 'projects' }, { table: 'quotes', id: 'project_id' }, { table: 'proffers', id: 'project_id' }]

/** The requests that match a query, within the caller's scope. */
async function matching(ctx: Ctx, input: RequestQuery): Promise<Query> {
  const { database } = ctx.services
  const all = seesAll(ctx.actor)
  if (!all && (CHANNEL_ONLY.includes(input.step) || input.overdue)) throw invalid('step', 'step is one that administrators see')
  let query: Query = ctx.db.selectFrom('projects').where(projectScope(ctx.actor))
  const statuses = STATUSES_OF[input.step] ?? (input.step === '' && all ? PENDING : null)
  if (statuses) query = query.where('projects.status', 'in', [...statuses])
  const step = stepIs(ctx, input.step, all)
  if (step) query = query.where(step)
  if (input.sort !== 'all') query = query.where('projects.status', 'in', [...statusesIn(input.sort)])
  if (input.client) query = query.where('projects.client_id', '=', input.client)
  if (input.partner && all)
    query = query.where(sql<SqlBool>`exists (select 1 ${sql.raw(INVITED)} and asked.partner_id = ${input.partner})`)
  if (input.mine) query = query.where(isMine(ctx.actor))
  if (input.overdue) query = query.where('projects.status', '=', 'pricing').where(sql<SqlBool>`${answerBy} < ${ctx.today}`)
  if (input.lapsing)
    query = query
      .where('projects.status', '=', 'submit_approval')
      .where('projects.quote_valid_until', '>=', ctx.today)
      .where('projects.quote_valid_until', '<=', addDays(ctx.today, REMINDER_DAYS))
  if (input.lapsing && !all) query = query.where(sql<SqlBool>`${clientStep(ctx.today)} = 'approval'`)
  const since = input.updated_since
  if (since) query = query.where((await changedRecords(ctx, since, 'projects', CHANGES)).is)
  const code = /^(?:p-?)?(\d{1,9})$/i.exec(input.search)?.[1]
  for (const word of foldedWords(input.search)) {
    const named = (column: string) => holds(database, column, word)
    query = query.where((eb) =>
      eb.or([
        ...searchedColumns(rowFields).map((column) => named(`projects.${column}`)),
        eb('projects.client_id', 'in', eb.selectFrom('clients').select('clients.id').where(named('clients.name'))),
        ...(code ? [eb('projects.id', '=', Number(code))] : []),
        ...(all
          ? [
              sql<SqlBool>`exists (select 1 from project_partners asked join partners on partners.id = asked.partner_id
                where asked.project_id = projects.id and asked.round = projects.quote_round and ${named('partners.name')})`,
            ]
          : []),
      ]),
    )
  }
  return query
}

/** SQL for the columns that only this list sorts by. */
function orderOf(ctx: Ctx, column: string): Expression<unknown> | null {
  switch (column) {
    case 'step':
      return seesAll(ctx.actor)
        ? sql`case ${channelStep(ctx.today)} when 'invite' then 0 when 'waiting' then 1 when 'answers' then 2 when 'quoted' then 3 else 4 end`
        : clientOrder(ctx.today)
    case 'valid_until':
      return seesAll(ctx.actor)
        ? sql.ref('projects.quote_valid_until')
        : sql`case when ${ofCurrent('state')} = 'prepared' then null else projects.quote_valid_until end`
    case 'quote_round':
      return sql.ref('projects.quote_round')
    case 'answer_by':
      return seesAll(ctx.actor) ? answerBy : null
    // The date by which the next person should act: first the partners, then the client.
    case 'due':
      return seesAll(ctx.actor)
        ? sql`case when projects.status = 'submit_approval' then projects.quote_valid_until else ${answerBy} end`
        : null
    case 'answers':
      return seesAll(ctx.actor) ? sql`(select count(*) ${sql.raw(ANSWERED)})` : null
    case 'waiting_since':
      return seesAll(ctx.actor) ? WAITING(ctx.today) : null
    case 'cost_per_complete':
      return sql`case when projects.ordered > 0 then ${shownCost(ctx.actor)} * 1.0 / projects.ordered end`
    case 'cost':
      return shownCost(ctx.actor)
    // A separate row shows its own order, not a family's.
    case 'ordered':
      return sql.ref('projects.ordered')
    default:
      return null
  }
}
const clientOrder = (today: string) =>
  sql`case ${clientStep(today)} when 'approval' then 0 when 'expired' then 1 when 'pricing' then 2 when 'requirements' then 3 when 'approved' then 4 else 5 end`

/** The cost as the caller may see it: client users never sort or sum by a prepared one. */
const shownCost = (actor: Actor) =>
  seesAll(actor)
    ? sql<number | null>`projects.cost_cents`
    : sql<number | null>`case when ${ofCurrent('state')} = 'prepared' then null else projects.cost_cents end`

type Column = (column: string) => string

/** What the query is sorted by; `columnOf` translates older column names. */
function sortKeys(ctx: Ctx, input: RequestQuery, columnOf: Column): SortKey[] {
  const id = (way: 'asc' | 'desc'): SortKey => ({ by: sql.ref('projects.id'), way, full: true })
  if (input.column) {
    const by = orderOf(ctx, input.column) ?? sortOf(ctx, columnOf(input.column))
    if (!by) throw invalid('column', `column is not one that can be sorted by: ${input.column}`)
    return [{ by, way: input.order, nullsLast: true }, id(input.order)]
  }
  if (seesAll(ctx.actor)) return [{ by: WAITING(ctx.today), way: 'asc', nullsLast: true }, id('asc')]
  const waits = sql`${clientStep(ctx.today)} = 'approval'`
  return [
    { by: sql`case when ${waits} then 0 else 1 end`, way: 'asc', full: true },
    { by: sql`case when ${waits} then projects.quote_valid_until end`, way: 'asc', nullsLast: true },
    { by: sql.ref('projects.created_at'), way: 'desc', full: true },
    id('desc'),
  ]
}

/** All matching ids in the query's order. */
export async function allRequests(ctx: Ctx, input: RequestQuery): Promise<number[]> {
  let query = (await matching(ctx, input)).select('projects.id')
  for (const one of orderBy(sortKeys(ctx, input, (column) => column))) query = query.orderBy(one)
  return (await query.execute()).map(({ id }) => id)
}

/** A page of requests, and totals of all matches; `columnOf` translates older column names. */
export async function listRequests(
  ctx: Ctx,
  input: RequestQuery,
  columnOf: Column,
): Promise<{ records: ProjectRecord[]; totals: { requests: number; ordered: number; cost_cents: number } }> {
  const query = await matching(ctx, input)
  const totals = query
    .select((eb) => [
      eb.fn.countAll<number>().as('requests'),
      eb.fn.coalesce(eb.fn.sum<number>('projects.ordered'), sql<number>`0`).as('ordered'),
      sql<number>`coalesce(sum(${shownCost(ctx.actor)}), 0)`.as('cost_cents'),
    ])
    .executeTakeFirstOrThrow()
  const keys = sortKeys(ctx, input, columnOf)
  const [sums, rows] = await Promise.all([totals, pageOf(ctx, query.select('projects.id'), keys, input)])
  const records = await recordsOf(
    ctx,
    rows.map(({ id }) => id),
  )
  return {
    records,
    totals: { requests: Number(sums.requests), ordered: Number(sums.ordered), cost_cents: Number(sums.cost_cents) },
  }
}
