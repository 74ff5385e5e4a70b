import type { z } from 'zod'
import { allowedActions, PROJECT_RULES, type ProjectFacts } from '../../../contract/access.ts'
import { addDays, hasOwnPart, type PacingInput, pacingOf } from '../../../contract/pacing.ts'
import type { ProjectRow } from '../../../contract/projectRecord.ts'
import { SPELLING } from '../../../contract/status.ts'
import { labelOf, PROVIDERS } from '../../../contract/vocabulary.ts'
import type { Ctx } from '../../core/context.ts'
import { projectScope } from '../../core/scope.ts'
import { currentQuotes, pricedFor } from './quotes.ts'
import type { ProjectRecord } from './record.ts'

export type Row = z.output<typeof ProjectRow>
type Child = Row['children'][number]

/** MM/DD/YYYY, as `start_dateP` is written (decisions.md 9); empty without a date. */
export const usDate = (civil: string | null): string =>
  civil ? `${civil.slice(5, 7)}/${civil.slice(8, 10)}/${civil.slice(0, 4)}` : ''

const groupBy = <T, K>(rows: readonly T[], key: (row: T) => K): Map<K, T[]> => {
  const groups = new Map<K, T[]>()
  for (const row of rows) {
    const list = groups.get(key(row))
    if (list) list.push(row)
    else groups.set(key(row), [row])
  }
  return groups
}

const DELETABLE: ReadonlySet<string> = new Set(['rejected', 'requirements'])

/** What the rules and rows of these projects need from their neighbours, in a query each. */
async function neighbours(ctx: Ctx, records: readonly ProjectRecord[]) {
  const ids = records.length ? records.map((record) => record.id) : [0]
  const { db } = ctx
  const [quotes, clients, surveys, partners, teams, people, days, pending, documents, markets, orders, answered, rewarded] =
    await Promise.all([
      currentQuotes(ctx, records),
      db
        .selectFrom('clients')
        .select(['id', 'name'])
        .where('id', 'in', records.length ? records.map((record) => record.client_id) : [0])
        .execute(),
      db
        .selectFrom('surveys')
        .select(['id', 'project_id', 'survey_link'])
        .where('project_id', 'in', ids)
        .where('deleted_at', 'is', null)
        .orderBy('id')
        .execute(),
      db
        .selectFrom('project_partners')
        .innerJoin('partners', 'partners.id', 'partner_id')
        .select(['project_id', 'partner_id', 'round', 'name'])
        .where('project_id', 'in', ids)
        .orderBy('name')
        .execute(),
      db
        .selectFrom('team_projects')
        .innerJoin('teams', 'teams.id', 'team_id')
        .select(['project_id', 'teams.id', 'teams.name'])
        .where('project_id', 'in', ids)
        .orderBy('teams.name')
        .execute(),
      db
        .selectFrom('users')
        .select(['id', 'first_name', 'last_name'])
        .where('id', 'in', [0, ...records.flatMap((record) => record.requested_by ?? [])])
        .execute(),
      db
        .selectFrom('day_cells')
        .select((eb) => ['project_id', 'day', eb.fn.sum<number>('completes').as('completes')])
        .where('survey_id', 'in', (eb) => eb.selectFrom('surveys').select('id').where('project_id', 'in', ids))
        .where('cell', '=', -1)
        .where('day', '>=', addDays(ctx.today, -13))
        .groupBy(['project_id', 'day'])
        .execute(),
      pendingRewards(ctx, ids),
      db
        .selectFrom('files')
        .select('project_id')
        .where('project_id', 'in', ids)
        .where('asset_type', '=', 'Survey Document')
        .execute(),
      db
        .selectFrom('targets')
        .innerJoin('activities', 'activities.id', 'activity_id')
        .select(['project_id', 'targeted_locations'])
        .where('project_id', 'in', ids)
        .where('activities.deleted_at', 'is', null)
        .orderBy('activities.id')
        .execute(),
      db
        .selectFrom('projects')
        .select((eb) => ['parent_id', eb.fn.sum<number>('ordered').as('ordered')])
        .where('parent_id', 'in', ids)
        .where(projectScope(ctx.actor))
        .groupBy('parent_id')
        .execute(),
      db
        .selectFrom('demo_cells')
        .select('project_id')
        .distinct()
        .where('survey_id', 'in', (eb) => eb.selectFrom('surveys').select('id').where('project_id', 'in', ids))
        .where('cell', '=', -1)
        .execute(),
      // Asked for those alone that can be deleted.
      db
        .selectFrom('entries')
        .select('project_id')
        .distinct()
        .where('project_id', 'in', [0, ...records.filter((record) => DELETABLE.has(record.status)).map((record) => record.id)])
        .execute(),
    ])
  const codes = new Set(
    markets
      .flatMap((market) => market.targeted_locations.split(','))
      .filter((code) => /^\d+$/.test(code))
      .map(Number),
  )
  const dmas = codes.size
    ? await db
        .selectFrom('dmas')
        .select(['code', 'name'])
        .where('code', 'in', [...codes])
        .execute()
    : []
  return {
    quotes,
    clients: new Map(clients.map((client) => [client.id, client.name])),
    surveys: groupBy(surveys, (survey) => survey.project_id),
    partners: groupBy(partners, (partner) => partner.project_id),
    teams: groupBy(teams, (team) => team.project_id),
    people: new Map(people.map((person) => [person.id, person])),
    days: groupBy(days, (day) => day.project_id),
    pending,
    /** What the children that the caller sees have ordered; only parents are in it. */
    orders: new Map(orders.map((row) => [row.parent_id, Number(row.ordered)])),
    /** The projects that have respondents of their own. */
    answered: new Set(answered.map((row) => row.project_id)),
    rewarded: new Set(rewarded.map((row) => row.project_id)),
    documents: new Set(documents.map((row) => row.project_id)),
    markets: groupBy(markets, (market) => market.project_id),
    dmas: new Map(dmas.map((dma) => [String(dma.code), dma.name])),
  }
}
/** Pending rewards by project: a parent's with those of its children (decisions.md 13, Families). */
async function pendingRewards(ctx: Ctx, ids: readonly number[]): Promise<Map<number, number>> {
  const children = await ctx.db
    .selectFrom('projects')
    .select(['id', 'parent_id'])
    .where('parent_id', 'in', ids)
    .where(projectScope(ctx.actor))
    .execute()
  const rows = await ctx.db
    .selectFrom('entries')
    .select((eb) => ['project_id', eb.fn.countAll<number>().as('pending')])
    .where('project_id', 'in', [...ids, ...children.map((child) => child.id)])
    .where('status', '=', 'pending')
    .groupBy('project_id')
    .execute()
  const own = new Map(rows.map((row) => [row.project_id, Number(row.pending)]))
  const sums = new Map(ids.map((id) => [id, own.get(id) ?? 0]))
  for (const child of children) sums.set(child.parent_id!, sums.get(child.parent_id!)! + (own.get(child.id) ?? 0))
  return sums
}
type Neighbours = Awaited<ReturnType<typeof neighbours>>

/** What the access table asks of a project. */
function factsOf(record: ProjectRecord, near: Neighbours, today: string): ProjectFacts {
  const surveys = near.surveys.get(record.id) ?? []
  return {
    id: record.id,
    generation: record.generation,
    status: record.status,
    // A parent without an order of its own goes live on those of its children.
    ordered: record.ordered + (near.orders.get(record.id) ?? 0),
    start_dt: record.start_dt,
    end_dt: record.end_dt,
    cost_cents: record.cost_cents,
    has_partner: (near.partners.get(record.id) ?? []).some((partner) => partner.round === record.quote_round),
    needs_survey: record.campaign_type === 'Survey',
    has_survey: record.survey_url !== '' || surveys.some((survey) => survey.survey_link !== '') || near.documents.has(record.id),
    quote_valid_until: record.quote_valid_until,
    quote_sent: near.quotes.get(record.id)?.state !== 'prepared',
    requested_by: record.requested_by,
    pending_rewards: near.pending.get(record.id) ?? 0,
    has_results: near.answered.has(record.id) || near.rewarded.has(record.id),
    has_children: near.orders.has(record.id),
    today,
  }
}

const pacingInput = (record: ProjectRecord): PacingInput => ({
  status: record.status,
  ordered: record.ordered,
  delivered: record.delivered,
  start: record.start_dt,
  end: record.end_dt,
})

/** Completes of each of the last 14 days, oldest first. */
function trendOf(ctx: Ctx, parts: readonly ProjectRecord[], near: Neighbours): number[] {
  const trend = Array.from({ length: 14 }, () => 0)
  for (const part of parts) {
    for (const day of near.days.get(part.id) ?? []) {
      const at = 13 - Math.round((Date.parse(ctx.today) - Date.parse(day.day)) / 86_400_000)
      if (at >= 0 && at < 14) trend[at]! += Number(day.completes)
    }
  }
  return trend
}

const sumOf = (parts: readonly ProjectRecord[], column: 'ordered' | 'delivered'): number =>
  parts.reduce((sum, part) => sum + part[column], 0)

/** What a family costs in all; null where no part has a cost. */
export const familyCost = (parts: readonly Pick<ProjectRecord, 'cost_cents'>[]): number | null =>
  parts.every((part) => part.cost_cents === null) ? null : parts.reduce((sum, part) => sum + (part.cost_cents ?? 0), 0)

/** A parent's own part of its family's figures; null where it has neither an order nor responses of its own, or no children. */
function ownPart(ctx: Ctx, record: ProjectRecord, near: Neighbours, children: readonly ProjectRecord[]): Child['own'] {
  if (!children.length || !(hasOwnPart(record) || near.answered.has(record.id))) return null
  const pace = pacingOf(pacingInput(record), ctx.today)
  return {
    ordered: record.ordered,
    delivered: record.delivered,
    pacing: pace.pacing,
    pacing_color: pace.color,
    pacing_state: pace.state,
    expected: pace.expected,
    cost_cents: record.cost_cents,
    trend: trendOf(ctx, [record], near),
  }
}

function rowOf(ctx: Ctx, record: ProjectRecord, near: Neighbours, children: readonly ProjectRecord[]): Child {
  const pace = pacingOf(pacingInput(record), ctx.today, children.map(pacingInput))
  const family = [record, ...children]
  const ordered = sumOf(family, 'ordered')
  const delivered = sumOf(family, 'delivered')
  const person = record.requested_by ? near.people.get(record.requested_by) : undefined
  const trend = trendOf(ctx, family, near)
  const partners = [
    ...new Map(
      (near.partners.get(record.id) ?? []).map((partner) => [partner.partner_id, { id: partner.partner_id, name: partner.name }]),
    ).values(),
  ]
  const team = near.teams.get(record.id)?.[0]
  const locations = (near.markets.get(record.id)?.[0]?.targeted_locations ?? '').split(',').filter(Boolean)
  return {
    id: record.id,
    generation: record.generation,
    parent_id: record.parent_id,
    project_id: record.parent_id,
    name: record.name,
    description: record.description,
    requirements: record.requirements,
    status: SPELLING[record.status].v3,
    stored_status: record.status,
    status_shown: SPELLING[record.status].shown,
    goal: record.ordered,
    ordered,
    num_completed_actions: ordered,
    completed: delivered,
    delivered,
    percentage: pace.pacing,
    pacing: pace.pacing,
    pacing_color: pace.color,
    pacing_state: pace.state,
    expected: pace.expected,
    own: ownPart(ctx, record, near, children),
    client_id: record.client_id,
    client_name: near.clients.get(record.client_id) ?? '',
    start_dt: record.start_dt,
    end_dt: record.end_dt,
    start_dateP: usDate(record.start_dt),
    end_dateP: usDate(record.end_dt),
    campaign_type: record.campaign_type,
    survey_url: record.survey_url,
    survey_id: near.surveys.get(record.id)?.[0]?.id ?? null,
    partner_id: record.provider_id,
    reward_provider: record.provider_id ? labelOf(PROVIDERS, record.provider_id, '') : '',
    targeted_location_names: locations.flatMap((code) => near.dmas.get(code) ?? []),
    cost_cents: record.cost_cents,
    family_cost_cents: familyCost(family),
    quote_valid_until: record.quote_valid_until,
    quote_round: record.quote_round,
    requested_by: person ? { id: person.id, first_name: person.first_name, last_name: person.last_name } : null,
    // Which partners work on it is the house's business, not the client's (decisions.md 4).
    partners: ctx.actor.role === 'admin' ? partners : [],
    team: team ? { id: team.id, name: team.name } : null,
    trend,
    pending_rewards: ctx.actor.role === 'admin' ? (near.pending.get(record.id) ?? 0) : 0,
    created_at: record.created_at,
    updated_at: record.updated_at,
    lock_version: record.lock_version,
    ...(allowedActions(PROJECT_RULES, ctx.actor, factsOf(record, near, ctx.today)) as {
      allowed_actions: string[]
      refused_actions: Record<string, string>
    }),
  }
}

/** Projects as every list and detail shows them, parents with those of their children that are given. */
export async function projectRows(
  ctx: Ctx,
  records: readonly ProjectRecord[],
  children: readonly ProjectRecord[] = [],
): Promise<Row[]> {
  const near = await neighbours(ctx, [...records, ...children])
  const priced = pricedFor(ctx, near.quotes)
  const family = groupBy(children.map(priced), (child) => child.parent_id)
  return records.map((record) => {
    const mine = family.get(record.id) ?? []
    return { ...rowOf(ctx, priced(record), near, mine), children: mine.map((child) => rowOf(ctx, child, near, [])) }
  })
}

/** The facts of one project, for guarding a write. */
export async function projectFacts(ctx: Ctx, record: ProjectRecord): Promise<ProjectFacts> {
  return factsOf(record, await neighbours(ctx, [record]), ctx.today)
}
