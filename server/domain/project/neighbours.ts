import { refusedTo } from '../../../contract/access.ts'
import { addDays, hasOwnPart } from '../../../contract/pacing.ts'
import { type ProjectFacts, removable } from '../../../contract/projectAccess.ts'
import type { Ctx } from '../../core/context.ts'
import { projectScope } from '../../core/scope.ts'
import { marketReader } from './projectMarkets.ts'
import { currentStates } from './quotes.ts'
import type { ProjectRecord } from './storedProject.ts'

export type Neighbours = Awaited<ReturnType<typeof neighbours>>
type FactsNear = Awaited<ReturnType<typeof factsNear>>
/** The columns of a child that sums need when its row isn't shown. */
type Child = Pick<ProjectRecord, 'id' | 'parent_id' | 'ordered'>

/** Days in a row's trend, including today. */
const TREND_DAYS = 14

export const groupBy = <T, K>(rows: readonly T[], key: (row: T) => K): Map<K, T[]> => {
  const groups = new Map<K, T[]>()
  for (const row of rows) {
    const list = groups.get(key(row))
    if (list) list.push(row)
    else groups.set(key(row), [row])
  }
  return groups
}

/** What a caller reads for itself, or has read, so that it isn't read again. */
interface Known {
  surveys?: Promise<readonly { id: number; project_id: number; survey_link: string }[]>
  /** By activity, the last one first. */
  targets?: Promise<readonly { project_id: number; targeted_locations: string }[]>
  clients?: ReadonlyMap<number, string>
  people?: ReadonlyMap<number, { id: number; first_name: string; last_name: string }>
}

/** Runs a query for these records' ids, unless there are none. */
const some = async <T>(records: readonly { id: number }[], ask: (ids: number[]) => Promise<T[]>): Promise<T[]> =>
  records.length ? ask(records.map((record) => record.id)) : []

/**
 * Loads what the rules of projects need from other tables, one query each, only for the records that need it.
 * `children` are all the children of these projects the caller can see; they are read if missing.
 * For a brief list, `folded` are records without rows whose quotes sums need.
 */
export async function factsNear(
  ctx: Ctx,
  records: readonly ProjectRecord[],
  children?: readonly Child[],
  folded?: readonly ProjectRecord[],
  known: Known = {},
) {
  const ids = records.length ? records.map((record) => record.id) : [0]
  const { db } = ctx
  const family = groupBy(children ?? (await childrenOf(ctx, records)), (child) => child.parent_id)
  const [quotes, surveys, partners, teams, pending, documents, answered, rewarded] = await Promise.all([
    currentStates(ctx, [...records, ...(folded ?? [])]),
    known.surveys ??
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
      .where('revoked_at', 'is', null)
      .orderBy('name')
      .execute(),
    db
      .selectFrom('team_projects')
      .innerJoin('teams', 'teams.id', 'team_id')
      .select(['project_id', 'teams.id', 'teams.name'])
      .where('project_id', 'in', ids)
      .orderBy('teams.name')
      .execute(),
    pendingRewards(ctx, records, family),
    // Only survey projects without a survey address need one.
    some(records.filter(needsSurvey), (ids) =>
      db
        .selectFrom('files')
        .select('project_id')
        .where('project_id', 'in', ids)
        .where('asset_type', '=', 'Survey Document')
        .execute(),
    ),
    // Responses prevent deletion, and make a parent without an order of its own a part of its family.
    some(
      records.filter((record) => removable(record.status) || (family.has(record.id) && !hasOwnPart(record))),
      (ids) =>
        db
          .selectFrom('demo_cells')
          .select('project_id')
          .distinct()
          .where('survey_id', 'in', (eb) => eb.selectFrom('surveys').select('id').where('project_id', 'in', ids))
          .where('cell', '=', -1)
          .execute(),
    ),
    some(
      records.filter((record) => removable(record.status)),
      (ids) => db.selectFrom('entries').select('project_id').distinct().where('project_id', 'in', ids).execute(),
    ),
  ])
  return {
    quotes,
    surveys: groupBy(surveys, (survey) => survey.project_id),
    partners: groupBy(partners, (partner) => partner.project_id),
    teams: groupBy(teams, (team) => team.project_id),
    pending,
    /** Sums of orders over the children the caller sees, by parent. */
    orders: new Map([...family].map(([id, some]) => [id, some.reduce((sum, child) => sum + child.ordered, 0)])),
    /** Projects with responses, among the deletable ones and parents with no order and no completes. */
    answered: new Set(answered.map((row) => row.project_id)),
    /** Projects with rewards, among the deletable ones. */
    rewarded: new Set(rewarded.map((row) => row.project_id)),
    documents: new Set(documents.map((row) => row.project_id)),
  }
}

/** Loads what rows of projects show besides `factsNear`; a brief list's `folded` records also count in its trends. */
export async function neighbours(
  ctx: Ctx,
  records: readonly ProjectRecord[],
  children: readonly Child[] | undefined,
  folded?: readonly ProjectRecord[],
  known: Known = {},
) {
  const counted = [0, ...records.map((record) => record.id), ...(folded ?? []).map((record) => record.id)]
  const { db } = ctx
  const [facts, clients, people, days, targets] = await Promise.all([
    factsNear(ctx, records, children, folded, known),
    known.clients ??
      db
        .selectFrom('clients')
        .select(['id', 'name'])
        .where('id', 'in', [0, ...new Set(records.map((record) => record.client_id))])
        .execute()
        .then((rows) => new Map(rows.map(({ id, name }) => [id, name]))),
    known.people ??
      db
        .selectFrom('users')
        .select(['id', 'first_name', 'last_name'])
        .where('id', 'in', [0, ...new Set(records.flatMap((record) => record.requested_by ?? []))])
        .execute()
        .then((rows) => new Map(rows.map((person) => [person.id, person]))),
    db
      .selectFrom('day_cells')
      .select(['project_id', 'day', 'completes'])
      .where('survey_id', 'in', (eb) => eb.selectFrom('surveys').select('id').where('project_id', 'in', counted))
      .where('cell', '=', -1)
      .where('day', '>=', addDays(ctx.today, 1 - TREND_DAYS))
      .execute(),
    known.targets ??
      some(folded ? [] : records, (ids) =>
        db
          .selectFrom('targets')
          .innerJoin('activities', 'activities.id', 'activity_id')
          .select(['project_id', 'targeted_locations'])
          .where('project_id', 'in', ids)
          .where('activities.deleted_at', 'is', null)
          .orderBy('activities.id', 'desc')
          .execute(),
      ),
  ])
  return {
    ...facts,
    clients,
    people,
    trends: trendsOf(ctx.today, days),
    // The first activity comes last, so its target wins.
    locations: new Map(targets.map((target) => [target.project_id, target.targeted_locations])),
    markets: marketReader(),
  }
}

/** True if the survey's address or file has to come from elsewhere before going live. */
const needsSurvey = (record: ProjectRecord): boolean => record.campaign_type === 'Survey' && record.survey_url === ''

/** Children the caller can see; children of children don't exist. */
const childrenOf = (ctx: Ctx, records: readonly ProjectRecord[]): Promise<Child[]> =>
  some(
    records.filter((record) => record.parent_id === null),
    (ids) =>
      ctx.db
        .selectFrom('projects')
        .select(['id', 'parent_id', 'ordered'])
        .where('parent_id', 'in', ids)
        .where(projectScope(ctx.actor))
        .execute(),
  )

/** Pending rewards by project, a parent's with its children's (decisions.md 13, Families); client users get none. */
async function pendingRewards(
  ctx: Ctx,
  records: readonly ProjectRecord[],
  family: ReadonlyMap<number | null, readonly Child[]>,
): Promise<Map<number, number>> {
  if (refusedTo('entry.list', ctx.actor)) return new Map()
  const ids = new Set(records.flatMap((record) => [record.id, ...(family.get(record.id) ?? []).map((child) => child.id)]))
  const rows = await ctx.db
    .selectFrom('entry_totals')
    .select((eb) => ['project_id', eb.fn.sum<number>('count').as('pending')])
    .where('project_id', 'in', [0, ...ids])
    .where('status', '=', 'pending')
    .groupBy('project_id')
    .execute()
  const own = new Map(rows.map((row) => [row.project_id, Number(row.pending)]))
  return new Map(
    records.map(({ id }) => [
      id,
      (family.get(id) ?? []).reduce((sum, child) => sum + (own.get(child.id) ?? 0), own.get(id) ?? 0),
    ]),
  )
}

/** Completes of the last days by project, oldest first. */
function trendsOf(
  today: string,
  days: readonly { project_id: number; day: string; completes: number }[],
): Map<number, readonly number[]> {
  const trends = new Map<number, number[]>()
  // A lookup, because computing a difference of dates costs more than the rest of a row.
  const places = new Map(Array.from({ length: TREND_DAYS }, (_, at) => [addDays(today, at + 1 - TREND_DAYS), at]))
  for (const { project_id, day, completes } of days) {
    const at = places.get(day)
    if (at === undefined) continue
    const trend = trends.get(project_id) ?? noTrend()
    trend[at]! += Number(completes)
    trends.set(project_id, trend)
  }
  return trends
}

const noTrend = (): number[] => Array.from({ length: TREND_DAYS }, () => 0)

/** The summed trend of some parts. */
export function trendOf(near: Pick<Neighbours, 'trends'>, parts: readonly { id: number }[]): number[] {
  const sum = noTrend()
  for (const part of parts) for (const [day, completes] of near.trends.get(part.id)?.entries() ?? []) sum[day]! += completes
  return sum
}

/** The facts about a project that the access rules need. */
export function paneStateOf(record: ProjectRecord, near: FactsNear, today: string): ProjectFacts {
  const surveys = near.surveys.get(record.id) ?? []
  return {
    id: record.id,
    generation: record.generation,
    status: record.status,
    // A parent without an order of its own can go live on its children's.
    ordered: record.ordered + (near.orders.get(record.id) ?? 0),
    start_dt: record.start_dt,
    end_dt: record.end_dt,
    cost_cents: record.cost_cents,
    has_partner: (near.partners.get(record.id) ?? []).some((partner) => partner.round === record.quote_round),
    needs_survey: record.campaign_type === 'Survey',
    has_survey: record.survey_url !== '' || surveys.some((survey) => survey.survey_link !== '') || near.documents.has(record.id),
    quote_valid_until: record.quote_valid_until,
    quote_sent: near.quotes.get(record.id)?.state !== 'prepared',
    quote_again: record.quote_round > 1 || (near.quotes.get(record.id)?.revision ?? 1) > 1,
    requested_by: record.requested_by,
    pending_rewards: near.pending.get(record.id) ?? 0,
    has_results: near.answered.has(record.id) || near.rewarded.has(record.id),
    has_team: near.teams.has(record.id),
    has_children: near.orders.has(record.id),
    today,
  }
}
