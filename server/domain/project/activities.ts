import { allowedActions } from '../../../contract/access.ts'
import type { Ctx } from '../../core/context.ts'
import { linkTo } from '../../core/signedLink.ts'
import { TOTAL } from '../runtime/cells.ts'

interface Parts {
  assets: {
    id: number
    kind: string
    asset_type: string
    original_name: string
    size: number
    mime: string
    created_at: string
    url: string
  }[]
  location_groups: { location_group_id: number; name: string }[]
  allowed_actions: string[]
  refused_actions: Record<string, string>
}
export interface SurveyFigures {
  survey_id: number | null
  survey_name: string | null
  completes: number
  responses: number
}
const NO_SURVEY: SurveyFigures = { survey_id: null, survey_name: null, completes: 0, responses: 0 }

/** Each activity's linked survey, with the completes and responses of all surveys that count for it. */
export async function surveysOf(ctx: Pick<Ctx, 'db'>, activityIds: readonly number[]): Promise<Map<number, SurveyFigures>> {
  const found = new Map<number, SurveyFigures>()
  if (!activityIds.length) return found
  const rows = await ctx.db
    .selectFrom('surveys')
    .leftJoin('demo_cells as cells', (join) => join.onRef('cells.survey_id', '=', 'surveys.id').on('cells.cell', '=', TOTAL))
    .select(['surveys.id', 'surveys.activity_id', 'surveys.name', 'completes', 'terminates', 'overquota', 'partials'])
    .where('surveys.activity_id', 'in', [...activityIds])
    .where('surveys.deleted_at', 'is', null)
    .orderBy('surveys.id')
    .execute()
  for (const { id, activity_id, name, ...counted } of rows) {
    const before = found.get(activity_id!) ?? { ...NO_SURVEY, survey_id: id, survey_name: name }
    const completes = Number(counted.completes ?? 0)
    const others = Number(counted.terminates ?? 0) + Number(counted.overquota ?? 0) + Number(counted.partials ?? 0)
    before.completes += completes
    before.responses += completes + others
    found.set(activity_id!, before)
  }
  return found
}

/** Activities with their files, location groups and allowed actions (projects-area 3). */
export async function withParts<A extends { id: number; project_id: number; activity_type: string }>(
  ctx: Ctx,
  activities: readonly A[],
): Promise<(A & Parts & SurveyFigures)[]> {
  const ids = [0, ...activities.map((activity) => activity.id)]
  const projects = [0, ...new Set(activities.map((activity) => activity.project_id))]
  const [files, groups, surveys, statuses] = await Promise.all([
    ctx.db
      .selectFrom('files')
      .select(['id', 'activity_id', 'kind', 'asset_type', 'original_name', 'size', 'mime', 'created_at'])
      // Files are indexed by project, so this condition narrows the search.
      .where('project_id', 'in', projects)
      .where('activity_id', 'in', ids)
      // Participants' files are counted, not listed.
      .where('kind', 'not in', ['export', 'media'])
      .orderBy('id')
      .execute(),
    ctx.db
      .selectFrom('activity_location_groups as link')
      .innerJoin('location_groups as groups', 'groups.id', 'link.group_id')
      .select(['link.activity_id', 'groups.id', 'groups.name'])
      .where('link.activity_id', 'in', ids)
      .where('groups.deleted_at', 'is', null)
      .orderBy('groups.id')
      .execute(),
    surveysOf(
      ctx,
      activities.map((activity) => activity.id),
    ),
    ctx.db.selectFrom('projects').select(['id', 'status']).where('id', 'in', projects).execute(),
  ])
  const statusOf = new Map(statuses.map(({ id, status }) => [id, status]))
  return activities.map((activity) => ({
    ...activity,
    ...(surveys.get(activity.id) ?? NO_SURVEY),
    assets: files
      .filter((file) => file.activity_id === activity.id)
      .map(({ activity_id: _, ...file }) => ({ ...file, url: linkTo(ctx, file).url })),
    location_groups: groups
      .filter((group) => group.activity_id === activity.id)
      .map((group) => ({ location_group_id: group.id, name: group.name })),
    ...(allowedActions('activity', ctx.actor, {
      type: activity.activity_type,
      ...(surveys.get(activity.id) ?? NO_SURVEY),
      project_status: statusOf.get(activity.project_id)!,
    }) as Pick<Parts, 'allowed_actions' | 'refused_actions'>),
  }))
}
