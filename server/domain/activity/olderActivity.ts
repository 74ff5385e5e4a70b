import type { z } from 'zod'
import type { activityCalls, OlderActivity } from '../../../contract/activity.ts'
import { seesAll } from '../../../contract/actor.ts'
import { change } from '../../core/change.ts'
import type { Ctx } from '../../core/context.ts'
import { invalid } from '../../core/errors.ts'
import { linkTo } from '../../core/signedLink.ts'
import { seenProject } from '../project/detail.ts'
import { keepSurvey } from '../project/keepSurvey.ts'
import { followLink } from '../survey/followLink.ts'
import { activityList } from './list.ts'
import { type ActivityInput, editActivity, heldActivity } from './write.ts'

/** The most photos of one activity in a response. */
const MOST_PHOTOS = 500

/** Activities in the older spelling, in the order of their ids. */
export async function olderActivities(ctx: Ctx, ids: readonly number[]): Promise<OlderActivity[]> {
  if (!ids.length) return []
  const activities = await activityList.shown(ctx, await activityList.rows(ctx, ids))
  const [older, surveys, photos] = await Promise.all([
    ctx.db
      .selectFrom('activities')
      .innerJoin('projects', 'projects.id', 'activities.project_id')
      .select(['activities.id', 'location_id', 'notification_id', 'survey_url'])
      .where('activities.id', 'in', ids)
      .execute(),
    ctx.db
      .selectFrom('surveys')
      .select(['activity_id', 'survey_link'])
      .where('activity_id', 'in', ids)
      .where('deleted_at', 'is', null)
      .orderBy('id')
      .execute(),
    Promise.all(ids.map((id) => photosOf(ctx, id))),
  ])
  return activities.map((activity) => {
    const more = older.find(({ id }) => id === activity.id)
    const { id, project_id, name, about, activity_type, action_type, start_dt, end_dt, lock_version } = activity
    return {
      id,
      project_id,
      campaign_id: project_id,
      name,
      about,
      activity_type,
      action_type,
      content: {
        content_type: activity_type === 'photo' || activity_type === 'video' ? activity_type : '',
        url: activity.url,
        photos: photos[ids.indexOf(id)]!,
      },
      user_activities: activity.content_count,
      location_id: more?.location_id ?? null,
      location_group: activity.location_groups[0]?.location_group_id ?? null,
      notification_id: more?.notification_id ?? null,
      survey_link:
        surveys.find((survey) => survey.activity_id === id)?.survey_link ?? (activity_type === 'survey' ? activity.url : ''),
      survey_url: more?.survey_url ?? '',
      files: activity.assets.map((file) => ({ id: file.id, name: file.original_name })),
      start_dt,
      end_dt,
      lock_version,
    }
  })
}

/** The newest pictures from participants; client users don't see rejected ones. */
async function photosOf(ctx: Ctx, activity_id: number) {
  let sent = ctx.db
    .selectFrom('user_activities')
    .innerJoin('files', 'files.id', 'user_activities.file_id')
    .select(['files.id', 'original_name', 'description', 'thumb_state'])
    .where('user_activities.activity_id', '=', activity_id)
    .where('action', '=', 'photo')
  if (!seesAll(ctx.actor)) sent = sent.where('review', '!=', 'rejected')
  const files = await sent
    .orderBy('user_activities.at', 'desc')
    .orderBy('user_activities.id', 'desc')
    .limit(MOST_PHOTOS)
    .execute()
  return files.map((file) => ({
    id: file.id,
    thumb: linkTo(ctx, file, file.thumb_state === 'done' ? 'thumb' : 'show').url,
    url: linkTo(ctx, file).url,
    about: file.description,
  }))
}

type Edit = z.output<(typeof activityCalls)['activity.editOlder']['input']>

/** Writes an edit in the older spelling. */
export async function editOlder(
  ctx: Ctx,
  { id, lock_version, survey_link, survey_url, content, location_group, ...values }: Edit,
): Promise<void> {
  const activity = await heldActivity(ctx, id)
  const input: ActivityInput = { about: values.about, activity_type: values.activity_type, url: content?.url }
  const sent = content?.content_type
  if (sent && sent !== activity.activity_type) {
    if (sent !== 'photo' && sent !== 'video') throw invalid('content', 'content.content_type must be photo or video')
    if (values.activity_type && values.activity_type !== sent)
      throw invalid('content', 'content.content_type and activity_type must match')
    input.activity_type = sent
  }
  const older = { location_id: values.location_id, notification_id: values.notification_id }
  if (older.location_id && older.location_id !== activity.location_id) await assertPlace(ctx, older.location_id)
  const linked = await writeSurveyLink(ctx, activity, input, survey_link)
  await editActivity(ctx, id, { ...input, ...older }, lock_version)
  if (survey_url !== undefined) {
    const { project_id } = activity
    const project = await seenProject(ctx, project_id)
    await keepSurvey(ctx, project, survey_url)
    await change(ctx, 'projects', {
      subject: 'project',
      id: project_id,
      patch: { survey_url },
      change: { noun: 'project', project_id },
    })
    await followLink(ctx, { project_id, from: project.survey_url, to: survey_url })
  }
  if (linked) await followLink(ctx, { project_id: activity.project_id, activity_id: id, ...linked })
  if (location_group !== undefined) await linkGroup(ctx, activity, location_group)
}

/** Writes a survey's address to the linked survey, or to the activity if it has none; returns the survey's change. */
async function writeSurveyLink(
  ctx: Ctx,
  activity: { id: number; project_id: number },
  input: ActivityInput,
  link: string | undefined,
): Promise<{ from: string; to: string } | undefined> {
  if (link === undefined) return
  const survey = await ctx.tx
    .selectFrom('surveys')
    .select(['id', 'survey_link'])
    .where('activity_id', '=', activity.id)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .executeTakeFirst()
  if (!survey) {
    if (link) input.url = link
    return
  }
  if (survey.survey_link === link) return
  const { project_id } = activity
  await change(ctx, 'surveys', {
    subject: 'survey',
    id: survey.id,
    patch: { survey_link: link },
    line: { project_id },
    change: { noun: 'survey', project_id },
  })
  return { from: survey.survey_link, to: link }
}

async function assertPlace(ctx: Ctx, id: number): Promise<void> {
  const place = await ctx.db
    .selectFrom('places')
    .select('id')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!place) throw invalid('location_id', `location_id is not a location: ${id}`)
}

/** Links one group of the activity's client in place of all others; null unlinks all. */
async function linkGroup(ctx: Ctx, { id, project_id }: { id: number; project_id: number }, group: number | null): Promise<void> {
  const before = await ctx.tx
    .selectFrom('activity_location_groups')
    .innerJoin('location_groups', 'location_groups.id', 'group_id')
    .select('group_id')
    .where('activity_id', '=', id)
    .where('location_groups.deleted_at', 'is', null)
    .orderBy('group_id')
    .execute()
  if ((before[0]?.group_id ?? null) === group) return
  if (group !== null) {
    const found = await ctx.db
      .selectFrom('location_groups')
      .innerJoin('projects', 'projects.client_id', 'location_groups.client_id')
      .select('location_groups.id')
      .where('location_groups.id', '=', group)
      .where('projects.id', '=', project_id)
      .where('location_groups.deleted_at', 'is', null)
      .executeTakeFirst()
    if (!found) throw invalid('location_group', `location_group is not a location group of this client: ${group}`)
  }
  await ctx.tx.deleteFrom('activity_location_groups').where('activity_id', '=', id).execute()
  if (group !== null)
    await ctx.tx
      .insertInto('activity_location_groups')
      .values({ activity_id: id, group_id: group, linked_at: ctx.now, linked_by: ctx.actor.id })
      .execute()
  await ctx.record({
    subject: 'activity',
    subject_id: id,
    project_id,
    before: { location_group: before[0]?.group_id ?? null },
    after: { location_group: group },
  })
  ctx.emit({ noun: 'activity', id, project_id })
}
