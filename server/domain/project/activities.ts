import { allowedActions } from '../../../contract/access.ts'
import type { Status } from '../../../contract/status.ts'
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

/** Surveys with what was counted of each. */
export const countedSurveys = (ctx: Pick<Ctx, 'db'>) =>
  ctx.db
    .selectFrom('surveys')
    .leftJoin('demo_cells as cells', (join) => join.onRef('cells.survey_id', '=', 'surveys.id').on('cells.cell', '=', TOTAL))
    .select(['surveys.id', 'surveys.activity_id', 'surveys.name', 'completes', 'terminates', 'overquota', 'partials'])
    .where('surveys.deleted_at', 'is', null)
    .orderBy('surveys.id')
type CountedSurvey = Awaited<ReturnType<ReturnType<typeof countedSurveys>['execute']>>[number]

/** Each activity's linked survey, with the completes and responses of all surveys that count for it. */
export async function surveysOf(ctx: Pick<Ctx, 'db'>, activityIds: readonly number[]): Promise<Map<number, SurveyFigures>> {
  if (!activityIds.length) return new Map()
  return figuresOf(
    await countedSurveys(ctx)
      .where('surveys.activity_id', 'in', [...activityIds])
      .execute(),
  )
}

/** The figures of activities, from their surveys in the order of their ids. */
function figuresOf(rows: readonly CountedSurvey[]): Map<number, SurveyFigures> {
  const found = new Map<number, SurveyFigures>()
  for (const { id, activity_id, name, ...counted } of rows) {
    if (activity_id === null) continue
    const before = found.get(activity_id) ?? { ...NO_SURVEY, survey_id: id, survey_name: name }
    const completes = Number(counted.completes ?? 0)
    const others = Number(counted.terminates ?? 0) + Number(counted.overquota ?? 0) + Number(counted.partials ?? 0)
    before.completes += completes
    before.responses += completes + others
    found.set(activity_id, before)
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
    activities.length ? countedSurveys(ctx).where('surveys.activity_id', 'in', ids).execute() : [],
    ctx.db.selectFrom('projects').select(['id', 'status']).where('id', 'in', projects).execute(),
  ])
  const statusOf = new Map(statuses.map(({ id, status }) => [id, status]))
  return partsOf(ctx, activities, { files, groups, surveys, statusOf })
}

/** What activities are shown with, of any number of them. */
interface PartRows {
  files: readonly (Omit<Parts['assets'][number], 'url'> & { activity_id: number | null })[]
  groups: readonly { activity_id: number; id: number; name: string }[]
  /** In the order of their ids. */
  surveys: readonly CountedSurvey[]
  /** The status of each project. */
  statusOf: ReadonlyMap<number, Status>
}

/** The same from what has been read. */
export function partsOf<A extends { id: number; project_id: number; activity_type: string }>(
  ctx: Ctx,
  activities: readonly A[],
  { files, groups, surveys: counted, statusOf }: PartRows,
): (A & Parts & SurveyFigures)[] {
  const surveys = figuresOf(counted)
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
