import type { z } from 'zod'
import { allowedActions, refusedTo } from '../../../contract/access.ts'
import type { Rules as RulesShape } from '../../../contract/call.ts'
import type { Fields } from '../../../contract/fieldKinds.ts'
import { usDate } from '../../../contract/olderFields.ts'
import { hasOwnPart, type PacingInput, pacingOf } from '../../../contract/pacing.ts'
import type { ProjectFacts } from '../../../contract/projectAccess.ts'
import { rowFields } from '../../../contract/projectFields.ts'
import type { ProjectRow } from '../../../contract/projectRecord.ts'
import { SPELLING } from '../../../contract/status.ts'
import { labelOf, PROVIDERS } from '../../../contract/vocabulary.ts'
import type { Ctx } from '../../core/context.ts'
import { fieldReader } from '../../core/fieldColumns.ts'
import { sumOf } from './family.ts'
import { factsNear, groupBy, type Neighbours, neighbours, paneStateOf, trendOf } from './neighbours.ts'
import { pricedFor } from './quotes.ts'
import type { ProjectRecord } from './storedProject.ts'

export type Row = z.output<typeof ProjectRow>
type Rules = z.output<typeof RulesShape>
type Child = Row['children'][number]

const fieldsIn = fieldReader(rowFields)

/** What a part adds to its family's pacing. */
export const pacingInput = (record: FamilyPart): PacingInput => ({
  status: record.status,
  ordered: record.ordered,
  delivered: record.delivered,
  start: record.start_dt,
  end: record.end_dt,
})

/** The columns that a child adds to its family's figures. */
export const FAMILY_COLUMNS = [
  'id',
  'parent_id',
  'status',
  'ordered',
  'delivered',
  'start_dt',
  'end_dt',
  'cost_cents',
  'quote_round',
  'quote_valid_until',
] as const
/** A child of which only its family's figures are shown. */
export type FamilyPart = Pick<ProjectRecord, (typeof FAMILY_COLUMNS)[number]>

/** A parent's own part of its family's figures; null without children, or without its own order and responses. */
function ownPart(ctx: Ctx, record: ProjectRecord, near: Neighbours, children: readonly FamilyPart[]): Child['own'] {
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
    trend: trendOf(near, [record]),
  }
}

function rowOf(ctx: Ctx, record: ProjectRecord, near: Neighbours, children: readonly FamilyPart[]): Child {
  const pace = pacingOf(pacingInput(record), ctx.today, children.map(pacingInput))
  const family = [record, ...children]
  const ordered = sumOf(family, 'ordered')
  const delivered = sumOf(family, 'delivered')
  const person = record.requested_by ? near.people.get(record.requested_by) : undefined
  const partners = [
    ...new Map(
      (near.partners.get(record.id) ?? []).map((partner) => [partner.partner_id, { id: partner.partner_id, name: partner.name }]),
    ).values(),
  ]
  const team = near.teams.get(record.id)?.[0]
  return {
    id: record.id,
    generation: record.generation,
    ...fieldsIn(record),
    project_id: record.parent_id,
    child_project_id: record.parent_id === null ? null : record.id,
    status: SPELLING[record.status].v3,
    stored_status: record.status,
    status_shown: SPELLING[record.status].shown,
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
    client_name: near.clients.get(record.client_id) ?? '',
    start_dateP: usDate(record.start_dt),
    end_dateP: usDate(record.end_dt),
    survey_id: near.surveys.get(record.id)?.[0]?.id ?? null,
    reward_provider: record.provider_id ? labelOf(PROVIDERS, record.provider_id, '') : '',
    targeted_location_names: near.markets(near.locations.get(record.id) ?? '').names,
    cost_cents: record.cost_cents,
    family_cost_cents: sumOf(family, 'cost_cents'),
    quote_valid_until: record.quote_valid_until,
    quote_round: record.quote_round,
    requested_by: person ? { id: person.id, first_name: person.first_name, last_name: person.last_name } : null,
    owner: near.owners.get(record.id) ?? null,
    follows: near.followed.has(record.id),
    // Clients don't see which partners work on a project (decisions.md 4).
    partners: refusedTo('project.proffers', ctx.actor) === null ? partners : [],
    team: team ? { id: team.id, name: team.name } : null,
    trend: trendOf(near, family),
    pending_rewards: refusedTo('entry.list', ctx.actor) === null ? (near.pending.get(record.id) ?? 0) : 0,
    created_at: record.created_at,
    updated_at: record.updated_at,
    lock_version: record.lock_version,
    ...(allowedActions('project', ctx.actor, paneStateOf(record, near, ctx.today)) as {
      allowed_actions: string[]
      refused_actions: Record<string, string>
    }),
  }
}

/** Projects as lists return them; `children`, if given, must be all those the caller can see. */
export const projectRows = async (
  ctx: Ctx,
  records: readonly ProjectRecord[],
  children?: readonly ProjectRecord[],
): Promise<Row[]> => rowsNear(ctx, records, children, await neighbours(ctx, [...records, ...(children ?? [])], children))

/** Like projectRows, from what has been read. */
export function rowsNear(
  ctx: Ctx,
  records: readonly ProjectRecord[],
  children: readonly ProjectRecord[] | undefined,
  near: Neighbours,
): Row[] {
  const priced = pricedFor(ctx, near.quotes)
  const family = groupBy((children ?? []).map(priced), (child) => child.parent_id)
  return records.map((record) => {
    const mine = family.get(record.id) ?? []
    const children = mine.map((child) => rowOf(ctx, child, near, []))
    return { ...rowOf(ctx, priced(record), near, mine), children, children_count: mine.length }
  })
}

/** What a brief list leaves empty. */
const UNREAD = { children: [], allowed_actions: [], refused_actions: {} }
const WITHOUT_TEXTS = {
  ...UNREAD,
  ...Object.fromEntries(
    Object.entries(rowFields as Fields).flatMap(([name, field]) => (field.kind === 'text' && field.lines ? [[name, '']] : [])),
  ),
}

/** Projects as a brief list returns them: without children and markets; rules that rows share are sent once. */
export async function briefRows(
  ctx: Ctx,
  records: readonly ProjectRecord[],
  children: readonly FamilyPart[],
  texts = true,
): Promise<{ data: Row[]; rules: Rules }> {
  const near = await neighbours(ctx, records, children, children)
  const priced = pricedFor(ctx, near.quotes)
  const family = groupBy(children.map(priced), (child) => child.parent_id)
  const rules: Rules = []
  const places = new Map<string, number>()
  const data = records.map((record): Row => {
    const mine = family.get(record.id) ?? []
    const row = rowOf(ctx, priced(record), near, mine)
    const { allowed_actions, refused_actions } = row
    const key = [...allowed_actions, ...Object.values(refused_actions)].join('\n')
    const rule = places.get(key) ?? rules.push([allowed_actions, refused_actions]) - 1
    places.set(key, rule)
    // Filled in place, because copying so many fields takes as long as making them.
    return Object.assign(row, texts ? UNREAD : WITHOUT_TEXTS, { rule, children_count: mine.length })
  })
  return { data, rules }
}

/** A project's facts for the access rules of a write. */
export async function projectFacts(ctx: Ctx, record: ProjectRecord): Promise<ProjectFacts> {
  return paneStateOf(record, await factsNear(ctx, [record]), ctx.today)
}
