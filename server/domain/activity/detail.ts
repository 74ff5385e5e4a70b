import { sql } from 'kysely'
import { refusedTo } from '../../../contract/access.ts'
import type { ActivityDetail } from '../../../contract/activityRecord.ts'
import { marketsInWords } from '../../../contract/audienceLine.ts'
import type { Ctx } from '../../core/context.ts'
import { marketPreset } from '../project/projectMarkets.ts'
import { activityList } from './list.ts'

/** One activity with its position among those of its project, its markets and who changed it last. */
export async function activityDetail(ctx: Ctx, id: number): Promise<ActivityDetail> {
  const activity = await activityList.get(ctx, id)
  const { db } = ctx
  const sees = refusedTo('runtime.clearFraud', ctx.actor) === null
  const [siblings, target, places, last, flags] = await Promise.all([
    db
      .selectFrom('activities')
      .select('id')
      .where('project_id', '=', activity.project_id)
      .where('deleted_at', 'is', null)
      // The order of the project's tab.
      .orderBy(sql`coalesce(start_dt, '9999')`)
      .orderBy('id')
      .execute(),
    db.selectFrom('targets').selectAll().where('activity_id', '=', id).executeTakeFirst(),
    db
      .selectFrom('activity_location_groups as link')
      .innerJoin('location_groups as groups', 'groups.id', 'link.group_id')
      .innerJoin('location_group_places as places', 'places.group_id', 'groups.id')
      .select((eb) => eb.fn.count<number>('places.place_id').distinct().as('count'))
      .where('link.activity_id', '=', id)
      .where('groups.deleted_at', 'is', null)
      .executeTakeFirstOrThrow(),
    db
      .selectFrom('history')
      .innerJoin('users', 'users.id', 'history.actor_id')
      .select(['first_name', 'last_name', 'email'])
      .where('subject', '=', 'activity')
      .where('subject_id', '=', id)
      .orderBy('history.id', 'desc')
      .limit(1)
      .executeTakeFirst(),
    sees && activity.responses
      ? db
          .selectFrom('respondents')
          .innerJoin('surveys', 'surveys.id', 'respondents.survey_id')
          .select((eb) => eb.fn.countAll<number>().as('count'))
          .where('surveys.activity_id', '=', id)
          .where('surveys.deleted_at', 'is', null)
          .where('fraud', '=', sql<number>`1`)
          .executeTakeFirstOrThrow()
      : { count: 0 },
  ])
  const at = siblings.findIndex((one) => one.id === id)
  return {
    ...activity,
    market: target ? marketsInWords(target, marketPreset) : null,
    places: Number(places.count),
    fraud_flags: sees ? Number(flags.count) : null,
    changed_by: last ? `${last.first_name} ${last.last_name}`.trim() || last.email : null,
    nth: at + 1,
    of: siblings.length,
    previous_id: siblings[at - 1]?.id ?? null,
    next_id: siblings[at + 1]?.id ?? null,
  }
}
