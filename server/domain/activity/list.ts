import { type SqlBool, sql } from 'kysely'
import type { z } from 'zod'
import type { activityCalls } from '../../../contract/activity.ts'
import type { ActivityRow } from '../../../contract/activityRecord.ts'
import { audienceLine } from '../../../contract/audienceLine.ts'
import type { Paging } from '../../../contract/listInput.ts'
import { STATUSES, statusesOf } from '../../../contract/status.ts'
import type { Ctx } from '../../core/context.ts'
import { listOf } from '../../core/listBuilder.ts'
import { holds } from '../../core/listSearch.ts'
import { projectScope } from '../../core/scope.ts'
import { itemsOf } from '../content/counts.ts'
import { withParts } from '../project/activities.ts'
import { marketPreset } from '../project/projectMarkets.ts'
import { TOTAL } from '../runtime/cells.ts'

type Input = z.output<(typeof activityCalls)['activity.list']['input']>
export type ActivityFilter = Omit<Input, Paging>
type Row = Omit<
  ActivityRow,
  'assets' | 'location_groups' | 'allowed_actions' | 'refused_actions' | 'target_version' | 'responses' | 'survey_id'
>

const COMPLETES = sql<number>`(select coalesce(sum(cells.completes), 0) from surveys linked
  join demo_cells cells on cells.survey_id = linked.id and cells.cell = ${sql.lit(TOTAL)}
  where linked.activity_id = activities.id and linked.deleted_at is null)`
const SURVEY = sql`(select linked.name from surveys linked where linked.activity_id = activities.id and linked.deleted_at is null
  order by linked.id limit 1)`
const HAS_SURVEY = sql<SqlBool>`exists (select 1 from surveys linked where linked.activity_id = activities.id and linked.deleted_at is null)`
const STATUS_ORDER = sql`case projects.status ${sql.join(
  STATUSES.map((status, at) => sql`when ${sql.lit(status)} then ${sql.lit(at)}`),
  sql` `,
)} end`

const within = (status: Exclude<Input['status'], '' | 'all'>) =>
  sql<SqlBool>`projects.status in (${sql.join(status === 'rejected' ? ['rejected'] : statusesOf(status))})`

/** The activities of the projects a caller sees, as every list and detail shows them. */
export const activityList = listOf<'activity', ActivityFilter, Row, ActivityRow>('activity', {
  table: 'activities',
  join: 'join projects on projects.id = activities.project_id join clients on clients.id = projects.client_id',
  scope: ({ actor }) => sql<SqlBool>`activities.deleted_at is null and ${projectScope(actor)}`,
  where: ({ type, status, client, project_id, family, without }) => [
    type ? sql<SqlBool>`activities.activity_type = ${type}` : undefined,
    status && status !== 'all' ? within(status) : undefined,
    client !== undefined && sql<SqlBool>`projects.client_id = ${client}`,
    project_id !== undefined &&
      (family
        ? sql<SqlBool>`(projects.id = ${project_id} or projects.parent_id = ${project_id})`
        : sql<SqlBool>`projects.id = ${project_id}`),
    // Only a survey activity can lack a survey.
    without === 'survey' && sql<SqlBool>`activities.activity_type = 'survey' and not ${HAS_SURVEY}`,
    without === 'target' && sql<SqlBool>`not exists (select 1 from targets where targets.activity_id = activities.id)`,
  ],
  columns: (ctx) => ({
    project_name: sql`projects.name`,
    client_name: sql`clients.name`,
    survey_name: SURVEY,
    audience: sql`''`,
    results: sql`case when activities.activity_type = 'survey' then ${COMPLETES} else ${itemsOf(ctx)} end`,
    completes: COMPLETES,
    content_count: itemsOf(ctx),
    project_status: sql`projects.status`,
  }),
  sorts: { project_status: STATUS_ORDER },
  empty: ['survey_name', 'start_dt', 'end_dt'],
  finds: ({ services: { database } }, word) =>
    sql<SqlBool>`(${holds(database, 'activities.name', word)} or ${holds(database, 'projects.name', word)} or ${holds(database, 'clients.name', word)})`,
  also: () => [
    sql`activities.project_id`,
    sql`projects.client_id`,
    ...['about', 'social_type', 'social_text', 'social_link', 'url', 'created_at', 'updated_at', 'lock_version'].map((name) =>
      sql.ref(`activities.${name}`),
    ),
  ],
  async shown(ctx, rows) {
    const [parts, audiences] = await Promise.all([withParts(ctx, rows), audiencesOf(ctx, rows)])
    return parts.map((activity) => ({ ...activity, ...audiences(activity.id) }))
  },
  file: {
    async more(ctx, rows) {
      const audiences = await audiencesOf(ctx, rows)
      return rows.map((row) => ({ ...row, ...audiences(row.id) }))
    },
    holds: (row) => row.project_id,
  },
})

/** Each activity's audience in one line, and its target's version. */
async function audiencesOf(ctx: Ctx, rows: readonly { id: number }[]) {
  const ids = [0, ...rows.map((row) => row.id)]
  const targets = await ctx.db
    .selectFrom('targets')
    .innerJoin('activities', 'activities.id', 'targets.activity_id')
    .innerJoin('projects', 'projects.id', 'activities.project_id')
    .selectAll('targets')
    .select('projects.generation')
    .where('activity_id', 'in', ids)
    .execute()
  const byActivity = new Map(targets.map((target) => [target.activity_id, target]))
  return (id: number) => {
    const target = byActivity.get(id)
    return { target_version: target?.version ?? null, audience: audienceLine(target ?? null, marketPreset, target?.generation) }
  }
}
