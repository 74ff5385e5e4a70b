import type { z } from 'zod'
import type { campaignCalls } from '../../../contract/campaign.ts'
import { toOlder } from '../../../contract/olderFields.ts'
import { readFields, rowFields } from '../../../contract/projectFields.ts'
import type { Ctx } from '../../core/context.ts'
import { linkTo } from '../../core/signedLink.ts'
import { projectDetail } from '../../domain/project/detail.ts'
import { marketReader } from '../../domain/project/projectMarkets.ts'
import type { Row } from '../../domain/project/projectRows.ts'

type Campaign = z.output<(typeof campaignCalls)['campaign.list']['output']>['data']['campaigns'][number]

/** Each project's audience: the target of its first activity that has one, with its markets. */
type Near = Awaited<ReturnType<typeof audiences>>

/** `named` adds the names of the market areas. */
export async function audiences(ctx: Ctx, rows: readonly Row[], named = true) {
  const ids = [0, ...rows.flatMap((row) => [row.id, ...row.children.map((child) => child.id)])]
  const targets = await ctx.db
    .selectFrom('targets')
    .innerJoin('activities', 'activities.id', 'activity_id')
    .selectAll('targets')
    .select('project_id')
    .where('project_id', 'in', ids)
    .where('activities.deleted_at', 'is', null)
    .orderBy('activities.id', 'desc')
    .execute()
  const marketsOf = marketReader()
  // The first activity comes last, so its target wins.
  return new Map(
    targets.map((target) => [
      target.project_id,
      { ...target, markets: named ? marketsOf(target.targeted_locations).markets : [] },
    ]),
  )
}

const audienceOf = (near: Near, id: number) => {
  const target = near.get(id)
  return {
    targeted_location: target?.markets ?? [],
    age_range: target?.age ?? '',
    gender: target?.gender ?? '',
    hhi_range: target?.hhi ?? '',
    ethnicity_range: target?.ethnicity ?? '',
    marital_status_range: target?.marital_status ?? '',
    presence_of_children_range: target?.children ?? '',
    location_based_ind: target?.location_based ?? 'no',
  }
}

/** A project in the older spelling (decisions.md 1 and 2). */
function campaignOf(row: Row | Row['children'][number], near: Near): Omit<Campaign, 'children' | 'children_count'> {
  return {
    id: row.id,
    ...toOlder(rowFields, row),
    status: row.stored_status,
    stored_status: row.stored_status,
    status_shown: row.status_shown,
    start_dt: row.start_dt,
    end_dt: row.end_dt,
    cost: row.cost_cents === null ? null : row.cost_cents / 100,
    family_cost: row.family_cost_cents === null ? null : row.family_cost_cents / 100,
    cost_cents: row.cost_cents,
    family_cost_cents: row.family_cost_cents,
    requested: row.created_at,
    completed: row.delivered,
    survey_id: row.survey_id,
    survey_created: row.survey_id !== null,
    media_created: row.campaign_type === 'Content',
    user_id: row.requested_by?.id ?? null,
    user: { first_name: row.requested_by?.first_name ?? '', last_name: row.requested_by?.last_name ?? '' },
    owner: row.owner,
    follows: row.follows,
    company_name: row.client_name,
    num_completed_actions: row.ordered,
    decipher: { completes_value: row.delivered },
    ...audienceOf(near, row.id),
    pacing: row.pacing,
    pacing_color: row.pacing_color,
    pacing_state: row.pacing_state,
    own: row.own,
    trend: row.trend,
    lock_version: row.lock_version,
    allowed_actions: row.allowed_actions,
    refused_actions: row.refused_actions,
  }
}
/** A campaign with its children. */
export const withCampaignChildren = (row: Row, near: Near): Campaign => ({
  ...campaignOf(row, near),
  children: row.children.map((child) => campaignOf(child, near)),
  children_count: row.children_count,
  ...(row.rule === undefined ? {} : { rule: row.rule }),
})

/** A campaign in the shape of its Specifications tab. */
export async function campaignDetail(ctx: Ctx, id: number) {
  const detail = await projectDetail(ctx, id)
  const near = await audiences(ctx, [detail])
  const urlOf = (file: { id: number; original_name: string }) => linkTo(ctx, file).url
  const files = (kinds: string[]) =>
    detail.files
      .filter((file) => kinds.includes(file.kind))
      .map((file) => ({ id: file.id, file_name: file.original_name, url: urlOf(file), created: file.created_at }))
  return {
    ...withCampaignChildren(detail, near),
    ...toOlder(readFields, detail),
    // A list names the markets; a detail has their codes as one string (decisions.md 9).
    targeted_location: near.get(id)?.targeted_locations ?? '',
    campaign_contents_attributes: detail.files
      .filter((file) => file.kind === 'asset')
      .map((file) => ({ id: file.id, url: urlOf(file), _destroy: false })),
    project_docsigns_attributes: files(['docsign']),
    campaign_locationdocs_attributes: files(['location']),
  }
}
