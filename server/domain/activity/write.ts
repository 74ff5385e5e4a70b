import type { Selectable, Updateable } from 'kysely'
import { denialOf } from '../../../contract/access.ts'
import { activityFields } from '../../../contract/activityFields.ts'
import { isSocial, NOT_SOCIAL } from '../../../contract/activityInput.ts'
import { forcesNothing, NOTHING_ONLY } from '../../../contract/activityRules.ts'
import { faultOf, pick } from '../../../contract/fieldKinds.ts'
import { MESSAGES } from '../../../contract/messages.ts'
import { closedProject } from '../../../contract/recordAccess.ts'
import { appliedFields } from '../../core/appliedFields.ts'
import { change, drop } from '../../core/change.ts'
import type { Ctx } from '../../core/context.ts'
import { assertAllowed, invalid, notFound } from '../../core/errors.ts'
import { columnsIn } from '../../core/fieldColumns.ts'
import { onlyColumns } from '../../core/onlyColumns.ts'
import { locked } from '../../db/locked.ts'
import type { ActivityTable } from '../../db/schema.ts'
import { surveysOf } from '../project/activities.ts'
import { seenProject } from '../project/detail.ts'
import type { ProjectRecord } from '../project/storedProject.ts'
import { followLink } from '../survey/followLink.ts'

type Type = ActivityTable['activity_type']
export type ActivityRecord = Selectable<ActivityTable>

/** The fields that are stored as they are sent. */
const stored = pick(
  activityFields,
  ...(['name', 'about', 'activity_type', 'action_type', 'social_type', 'social_text', 'social_link', 'url'] as const),
  ...(['start_dt', 'end_dt'] as const),
)
/** Those of a social activity alone; the action type of others has a rule of its own. */
const socialFields = {
  activity_type: activityFields.activity_type,
  ...pick(activityFields, 'social_type', 'social_text', 'social_link'),
}
type Stored = Partial<Pick<Updateable<ActivityTable>, keyof typeof stored | 'location_id' | 'notification_id'>>
/** The fields of an activity that a write may send; also older ones, and what older releases stored. */
export type ActivityInput = { [K in keyof Stored]?: Stored[K] | undefined }
export interface NewActivity extends ActivityInput {
  name: string
  activity_type: Type
}

/** The action type of an activity: empty for survey and social, required for photo and video. */
function actionOf(type: Type, value: string | undefined): string {
  if (forcesNothing(type)) {
    if (value && value !== 'nothing') throw invalid('action_type', `action_type ${NOTHING_ONLY}`)
    return 'nothing'
  }
  if (!value) throw invalid('action_type', MESSAGES.actionType)
  return value
}

function checkDates(start: string | null, end: string | null): void {
  if (start && end && start > end) throw invalid('start_dt', MESSAGES.startBeforeEnd)
}

/** A project that accepts further activities; throws 404, or 409 once it is completed. */
export async function openProject(ctx: Ctx, id: number): Promise<ProjectRecord> {
  const project = await seenProject(ctx, id)
  assertAllowed(closedProject(project.status))
  return project
}

/** Adds an activity, with its project's dates by default; returns its id. */
export async function addActivity(ctx: Ctx, project: ProjectRecord, sent: NewActivity): Promise<number> {
  const values = appliedFields(ctx, socialFields, sent)
  const start_dt = values.start_dt === undefined ? project.start_dt : values.start_dt || null
  const end_dt = values.end_dt === undefined ? project.end_dt : values.end_dt || null
  checkDates(start_dt, end_dt)
  const { name, activity_type, action_type } = values
  const { id } = await ctx.tx
    .insertInto('activities')
    .values(
      onlyColumns('activities', {
        ...{ about: '', social_type: '', social_text: '', social_link: '', url: '' },
        ...(columnsIn('activities', stored, values) as NewActivity),
        project_id: project.id,
        action_type: actionOf(activity_type, action_type),
        start_dt,
        end_dt,
        deleted_at: null,
        created_at: ctx.now,
        updated_at: ctx.now,
      }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  await ctx.record({ subject: 'activity', subject_id: id, project_id: project.id, after: { name, activity_type } })
  ctx.emit({ noun: 'activity', id, project_id: project.id })
  return id
}

/** An activity of a project the caller sees, locked for a change; throws 404. */
export async function heldActivity(ctx: Ctx, id: number): Promise<ActivityRecord> {
  const query = ctx.tx.selectFrom('activities').selectAll().where('id', '=', id).where('deleted_at', 'is', null)
  const activity = await locked(ctx.services.database, query).executeTakeFirst()
  if (!activity) throw notFound(`Activity ${id}`)
  await seenProject(ctx, activity.project_id)
  return activity
}

/** The facts about an activity that the access rules need. */
export async function activityFacts(ctx: Ctx, activity: ActivityRecord) {
  const project = await seenProject(ctx, activity.project_id)
  const survey = (await surveysOf(ctx, [activity.id])).get(activity.id)
  return {
    type: activity.activity_type,
    survey_id: survey?.survey_id ?? null,
    completes: survey?.completes ?? 0,
    responses: survey?.responses ?? 0,
    project_status: project.status,
  }
}

/**
 * Changes the sent fields of an activity; an empty text may be written back, but none can be cleared.
 * Returns warnings of what changed with it.
 */
export async function editActivity(ctx: Ctx, id: number, input: ActivityInput, lock?: number): Promise<string[]> {
  const before = await heldActivity(ctx, id)
  const patch: Updateable<ActivityTable> = { ...appliedFields(ctx, socialFields, input, before) }
  const fault = input.about === undefined ? null : faultOf(activityFields.about, input.about, {}, before)
  if (fault) throw invalid('about', fault, 'required')
  const social = input.social_type
  if (social && social !== before.social_type && !isSocial(social))
    throw invalid('social_type', `social_type ${NOT_SOCIAL}`, 'choice')
  for (const name of ['start_dt', 'end_dt'] as const) if (input[name] !== undefined) patch[name] = input[name] || null
  const type = input.activity_type ?? before.activity_type
  const converted = type !== before.activity_type
  if (converted) assertAllowed(denialOf('activity.convert', ctx.actor, await activityFacts(ctx, before)))
  const action = input.action_type
  if (converted) patch.action_type = actionOf(type, action ?? usualAction(type, before.action_type))
  else if (action !== undefined && action !== before.action_type) patch.action_type = actionOf(type, action)
  const moved = patch.start_dt !== undefined || patch.end_dt !== undefined
  if (moved) {
    const [start, end] = (['start_dt', 'end_dt'] as const).map((name) => (patch[name] === undefined ? before[name] : patch[name]))
    if (start !== before.start_dt || end !== before.end_dt) checkDates(start!, end!)
  }
  const { project_id } = before
  await change(ctx, 'activities', {
    subject: 'activity',
    id,
    patch,
    lock,
    line: { project_id },
    change: { noun: 'activity', project_id },
  })
  if (type !== 'survey' || input.url === undefined) return []
  return followLink(ctx, { project_id, from: before.url, to: input.url, activity_id: id })
}

/** The action type after a change of type, if the write names none. */
const usualAction = (type: Type, before: string): string | undefined =>
  forcesNothing(type) ? 'nothing' : before === 'nothing' || !before ? type : before

/**
 * Deletes an activity with its participants' content, its audience and its links to groups.
 * Its survey and assets stay with the project.
 * Throws 409 while it has responses.
 */
export async function removeActivity(ctx: Ctx, id: number): Promise<string> {
  const activity = await heldActivity(ctx, id)
  assertAllowed(denialOf('activity.remove', ctx.actor, await activityFacts(ctx, activity)))
  const { project_id, name } = activity
  const survey = await ctx.tx.selectFrom('surveys').select('id').where('activity_id', '=', id).execute()
  if (survey.length) {
    await ctx.tx
      .updateTable('surveys')
      .set((eb) => ({ activity_id: null, updated_at: ctx.now, lock_version: eb('lock_version', '+', 1) }))
      .where('activity_id', '=', id)
      .execute()
    for (const one of survey) ctx.emit({ noun: 'survey', id: one.id, project_id })
  }
  // Items go first, because their rows refer to files.
  const items = await ctx.tx.deleteFrom('user_activities').where('activity_id', '=', id).returning('id').execute()
  const media = await ctx.tx
    .deleteFrom('files')
    .where('project_id', '=', project_id)
    .where('activity_id', '=', id)
    .where('kind', '=', 'media')
    .returning('id')
    .execute()
  await ctx.tx
    .updateTable('files')
    .set((eb) => ({ activity_id: null, updated_at: ctx.now, lock_version: eb('lock_version', '+', 1) }))
    .where('project_id', '=', project_id)
    .where('activity_id', '=', id)
    .execute()
  await ctx.tx.deleteFrom('targets').where('activity_id', '=', id).execute()
  await ctx.tx.deleteFrom('activity_location_groups').where('activity_id', '=', id).execute()
  const line = { project_id, before: { name }, after: {} }
  await drop(ctx, 'activities', { subject: 'activity', id, line, change: { noun: 'activity', project_id } })
  for (const item of items) ctx.emit({ noun: 'content', id: item.id, project_id, kind: 'drop' })
  for (const file of media) ctx.emit({ noun: 'file', id: file.id, project_id, kind: 'drop' })
  return name
}
