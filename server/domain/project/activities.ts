import { allowedActions } from '../../../contract/access.ts'
import type { Ctx } from '../../core/context.ts'
import { linkTo } from '../../core/link.ts'

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

/** Activities with their files, location groups and allowed actions (projects-area 3). */
export async function withParts<A extends { id: number; project_id: number }>(
  ctx: Ctx,
  activities: readonly A[],
): Promise<(A & Parts)[]> {
  const ids = [0, ...activities.map((activity) => activity.id)]
  const [files, groups] = await Promise.all([
    ctx.db
      .selectFrom('files')
      .select(['id', 'activity_id', 'kind', 'asset_type', 'original_name', 'size', 'mime', 'created_at'])
      // Files are indexed by project, so the project narrows the search.
      .where('project_id', 'in', [0, ...new Set(activities.map((activity) => activity.project_id))])
      .where('activity_id', 'in', ids)
      .where('kind', '!=', 'export')
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
  ])
  const allowed = allowedActions('activity', ctx.actor) as Pick<Parts, 'allowed_actions' | 'refused_actions'>
  return activities.map((activity) => ({
    ...activity,
    assets: files
      .filter((file) => file.activity_id === activity.id)
      .map(({ activity_id: _, ...file }) => ({ ...file, url: linkTo(ctx, file).url })),
    location_groups: groups
      .filter((group) => group.activity_id === activity.id)
      .map((group) => ({ location_group_id: group.id, name: group.name })),
    ...allowed,
  }))
}
