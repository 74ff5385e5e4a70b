import type { z } from 'zod'
import { openTransitions } from '../../../contract/projectAccess.ts'
import type { ProjectDetail } from '../../../contract/projectRecord.ts'
import { SPELLING } from '../../../contract/status.ts'
import type { Ctx } from '../../core/context.ts'
import { notFound } from '../../core/errors.ts'
import { pick } from '../../core/pick.ts'
import { projectScope } from '../../core/scope.ts'
import { countedSurveys, partsOf } from './activities.ts'
import { categoriesOf } from './categories.ts'
import { neighbours, paneStateOf } from './neighbours.ts'
import { marketReader } from './projectMarkets.ts'
import { rowsNear } from './projectRows.ts'
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

/** A project and its children that the caller sees, with the names of their clients and requesters; throws 404. */
async function familyOf(ctx: Ctx, id: number) {
  const rows = await ctx.db
    .selectFrom('projects')
    .leftJoin('clients', 'clients.id', 'projects.client_id')
    .leftJoin('users', 'users.id', 'projects.requested_by')
    .selectAll('projects')
    .select(['clients.name as client_name', 'users.first_name', 'users.last_name'])
    .where((eb) => eb.or([eb('projects.id', '=', id), eb('projects.parent_id', '=', id)]))
    .where(projectScope(ctx.actor))
    .orderBy('projects.id')
    .execute()
  const clients = new Map<number, string>()
  const people = new Map<number, { id: number; first_name: string; last_name: string }>()
  const family = rows.map(({ client_name, first_name, last_name, ...record }): ProjectRecord => {
    clients.set(record.client_id, client_name ?? '')
    if (record.requested_by && first_name !== null && last_name !== null)
      people.set(record.requested_by, { id: record.requested_by, first_name, last_name })
    return record
  })
  const record = family.find((one) => one.id === id)
  if (!record) throw notFound(`Project ${id}`)
  return { record, children: family.filter((one) => one !== record), family, clients, people }
}

/** All the fields of a project's Specifications. */
export async function projectDetail(ctx: Ctx, id: number): Promise<z.output<typeof ProjectDetail>> {
  const { record, children, family, clients, people } = await familyOf(ctx, id)
  const { db } = ctx
  const ids = family.map((one) => one.id)
  const surveys = countedSurveys(ctx)
    .select(['surveys.project_id', 'surveys.survey_link', 'surveys.questions_count'])
    .where('surveys.project_id', 'in', ids)
    .execute()
  const targets = db
    .selectFrom('targets')
    .innerJoin('activities', 'activities.id', 'activity_id')
    .selectAll('targets')
    .select('activities.project_id')
    .where('activities.project_id', 'in', ids)
    .where('activities.deleted_at', 'is', null)
    .orderBy('activities.id', 'desc')
    .execute()
  const [near, counted, targeted, parent, activities, members, files, groups, categories] = await Promise.all([
    neighbours(ctx, family, children, undefined, { surveys, targets, clients, people }),
    surveys,
    targets,
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
      .selectFrom('team_users')
      .innerJoin('users', 'users.id', 'user_id')
      .select(['team_id', 'users.id', 'first_name', 'last_name'])
      .where('team_id', 'in', (eb) => eb.selectFrom('team_projects').select('team_projects.team_id').where('project_id', '=', id))
      .where('deleted_at', 'is', null)
      .orderBy('users.id')
      .execute(),
    db
      .selectFrom('files')
      .select(['id', 'activity_id', 'kind', 'asset_type', 'original_name', 'size', 'mime', 'created_at'])
      .where('project_id', '=', id)
      .where('kind', 'not in', ['export', 'media'])
      .orderBy('id')
      .execute(),
    db
      .selectFrom('activity_location_groups as link')
      .innerJoin('activities', 'activities.id', 'link.activity_id')
      .innerJoin('location_groups as groups', 'groups.id', 'link.group_id')
      .select((eb) => [
        'link.activity_id',
        'groups.id',
        'groups.name',
        eb
          .selectFrom('location_group_places as places')
          .select((eb) => eb.fn.countAll<number>().as('locations'))
          .whereRef('places.group_id', '=', 'groups.id')
          .as('locations'),
      ])
      .where('activities.project_id', '=', id)
      .where('activities.deleted_at', 'is', null)
      .where('groups.deleted_at', 'is', null)
      .orderBy('groups.id')
      .execute(),
    categoriesOf(ctx, id),
  ])
  const statusOf = new Map([[id, record.status]])
  const shownActivities = partsOf(ctx, activities, { files, groups, surveys: counted, statusOf })
  const marketsOf = marketReader()
  const [row] = rowsNear(ctx, [record], children, near)
  return {
    ...row!,
    loi_minutes: record.expected_loi_minutes,
    incidence: record.expected_incidence,
    parent: parent ?? null,
    decipher: { completes_value: row!.delivered },
    activities: shownActivities.map((activity) => {
      const found = targeted.find((one) => one.activity_id === activity.id)
      const { deleted_at, created_at, updated_at, location_id, notification_id, survey_name, completes, responses, ...shown } =
        activity
      if (!found) return { ...shown, target: null }
      const { updated_at: _, project_id: __, ...target } = found
      return { ...shown, target: { ...target, target_markets: marketsOf(target.targeted_locations).markets } }
    }),
    surveys: counted
      .filter((survey) => survey.project_id === id)
      .map((survey) => pick(survey, ['id', 'name', 'activity_id', 'survey_link', 'questions_count'])),
    teams: (near.teams.get(id) ?? []).map((team) => ({
      ...pick(team, ['id', 'name']),
      users: members.filter((member) => member.team_id === team.id).map(({ team_id: _, ...person }) => person),
    })),
    files: files.map(({ activity_id: _, ...file }) => file),
    location_groups: [...new Map(groups.map((group) => [group.id, group])).values()].map((group) => ({
      ...pick(group, ['id', 'name']),
      locations: Number(group.locations),
    })),
    categories,
    transitions: openTransitions(ctx.actor, paneStateOf(record, near, ctx.today)).map((status) => SPELLING[status].v3),
  }
}
