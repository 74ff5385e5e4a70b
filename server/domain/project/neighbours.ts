import { sql } from 'kysely'
import { refusedTo } from '../../../contract/access.ts'
import { isAdmin } from '../../../contract/actor.ts'
import { addDays, hasOwnPart } from '../../../contract/pacing.ts'
import { type ProjectFacts, removable } from '../../../contract/projectAccess.ts'
import type { Ctx } from '../../core/context.ts'
import { projectScope } from '../../core/scope.ts'
import { idList, readTogether, type SmallRead, type SmallRow } from '../../db/smallReads.ts'
import { TOTAL } from '../runtime/cells.ts'
import { followedIn } from './followedProjects.ts'
import { marketReader } from './projectMarkets.ts'
import { ownersIn } from './projectOwner.ts'
import { statesIn, statesOf } from './quotes.ts'
import type { ProjectRecord } from './storedProject.ts'

export type Neighbours = Awaited<ReturnType<typeof neighbours>>
type FactsNear = Awaited<ReturnType<typeof factsNear>>
/** The columns of a child that sums need when its row isn't shown. */
type Child = Pick<ProjectRecord, 'id' | 'parent_id' | 'ordered'>

/** The columns of a child without a row of its own that its parent's quotes and trend need. */
type Folded = Pick<ProjectRecord, 'id' | 'quote_round'>

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
  /** Small reads of its own, made with those of a few projects. */
  beside?: Readonly<Record<string, SmallRead | null>> | undefined
}

/** Runs a query for these records' ids, unless there are none. */
const some = async <T>(records: readonly { id: number }[], ask: (ids: number[]) => Promise<T[]>): Promise<T[]> =>
  records.length ? ask(idsOf(records)) : []

const idsOf = (records: readonly { id: number }[]): number[] => records.map((record) => record.id)

type Fact = 'approvers' | 'quotes' | 'surveys' | 'partners' | 'teams' | 'pending' | 'documents' | 'answered' | 'rewarded'
/** The clients whose quotes only others decide on, from their named approvers. */
function decidedByOthers(rows: readonly SmallRow[], user_id: number): ReadonlySet<number> {
  const own = new Set(rows.filter(({ id }) => id === user_id).map(({ owner }) => owner))
  return new Set(rows.map(({ owner }) => owner).filter((owner) => !own.has(owner)))
}

/** The columns of a small read that only names projects. */
const OWNER = sql`project_id as owner, 0 as id, 0 as number, '' as name, '' as text`
const ownersOf = (rows: readonly SmallRow[]) => new Set(rows.map((row) => row.owner))

/**
 * Loads what the rules of projects need from other tables, in one statement, only for the records that need it.
 * `children` are all the children of these projects the caller can see; they are read if missing.
 * For a brief list, `folded` are records without rows whose quotes sums need.
 */
export async function factsNear(
  ctx: Ctx,
  records: readonly ProjectRecord[],
  children?: readonly Child[],
  folded?: readonly Folded[],
  known: Known = {},
) {
  const ids = idList(idsOf(records))
  const { db } = ctx
  const family = groupBy(children ?? (await childrenOf(ctx, records)), (child) => child.parent_id)
  const quoted = [...records, ...(folded ?? [])]
  const undocumented = idsOf(records.filter(needsSurvey))
  // Responses prevent deletion, and make a parent without an order of its own a part of its family.
  const answerable = idsOf(records.filter((record) => removable(record.status) || (family.has(record.id) && !hasOwnPart(record))))
  const rewardable = idsOf(records.filter((record) => removable(record.status)))
  const reads: Readonly<Record<Fact, SmallRead | null>> = {
    quotes: quoted.length ? statesIn(idsOf(quoted)) : null,
    surveys: known.surveys
      ? null
      : sql`project_id as owner, id, 0 as number, survey_link as name, '' as text from surveys
          where project_id in ${ids} and deleted_at is null`,
    partners: sql`project_id as owner, partner_id as id, round as number, name, '' as text
      from project_partners join partners on partners.id = partner_id where project_id in ${ids} and revoked_at is null`,
    teams: sql`project_id as owner, teams.id as id, 0 as number, teams.name as name, '' as text
      from team_projects join teams on teams.id = team_id where project_id in ${ids}`,
    pending: pendingIn(ctx, records, family),
    // Only survey projects without a survey address need one.
    documents: undocumented.length
      ? sql`${OWNER} from files where project_id in ${idList(undocumented)} and asset_type = 'Survey Document'`
      : null,
    answered: answerable.length
      ? sql`${OWNER} from demo_cells where survey_id in (select id from surveys where project_id in ${idList(answerable)})
          and cell = ${sql.lit(TOTAL)} group by project_id`
      : null,
    // Administrators always may; client users only if nobody else is named.
    approvers: isAdmin(ctx.actor)
      ? null
      : sql`client_id as owner, users.id as id, 0 as number, '' as name, '' as text
          from user_clients join users on users.id = user_id where approves = 1 and users.deleted_at is null
          and client_id in ${idList([...new Set(records.map((record) => record.client_id))])}`,
    rewarded: rewardable.length ? sql`${OWNER} from entries where project_id in ${idList(rewardable)} group by project_id` : null,
  }
  const [read, surveys] = await Promise.all([readTogether<string>(db, { ...known.beside, ...reads }), known.surveys])
  const of = (fact: Fact) => read[fact] ?? []
  return {
    quotes: statesOf(of('quotes'), quoted),
    surveys: groupBy(
      surveys ??
        of('surveys')
          .map(({ owner, id, name }) => ({ id, project_id: owner, survey_link: name }))
          .sort((a, b) => a.id - b.id),
      (survey) => survey.project_id,
    ),
    partners: groupBy(
      of('partners').map(({ owner, id, number, name }) => ({ project_id: owner, partner_id: id, round: number, name })),
      (partner) => partner.project_id,
    ),
    teams: groupBy(
      of('teams').map(({ owner, id, name }) => ({ project_id: owner, id, name })),
      (team) => team.project_id,
    ),
    pending: pendingOf(of('pending'), records, family),
    /** Sums of orders over the children the caller sees, by parent. */
    orders: new Map([...family].map(([id, some]) => [id, some.reduce((sum, child) => sum + child.ordered, 0)])),
    /** Projects with responses, among the deletable ones and parents with no order and no completes. */
    answered: ownersOf(of('answered')),
    /** Clients with named approvers of whom the caller isn't one. */
    decidedByOthers: decidedByOthers(of('approvers'), ctx.actor.id),
    /** Projects with rewards, among the deletable ones. */
    rewarded: ownersOf(of('rewarded')),
    documents: ownersOf(of('documents')),
    /** Every small read that was made, by name. */
    read,
  }
}

/** Loads what rows of projects show besides `factsNear`; a brief list's `folded` records also count in its trends. */
export async function neighbours(
  ctx: Ctx,
  records: readonly ProjectRecord[],
  children: readonly Child[] | undefined,
  folded?: readonly Folded[],
  known: Known = {},
) {
  const counted = idList(idsOf([...records, ...(folded ?? [])]))
  const { db } = ctx
  const recent = sql`from day_cells where survey_id in (select id from surveys where project_id in ${counted})
    and cell = ${sql.lit(TOTAL)} and day >= ${addDays(ctx.today, 1 - TREND_DAYS)}`
  const shown = { owners: ownersIn(ctx.actor, idsOf(records)), followed: followedIn(ctx.actor, idsOf(records)) }
  const beside = known.beside
    ? {
        ...known.beside,
        ...shown,
        days: sql`project_id as owner, 0 as id, completes as number, day as name, '' as text ${recent}`,
      }
    : shown
  const [facts, clients, people, apart, targets] = await Promise.all([
    factsNear(ctx, records, children, folded, { ...known, beside }),
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
    // A list has many days, whose rows are cheaper without the columns of other reads.
    known.beside ? null : sql<Day>`select project_id as owner, completes as number, day as name ${recent}`.execute(db),
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
    followed: ownersOf(facts.read.followed ?? []),
    owners: new Map((facts.read.owners ?? []).map(({ owner, id, name }) => [owner, { id, name }])),
    trends: trendsOf(ctx.today, apart?.rows ?? facts.read.days ?? []),
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

/** Reads pending rewards, for `pendingOf`; client users get none. */
function pendingIn(
  ctx: Ctx,
  records: readonly ProjectRecord[],
  family: ReadonlyMap<number | null, readonly Child[]>,
): SmallRead | null {
  if (refusedTo('entry.list', ctx.actor)) return null
  const ids = new Set(records.flatMap((record) => [record.id, ...(family.get(record.id) ?? []).map((child) => child.id)]))
  return sql`project_id as owner, 0 as id, sum(count) as number, '' as name, '' as text from entry_totals
    where project_id in ${idList([...ids])} and status = 'pending' group by project_id`
}

/** Pending rewards by project, a parent's with its children's (decisions.md 13, Families). */
function pendingOf(
  rows: readonly SmallRow[],
  records: readonly ProjectRecord[],
  family: ReadonlyMap<number | null, readonly Child[]>,
): Map<number, number> {
  const own = new Map(rows.map((row) => [row.owner, row.number]))
  return new Map(
    records.map(({ id }) => [
      id,
      (family.get(id) ?? []).reduce((sum, child) => sum + (own.get(child.id) ?? 0), own.get(id) ?? 0),
    ]),
  )
}

/** A project's completes on a day. */
type Day = Pick<SmallRow, 'owner' | 'number' | 'name'>

/** Completes of the last days by project, oldest first. */
function trendsOf(today: string, days: readonly Day[]): Map<number, readonly number[]> {
  const trends = new Map<number, number[]>()
  // A lookup, because computing a difference of dates costs more than the rest of a row.
  const places = new Map(Array.from({ length: TREND_DAYS }, (_, at) => [addDays(today, at + 1 - TREND_DAYS), at]))
  for (const { owner: project_id, name: day, number: completes } of days) {
    const at = places.get(day)
    if (at === undefined) continue
    const trend = trends.get(project_id) ?? noTrend()
    trend[at]! += Number(completes)
    trends.set(project_id, trend)
  }
  return trends
}

const noTrend = (): number[] => new Array<number>(TREND_DAYS).fill(0)

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
    approves: !near.decidedByOthers.has(record.client_id),
    pending_rewards: near.pending.get(record.id) ?? 0,
    has_results: near.answered.has(record.id) || near.rewarded.has(record.id),
    has_team: near.teams.has(record.id),
    has_children: near.orders.has(record.id),
    today,
  }
}
