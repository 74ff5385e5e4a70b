import type { z } from 'zod'
import { openTransitions } from '../../../contract/projectAccess.ts'
import type { ProjectDetail } from '../../../contract/projectRecord.ts'
import { SPELLING } from '../../../contract/status.ts'
import type { Ctx } from '../../core/context.ts'
import { notFound } from '../../core/errors.ts'
import { projectScope } from '../../core/scope.ts'
import { withParts } from './activities.ts'
import { categoriesOf } from './categories.ts'
import { marketReader } from './projectMarkets.ts'
import { rowsAndFacts } from './projectRows.ts'
import type { ProjectRecord } from './storedProject.ts'

/** A project the caller sees; throws 404 for any other, so that ids can't be probed. */
export async function seenProject(ctx: Pick<Ctx, 'db' | 'actor'>, id: number): Promise<ProjectRecord> {
  const record = await ctx.db
    .selectFrom('projects')
    .selectAll()
    .where('id', '=', id)
    .where(projectScope(ctx.actor))
    .executeTakeFirst()
  if (!record) throw notFound(`Project ${id}`)
  return record
}

/** All the fields of a project's Specifications. */
export async function projectDetail(ctx: Ctx, id: number): Promise<z.output<typeof ProjectDetail>> {
  const record = await seenProject(ctx, id)
  const { db } = ctx
  const [children, parent, activities, surveys, teams, files] = await Promise.all([
    db.selectFrom('projects').selectAll().where('parent_id', '=', id).where(projectScope(ctx.actor)).orderBy('id').execute(),
    record.parent_id
      ? db
          .selectFrom('projects')
          .select(['id', 'name'])
          .where('id', '=', record.parent_id)
          .where(projectScope(ctx.actor))
          .executeTakeFirst()
      : undefined,
    db.selectFrom('activities').selectAll().where('project_id', '=', id).where('deleted_at', 'is', null).orderBy('id').execute(),
    db
      .selectFrom('surveys')
      .select(['id', 'name', 'activity_id', 'survey_link', 'questions_count'])
      .where('project_id', '=', id)
      .where('deleted_at', 'is', null)
      .orderBy('id')
      .execute(),
    db
      .selectFrom('team_projects')
      .innerJoin('teams', 'teams.id', 'team_id')
      .select(['teams.id', 'teams.name'])
      .where('project_id', '=', id)
      .execute(),
    db
      .selectFrom('files')
      .select(['id', 'kind', 'asset_type', 'original_name', 'size', 'mime', 'created_at'])
      .where('project_id', '=', id)
      .where('kind', 'not in', ['export', 'media'])
      .orderBy('id')
      .execute(),
  ])
  const activityIds = [0, ...activities.map((activity) => activity.id)]
  const [targets, members, groups, categories] = await Promise.all([
    db
      .selectFrom('targets')
      .selectAll()
      .where('activity_id', 'in', activityIds)
      .execute()
      .then((rows) => rows.map(({ updated_at: _, ...target }) => target)),
    db
      .selectFrom('team_users')
      .innerJoin('users', 'users.id', 'user_id')
      .select(['team_id', 'users.id', 'first_name', 'last_name'])
      .where('team_id', 'in', [0, ...teams.map((team) => team.id)])
      .where('deleted_at', 'is', null)
      .execute(),
    db
      .selectFrom('activity_location_groups as link')
      .innerJoin('location_groups as groups', 'groups.id', 'link.group_id')
      .leftJoin('location_group_places as places', 'places.group_id', 'groups.id')
      .select((eb) => ['groups.id', 'groups.name', eb.fn.count<number>('places.place_id').as('locations')])
      .where('link.activity_id', 'in', activityIds)
      .where('groups.deleted_at', 'is', null)
      .groupBy(['groups.id', 'groups.name'])
      .execute(),
    categoriesOf(ctx, id),
  ])
  const shownActivities = await withParts(ctx, activities)
  const marketsOf = marketReader()
  const [[row], facts] = await rowsAndFacts(ctx, [record], children)
  return {
    ...row!,
    loi_minutes: record.expected_loi_minutes,
    incidence: record.expected_incidence,
    parent: parent ?? null,
    decipher: { completes_value: row!.delivered },
    activities: shownActivities.map((activity) => {
      const target = targets.find((one) => one.activity_id === activity.id)
      const { deleted_at, created_at, updated_at, location_id, notification_id, survey_name, completes, responses, ...shown } =
        activity
      return {
        ...shown,
        target: target ? { ...target, target_markets: marketsOf(target.targeted_locations).markets } : null,
      }
    }),
    surveys,
    teams: teams.map((team) => ({
      ...team,
      users: members.filter((member) => member.team_id === team.id).map(({ team_id: _, ...person }) => person),
    })),
    files,
    location_groups: groups.map((group) => ({ ...group, locations: Number(group.locations) })),
    categories,
    transitions: openTransitions(ctx.actor, facts(record)).map((status) => SPELLING[status].v3),
  }
}
