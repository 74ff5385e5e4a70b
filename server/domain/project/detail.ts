import { type Selectable, sql } from 'kysely'
import type { z } from 'zod'
import { isAdmin } from '../../../contract/actor.ts'
import { openTransitions } from '../../../contract/projectAccess.ts'
import { readFields } from '../../../contract/projectFields.ts'
import type { ProjectDetail } from '../../../contract/projectRecord.ts'
import { SPELLING } from '../../../contract/status.ts'
import type { Ctx } from '../../core/context.ts'
import { notFound } from '../../core/errors.ts'
import { fieldReader } from '../../core/fieldColumns.ts'
import { pick } from '../../core/pick.ts'
import { projectScope } from '../../core/scope.ts'
import type { TargetTable } from '../../db/schema.ts'
import { countedSurveys, partsOf } from './activities.ts'
import { categoriesIn } from './categories.ts'
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

/** The columns of an activity and its target that a project shows, in the order of the answer. */
const ACTIVITY = [
  ...(['id', 'lock_version', 'project_id', 'name', 'about', 'activity_type', 'action_type'] as const),
  ...(['social_type', 'social_text', 'social_link', 'url', 'start_dt', 'end_dt'] as const),
] as const
const TARGET = [
  ...(['version', 'location_based', 'targeted_locations', 'age', 'gender', 'hhi', 'ethnicity'] as const),
  ...(['marital_status', 'children'] as const),
] as const
type Target = Pick<Selectable<TargetTable>, (typeof TARGET)[number]>

/** Separates an activity's columns from its target's, which are null without one. */
function splitTarget<R extends { [K in keyof Target]: Target[K] | null }>(row: R): [Target, Omit<R, keyof Target>] {
  const { version, location_based, targeted_locations, age, gender, hhi, ethnicity, marital_status, children, ...rest } = row
  const target = { version, location_based, targeted_locations, age, gender, hhi, ethnicity, marital_status, children }
  return [target as Target, rest]
}

const detailIn = fieldReader(readFields)

/** All the fields of a project's Specifications. */
export async function projectDetail(ctx: Ctx, id: number): Promise<z.output<typeof ProjectDetail>> {
  const { record, children, family, clients, people } = await familyOf(ctx, id)
  const { db } = ctx
  const ids = family.map((one) => one.id)
  const surveys = countedSurveys(ctx)
    .select(['surveys.project_id', 'surveys.survey_link', 'surveys.questions_count'])
    .where('surveys.project_id', 'in', ids)
    .execute()
  // An activity has at most one target; those of children name only their markets.
  const activities = db
    .selectFrom('activities')
    .leftJoin('targets', 'targets.activity_id', 'activities.id')
    .select(ACTIVITY.map((name) => `activities.${name}` as const))
    .select(['targets.id as target_id', ...TARGET.map((name) => `targets.${name}` as const)])
    .where('activities.project_id', 'in', ids)
    .where('activities.deleted_at', 'is', null)
    .orderBy('activities.id')
    .execute()
  const beside = {
    parent: record.parent_id
      ? sql`0 as owner, id, 0 as number, name, '' as text from projects
          where id = ${record.parent_id} and ${projectScope(ctx.actor)}`
      : null,
    members: sql`team_id as owner, users.id as id, 0 as number, first_name as name, last_name as text
      from team_users join users on users.id = user_id
      where team_id in (select team_id from team_projects where project_id = ${id}) and deleted_at is null`,
    groups: sql`link.activity_id as owner, located.id as id,
      (select count(*) from location_group_places places where places.group_id = located.id) as number, located.name as name, '' as text
      from activity_location_groups link join activities on activities.id = link.activity_id
      join location_groups as located on located.id = link.group_id
      where activities.project_id = ${id} and activities.deleted_at is null and located.deleted_at is null`,
    categories: categoriesIn(id),
    contact: sql`0 as owner, id, 0 as number, first_name || ' ' || last_name as name, email as text from users
      where id = coalesce(
        (select id from users where id = ${record.owner_id} and role = 'admin' and status = 'active' and deleted_at is null),
        (select invited_by from project_partners where project_id = ${id} and round = ${record.quote_round}
          and invited_by is not null order by assigned_at desc, partner_id limit 1))
      and role = 'admin' and status = 'active' and deleted_at is null`,
  }
  const targets = activities.then((rows) =>
    rows
      .flatMap(({ target_id, project_id, targeted_locations }) =>
        target_id === null ? [] : { project_id, targeted_locations: targeted_locations! },
      )
      .reverse(),
  )
  const [near, counted, withTargets, files] = await Promise.all([
    neighbours(ctx, family, children, undefined, { surveys, targets, clients, people, beside }),
    surveys,
    activities,
    db
      .selectFrom('files')
      .select(['id', 'activity_id', 'kind', 'asset_type', 'original_name', 'size', 'mime', 'created_at'])
      .where('project_id', '=', id)
      .where('kind', 'not in', ['export', 'media'])
      .orderBy('id')
      .execute(),
  ])
  const byId = (name: keyof typeof beside) => (near.read[name] ?? []).toSorted((a, b) => a.id - b.id)
  const [parent] = byId('parent').map((one) => pick(one, ['id', 'name']))
  const [contact] = byId('contact')
  const members = byId('members')
  const groups = byId('groups').map(({ owner, ...group }) => ({ activity_id: owner, ...group }))
  const own = withTargets.filter((activity) => activity.project_id === id)
  const statusOf = new Map([[id, record.status]])
  const shownActivities = partsOf(ctx, own, { files, groups, surveys: counted, statusOf })
  const marketsOf = marketReader()
  const [row] = rowsNear(ctx, [record], children, near)
  const open = openTransitions(ctx.actor, paneStateOf(record, near, ctx.today))
  return {
    ...row!,
    ...detailIn(record),
    po_number: record.po_number,
    owner_id: isAdmin(ctx.actor) ? record.owner_id : null,
    contact: contact ? { name: contact.name.trim() || contact.text, email: contact.text } : null,
    parent: parent ?? null,
    decipher: { completes_value: row!.delivered },
    activities: shownActivities.map((activity) => {
      const { target_id, survey_name, completes, responses, ...rest } = activity
      const [target, shown] = splitTarget(rest)
      if (target_id === null) return { ...shown, target: null }
      const { markets } = marketsOf(target.targeted_locations)
      return { ...shown, target: { id: target_id, activity_id: activity.id, ...target, target_markets: markets } }
    }),
    surveys: counted
      .filter((survey) => survey.project_id === id)
      .map((survey) => pick(survey, ['id', 'name', 'activity_id', 'survey_link', 'questions_count'])),
    teams: (near.teams.get(id) ?? []).map((team) => ({
      ...pick(team, ['id', 'name']),
      users: members
        .filter((member) => member.owner === team.id)
        .map(({ id, name, text }) => ({ id, first_name: name, last_name: text })),
    })),
    files: files.map(({ activity_id: _, ...file }) => file),
    location_groups: [...new Map(groups.map((group) => [group.id, group])).values()].map((group) => ({
      ...pick(group, ['id', 'name']),
      locations: group.number,
    })),
    categories: near.read.categories!.map((one) => pick(one, ['id', 'name'])),
    transitions: open.map((status) => SPELLING[status].v3),
    stored_transitions: open,
  }
}
