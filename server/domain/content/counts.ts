import { type SqlBool, sql } from 'kysely'
import { seesAll } from '../../../contract/actor.ts'
import type { Ctx } from '../../core/context.ts'
import { projectScope } from '../../core/scope.ts'
import { byText } from '../../db/foldedText.ts'

type Reader = Pick<Ctx, 'db' | 'actor'>

/** The acts a caller can see, as a condition on the table's alias; client users don't see rejected ones. */
export const actsSeen = ({ actor }: Pick<Ctx, 'actor'>, acts = 'user_activities') =>
  seesAll(actor) ? sql<SqlBool>`true` : sql<SqlBool>`${sql.ref(`${acts}.review`)} <> 'rejected'`

/** How many items an activity has, as SQL over `activities`, for lists and records. */
export const itemsOf = (ctx: Pick<Ctx, 'actor'>) =>
  sql<number>`(select count(*) from user_activities sent where sent.activity_id = activities.id and ${actsSeen(ctx, 'sent')})`

/** How many people acted in an activity, and how many acts there are. */
export async function actorsOf(ctx: Reader, activity_id: number): Promise<{ people: number; actions: number }> {
  const { rows } = await sql<{ people: number; actions: number }>`
    select count(distinct person) as people, count(*) as actions from user_activities
    where activity_id = ${activity_id} and ${actsSeen(ctx)}`.execute(ctx.db)
  return { people: Number(rows[0]!.people), actions: Number(rows[0]!.actions) }
}

interface Counted {
  id: number
  name: string
  action: string
  review: 'open' | 'accepted' | 'rejected'
  count: number
  newest: number
}
const none = () => ({ all: 0, open: 0, accepted: 0, rejected: 0 })

/**
 * Counts participants' content of a project and its children, by section and review, and by activity.
 * User Content, attributes and lists of activities show these figures; `newest` is an item's id, 0 without any.
 */
export async function contentCounts(ctx: Reader, project_id: number) {
  const { rows } = await sql<Counted>`
    select activities.id, activities.name, user_activities.action, user_activities.review, count(*) as count,
      max(user_activities.id) as newest
    from user_activities join activities on activities.id = user_activities.activity_id
      join projects on projects.id = user_activities.project_id
    where activities.deleted_at is null and ${projectScope(ctx.actor)} and ${actsSeen(ctx)}
      and (projects.id = ${project_id} or projects.parent_id = ${project_id})
    group by activities.id, activities.name, user_activities.action, user_activities.review
    order by ${byText(ctx.db, 'activities.name')}, activities.id`.execute(ctx.db)
  const sums = { photos: none(), videos: none(), comments: none() }
  const activities = new Map<number, { id: number; name: string; count: number }>()
  let newest = 0
  for (const row of rows) {
    const count = Number(row.count)
    newest = Math.max(newest, Number(row.newest))
    const activity = activities.get(row.id) ?? { id: row.id, name: row.name, count: 0 }
    activities.set(row.id, { ...activity, count: activity.count + count })
    if (!Object.hasOwn(sums, `${row.action}s`)) continue
    const section = sums[`${row.action}s` as keyof typeof sums]
    section[row.review] += count
    section.all += count
  }
  return { ...sums, newest, activities: [...activities.values()] }
}
