import { type Expression, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { z } from 'zod'
import { type Actor, seesAll } from '../../../contract/actor.ts'
import { cheapestMix, costAtMargin, marginOf } from '../../../contract/mix.ts'
import { addDays } from '../../../contract/pacing.ts'
import {
  type Channel,
  type ChannelStep,
  type ClientStep,
  OUR_STEPS,
  type RequestListInput,
  type requestShape,
} from '../../../contract/quoteRecord.ts'
import type { Settings } from '../../../contract/settings.ts'
import { BUCKETS, readStatus, statusesOf } from '../../../contract/status.ts'
import type { Ctx } from '../../core/context.ts'
import { invalid } from '../../core/errors.ts'
import { holds, offsetOf, wordsOf } from '../../core/listSearch.ts'
import { projectScope } from '../../core/scope.ts'
import type { Schema } from '../../db/schema.ts'
import { settingsOf } from '../organization.ts'
import { recordsOf, sortOf } from '../project/list.ts'
import type { ProjectRecord } from '../project/record.ts'
import { type Offer, offersOf } from './offers.ts'
import { perComplete } from './read.ts'

export type RequestQuery = z.output<typeof RequestListInput>
type Shown = z.input<z.ZodObject<typeof requestShape>>

/** A quote expires soon from this many days before its end. */
const REMINDER_DAYS = 2
const DAY_MS = 86_400_000
/** TABLE  the setting for how many days a request may wait at a step. */
const AGEING = {
  invite: 'invite_days',
  waiting: 'answers_days',
  answers: 'answers_days',
  quoted: 'quoted_days',
  expired: 'quoted_days',
} as const satisfies Record<ChannelStep, keyof Settings>

/** The newest revision of a project's current round. */
const CURRENT =
  sql.raw(`(select newest.id from quotes newest where newest.project_id = projects.id and newest.round = projects.quote_round
  order by newest.revision desc limit 1)`)
const ofCurrent = (column: string) =>
  sql.raw(`(select quotes.${column} from quotes where quotes.id = (select newest.id from quotes newest
  where newest.project_id = projects.id and newest.round = projects.quote_round order by newest.revision desc limit 1))`)
/** Unrevoked invitations and sent answers of the current round. */
const INVITED = `from project_partners asked where asked.project_id = projects.id and asked.round = projects.quote_round and asked.revoked_at is null`
const ANSWERED = `from proffers answer where answer.project_id = projects.id and answer.round = projects.quote_round and answer.state = 'sent'`
const UNANSWERED = `${INVITED} and not exists (select 1 from proffers given where given.project_id = asked.project_id and given.partner_id = asked.partner_id
  and given.round = asked.round and given.state = 'sent')`

const ended = (today: string) => sql<SqlBool>`(projects.quote_valid_until is not null and projects.quote_valid_until < ${today})`

/** A project's step for administrators, as SQL; null while it isn't being priced. */
const channelStep = (today: string) => sql<ChannelStep | null>`case
  when projects.status = 'requirements' then 'invite'
  when projects.status = 'pricing' then case when exists (select 1 ${sql.raw(ANSWERED)}) then 'answers' when exists (select 1 ${sql.raw(INVITED)}) then 'waiting' else 'invite' end
  when projects.status = 'submit_approval' then case when ${ended(today)} then 'expired' else 'quoted' end end`

/** Its step for the client, who sees an unsent quote as still being priced. */
const clientStep = (today: string) => sql<ClientStep>`case projects.status
  when 'requirements' then 'requirements' when 'pricing' then 'pricing' when 'rejected' then 'rejected'
  when 'submit_approval' then case when ${ofCurrent('state')} = 'prepared' then 'pricing' when ${ended(today)} then 'expired' else 'approval' end
  else 'approved' end`

/** The ISO time or date since when it has waited for the next person. */
const WAITING = (today: string) => sql<string | null>`case
  when projects.status = 'requirements' then projects.created_at
  when projects.status = 'pricing' then coalesce((select min(answer.sent_at) ${sql.raw(ANSWERED)}), (select min(asked.assigned_at) ${sql.raw(INVITED)}), projects.created_at)
  when projects.status = 'submit_approval' then case when ${ended(today)} then projects.quote_valid_until
    else coalesce(${ofCurrent('sent_at')}, ${ofCurrent('created_at')}, projects.updated_at) end end`

const answerBy = sql<string | null>`(select min(asked.answer_by) ${sql.raw(UNANSWERED)})`

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

/** The requests that match a query, within the caller's scope. */
function matching(ctx: Ctx, input: RequestQuery): Query {
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
  if (input.mine)
    query = all
      ? query.where(sql<SqlBool>`exists (select 1 ${sql.raw(INVITED)} and asked.invited_by = ${ctx.actor.id})`)
      : query.where('projects.requested_by', '=', ctx.actor.id)
  if (input.overdue) query = query.where('projects.status', '=', 'pricing').where(sql<SqlBool>`${answerBy} < ${ctx.today}`)
  if (input.lapsing)
    query = query
      .where('projects.status', '=', 'submit_approval')
      .where('projects.quote_valid_until', '>=', ctx.today)
      .where('projects.quote_valid_until', '<=', addDays(ctx.today, REMINDER_DAYS))
  if (input.lapsing && !all) query = query.where(sql<SqlBool>`${clientStep(ctx.today)} = 'approval'`)
  const code = /^(?:p-?)?(\d{1,9})$/i.exec(input.search)?.[1]
  for (const word of wordsOf(input.search)) {
    const named = (column: string) => holds(database, column, word)
    query = query.where((eb) =>
      eb.or([
        named('projects.name'),
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

/** The matching ids in the query's order; `columnOf` translates older column names. */
function orderedIds(ctx: Ctx, input: RequestQuery, columnOf: Column) {
  const ids = matching(ctx, input).select('projects.id')
  if (input.column) {
    const by = orderOf(ctx, input.column) ?? sortOf(ctx.actor, columnOf(input.column))
    if (!by) throw invalid('column', `column is not one that can be sorted by: ${input.column}`)
    return ids
      .orderBy(by, (direction) => (input.order === 'asc' ? direction.asc().nullsLast() : direction.desc().nullsLast()))
      .orderBy('projects.id', input.order)
  }
  if (seesAll(ctx.actor))
    return ids.orderBy(WAITING(ctx.today), (direction) => direction.asc().nullsLast()).orderBy('projects.id', 'asc')
  return ids
    .orderBy(sql`case when ${clientStep(ctx.today)} = 'approval' then 0 else 1 end`)
    .orderBy(sql`case when ${clientStep(ctx.today)} = 'approval' then projects.quote_valid_until end`, (direction) =>
      direction.asc().nullsLast(),
    )
    .orderBy('projects.created_at', 'desc')
    .orderBy('projects.id', 'desc')
}

/** All matching ids in the query's order. */
export const allRequests = async (ctx: Ctx, input: RequestQuery): Promise<number[]> =>
  (await orderedIds(ctx, input, (column) => column).execute()).map(({ id }) => id)

/** A page of requests, and totals of all matches; `columnOf` translates older column names. */
export async function listRequests(
  ctx: Ctx,
  input: RequestQuery,
  columnOf: Column,
): Promise<{ records: ProjectRecord[]; totals: { requests: number; ordered: number; cost_cents: number } }> {
  const totals = matching(ctx, input)
    .select((eb) => [
      eb.fn.countAll<number>().as('requests'),
      eb.fn.coalesce(eb.fn.sum<number>('projects.ordered'), sql<number>`0`).as('ordered'),
      sql<number>`coalesce(sum(${shownCost(ctx.actor)}), 0)`.as('cost_cents'),
    ])
    .executeTakeFirstOrThrow()
  const ids = orderedIds(ctx, input, columnOf)
  const [sums, rows] = await Promise.all([totals, ids.limit(input.per_page).offset(offsetOf(input)).execute()])
  const records = await recordsOf(
    ctx,
    rows.map(({ id }) => id),
  )
  return {
    records,
    totals: { requests: Number(sums.requests), ordered: Number(sums.ordered), cost_cents: Number(sums.cost_cents) },
  }
}

/** The quote columns of a page's rows, in a few queries; administrators get answers, best mix and margin too. */
export async function requestRows(
  ctx: Ctx,
  records: readonly ProjectRecord[],
): Promise<Map<number, Shown & { channel?: z.input<typeof Channel> }>> {
  if (!records.length) return new Map()
  const ids = records.map(({ id }) => id)
  const facts = await ctx.db
    .selectFrom('projects')
    .leftJoin('quotes', (join) => join.on(sql<SqlBool>`quotes.id = ${CURRENT}`))
    .select([
      'projects.id',
      clientStep(ctx.today).as('step'),
      channelStep(ctx.today).as('channel_step'),
      WAITING(ctx.today).as('waiting_since'),
      'quotes.id as quote_id',
      'quotes.state',
      'quotes.opened_at',
      'quotes.lock_version',
    ])
    .where('projects.id', 'in', ids)
    .execute()
  const channels = seesAll(ctx.actor) ? await channelsOf(ctx, records, facts) : new Map<number, z.input<typeof Channel>>()
  const byId = new Map(facts.map((row) => [row.id, row]))
  return new Map(
    records.map((record) => {
      const fact = byId.get(record.id)!
      const hidden = !seesAll(ctx.actor) && fact.state === 'prepared'
      const cost_cents = hidden ? null : record.cost_cents
      const per = perComplete(cost_cents, record.ordered)
      const channel = channels.get(record.id)
      return [
        record.id,
        {
          generation: record.generation,
          step: fact.step,
          cost_cents,
          cost_per_complete_cents: per,
          cost_per_complete: per === null ? null : per / 100,
          valid_until: hidden ? null : record.quote_valid_until,
          quote_round: record.quote_round,
          quote_id: hidden ? null : fact.quote_id,
          quote_lock_version: hidden ? null : fact.lock_version,
          opened: !hidden && fact.opened_at !== null,
          ordered: record.ordered,
          since: fact.waiting_since ?? record.updated_at,
          ...(channel ? { channel } : {}),
        },
      ]
    }),
  )
}

type Fact = {
  id: number
  channel_step: ChannelStep | null
  waiting_since: string | null
  state: string | null
  quote_id: number | null
}

async function channelsOf(
  ctx: Ctx,
  records: readonly ProjectRecord[],
  facts: readonly Fact[],
): Promise<Map<number, z.input<typeof Channel>>> {
  const ids = records.map(({ id }) => id)
  const quoteIds = facts.flatMap(({ quote_id }) => quote_id ?? [])
  const [settings, invitations, answers, shares] = await Promise.all([
    settingsOf(ctx.db),
    ctx.db
      .selectFrom('project_partners')
      .innerJoin('projects', (join) =>
        join.onRef('projects.id', '=', 'project_id').onRef('projects.quote_round', '=', 'project_partners.round'),
      )
      .innerJoin('partners', 'partners.id', 'partner_id')
      .leftJoin('users', 'users.id', 'invited_by')
      .select([
        'project_id',
        'partner_id',
        'partners.name',
        'assigned_at',
        'mailed_at',
        'reminded_at',
        'opened_at',
        'answer_by',
        'invited_by',
        'users.first_name',
        'users.last_name',
      ])
      .where('project_id', 'in', ids)
      .where('revoked_at', 'is', null)
      .orderBy('assigned_at')
      .orderBy('partner_id')
      .execute(),
    offersOf(ctx, ids),
    ctx.db
      .selectFrom('quote_shares')
      .select((eb) => ['quote_id', sql<number>`sum(completes * cpi_cents)`.as('cents'), eb.fn.countAll<number>().as('count')])
      .where('quote_id', 'in', [0, ...quoteIds])
      .groupBy('quote_id')
      .execute(),
  ])
  const invitedOf = Map.groupBy(invitations, (row) => row.project_id)
  const answersOf = Map.groupBy(answers, (row) => row.project_id)
  const shareOf = new Map(shares.map((row) => [row.quote_id, Number(row.cents)]))
  const factOf = new Map(facts.map((fact) => [fact.id, fact]))
  return new Map(
    records.map((record) => [
      record.id,
      channelOf(ctx, record, {
        fact: factOf.get(record.id)!,
        invited: invitedOf.get(record.id) ?? [],
        answers: answersOf.get(record.id) ?? [],
        shareCents: shareOf.get(factOf.get(record.id)!.quote_id ?? 0) ?? null,
        settings,
      }),
    ]),
  )
}

interface Around {
  fact: Fact
  invited: readonly {
    partner_id: number
    name: string
    assigned_at: string
    mailed_at: string | null
    reminded_at: string | null
    opened_at: string | null
    answer_by: string | null
    invited_by: number | null
    first_name: string | null
    last_name: string | null
  }[]
  answers: readonly Offer[]
  shareCents: number | null
  settings: Settings
}

function channelOf(ctx: Ctx, record: ProjectRecord, around: Around): z.input<typeof Channel> {
  const { fact, invited, answers, shareCents, settings } = around
  const answered = new Set(answers.map(({ partner_id }) => partner_id))
  const silent = invited.filter(({ partner_id }) => !answered.has(partner_id))
  const offers = answers.flatMap((answer) => answer.offer ?? [])
  const best = offers.length ? cheapestMix(offers, record.ordered) : null
  const partner = shareCents ?? best?.cost_cents ?? null
  const margin = partner === null ? null : marginOf(record.cost_cents ?? costAtMargin(partner, settings.usual_margin), partner)
  const answer_by = silent.flatMap((row) => row.answer_by ?? []).sort()[0] ?? null
  const owner = invited.find((row) => row.invited_by !== null)
  const quoted = record.status === 'submit_approval'
  const waiting_days =
    fact.waiting_since === null ? null : Math.max(0, Math.floor((Date.parse(ctx.now) - Date.parse(fact.waiting_since)) / DAY_MS))
  return {
    step: fact.channel_step,
    invited: invited.length,
    answered: answers.length,
    yes: answers.filter(({ yes }) => yes).length,
    declined: answers.filter(({ yes }) => !yes).length,
    opened: invited.filter(({ opened_at }) => opened_at !== null).length,
    silent: silent.length,
    best_cents: best?.cost_cents ?? null,
    best_completes: best?.completes ?? null,
    fills: best && record.ordered > 0 ? Math.floor((best.completes * 100) / record.ordered) : null,
    partner_cost_cents: partner,
    margin_cents: margin?.margin_cents ?? null,
    margin_percent: margin?.margin_percent ?? null,
    low_margin: margin !== null && margin.margin_percent < settings.margin_floor,
    held: fact.state === 'prepared' && !quoted,
    sent: fact.state !== 'prepared' && fact.state !== null,
    answer_by,
    overdue: record.status === 'pricing' && answer_by !== null && answer_by < ctx.today,
    lapsing:
      quoted &&
      record.quote_valid_until !== null &&
      record.quote_valid_until >= ctx.today &&
      record.quote_valid_until <= addDays(ctx.today, REMINDER_DAYS),
    waiting_since: fact.waiting_since,
    waiting_days,
    aged: waiting_days !== null && fact.channel_step !== null && waiting_days >= settings[AGEING[fact.channel_step]],
    owner: owner ? { id: owner.invited_by!, name: `${owner.first_name ?? ''} ${owner.last_name ?? ''}`.trim() } : null,
    partners: invited.map((row) => {
      const answer = answers.find(({ partner_id }) => partner_id === row.partner_id)
      const sent = answer?.sent
      return {
        partner_id: row.partner_id,
        name: row.name,
        answer: answer ? (answer.yes ? ('yes' as const) : ('no' as const)) : ('waiting' as const),
        reason: sent?.reason ?? '',
        completes: sent?.completes ?? null,
        cpi_cents: sent?.cpi_cents ?? null,
        field_days: sent?.field_days ?? null,
        valid_until: sent?.valid_until ?? null,
        ended: Boolean(answer?.yes && sent?.valid_until && sent.valid_until < ctx.today),
        answer_by: row.answer_by,
        invited_at: row.assigned_at,
        mailed_at: row.mailed_at,
        opened_at: row.opened_at,
        reminded_at: row.reminded_at,
        answered_at: sent?.sent_at ?? null,
      }
    }),
  }
}
