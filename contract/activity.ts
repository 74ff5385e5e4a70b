import { z } from 'zod'
import { ActivityFields, ActivityType, NewActivityFields, WholeInput } from './activityInput.ts'
import { ActivityDetail, ActivityRow, Target } from './activityRecord.ts'
import { call, Effected, EffectSentence, Flag, Id, IdOrNull, Lock, listOf, one } from './call.ts'
import { ActionType, ActivityKind, NONE, termOf } from './enums.ts'
import { listInput } from './listInput.ts'
import { sortsOf } from './lists.ts'
import { Warnings } from './projectInput.ts'
import { ProjectDetail } from './projectRecord.ts'
import { ACTIVITY_TYPES, POST_TYPES } from './vocabulary.ts'

const columns = sortsOf('activity')
const ListInput = z.object({
  ...listInput(columns),
  type: z.enum(['', ...ACTIVITY_TYPES.map(({ value }) => value)]).default(''),
  /** Filters by project status. */
  status: z.enum(['', 'all', 'pending', 'approved', 'active', 'paused', 'completed', 'rejected']).default(''),
  client: Id.optional(),
  project_id: Id.optional(),
  /** With `project_id`: also the activities of its children. */
  family: Flag.optional(),
  /** Only activities without a survey, or without a target. */
  without: z.enum(['', 'survey', 'target']).default(''),
})
const Written = one(ActivityDetail).extend({ message: EffectSentence, warnings: Warnings })
const { about, url } = ActivityFields
/** A change of an activity; fields that aren't sent keep their values. */
export const ActivityEdit = z.object({ id: Id, ...ActivityFields, lock_version: Lock })

/** Ids of uploads that the write attaches to the activity in its transaction. */
const FileIds = z.array(Id).max(100).optional()

/** An activity in the older generation's spelling (projects-area 3). */
export const OlderActivity = z.object({
  id: z.number(),
  project_id: z.number(),
  campaign_id: z.number(),
  name: z.string(),
  about: z.string(),
  activity_type: ActivityKind,
  action_type: ActionType,
  /** What participants see or send. `photos` are the ones they sent, newest first, at most 500. */
  content: z.object({
    content_type: termOf([NONE, ...POST_TYPES]),
    url: z.string(),
    photos: z.array(z.object({ id: z.number(), thumb: z.string(), url: z.string(), about: z.string() })),
  }),
  /** How many times participants acted. */
  user_activities: z.number(),
  location_id: z.number().nullable(),
  /** The first of its location groups. */
  location_group: z.number().nullable(),
  notification_id: z.number().nullable(),
  /** The linked survey's URL, or the activity's own. */
  survey_link: z.string(),
  /** Its campaign's URL. */
  survey_url: z.string(),
  /** Its assets. */
  files: z.array(z.object({ id: z.number(), name: z.string() })),
  start_dt: z.string().nullable(),
  end_dt: z.string().nullable(),
  lock_version: z.number(),
})
export type OlderActivity = z.output<typeof OlderActivity>

/** Activities: the tasks of a project, each with an audience. */
export const activityCalls = {
  'activity.list': call({
    method: 'GET',
    path: '/v3/portal/activities',
    about: 'Searches activities by name, project and client.',
    input: ListInput,
    output: listOf(ActivityRow),
  }),
  'activity.get': call({
    method: 'GET',
    path: '/v3/portal/activities/{id}',
    about: 'Returns one activity.',
    input: z.object({ id: Id }),
    output: one(ActivityDetail),
  }),
  'activity.target': call({
    method: 'GET',
    path: '/v3/portal/activities/{id}/target',
    about: 'Returns the audience target of an activity; null without one.',
    input: z.object({ id: Id }),
    output: z.object({ data: Target.nullable() }),
  }),
  'activity.ofProject': call({
    method: 'GET',
    path: '/v3/portal/projects/{id}/activities',
    about: 'Lists the activities of a project; `family=1` adds those of its children.',
    input: ListInput.omit({ project_id: true }).extend({ id: Id }),
    output: listOf(ActivityRow),
  }),
  'activity.project': call({
    method: 'GET',
    path: '/v3/portal/projects/activity/{activity_id}',
    about: 'Returns the project of an activity.',
    input: z.object({ activity_id: Id }),
    output: one(ProjectDetail),
  }),
  'activity.create': call({
    method: 'POST',
    path: '/v3/portal/activities',
    about: 'Adds an activity to a project; its dates default to the project’s.',
    wraps: 'activity',
    undo: true,
    input: z.object({ project_id: Id, ...NewActivityFields }),
    output: Written,
    refreshes: ['project', 'survey', 'history'],
  }),
  'activity.whole': call({
    method: 'POST',
    path: '/v3/portal/activities/whole',
    about: 'Adds an activity with its target, survey and files in one transaction.',
    undo: true,
    input: WholeInput,
    output: Written,
    refreshes: ['project', 'survey', 'target', 'file', 'history'],
  }),
  'activity.edit': call({
    method: 'PUT',
    path: '/v3/portal/activities',
    about:
      'Changes an activity: only the fields that are sent, with the files of file_ids. Survey and social have the action type nothing.',
    wraps: 'activity',
    reads: 'activity.get',
    undo: true,
    input: ActivityEdit.extend({ file_ids: FileIds }),
    output: Written,
    refreshes: ['project', 'survey', 'file', 'history'],
  }),
  'activity.remove': call({
    method: 'DELETE',
    path: '/v3/portal/activities',
    about:
      'Deletes an activity with what participants sent and its audience; its survey stays with the project. Refused while it has responses.',
    undo: true,
    input: z.object({ id: Id }),
    output: Effected,
    refreshes: ['project', 'survey', 'target', 'file', 'content', 'history'],
  }),
  'activity.duplicate': call({
    method: 'POST',
    path: '/v3/portal/activities/duplicate',
    about: 'Copies an activity with its audience and location groups, without survey, files and responses.',
    undo: true,
    input: z.object({ activity_id: Id }),
    output: Written,
    refreshes: ['project', 'target', 'history'],
  }),
  'activity.linkSurvey': call({
    method: 'POST',
    path: '/v3/portal/activities/linksurvey',
    about: 'Links a survey to an activity and unlinks it from any other; a blank survey_id unlinks.',
    undo: true,
    input: z.object({ activity_id: Id, survey_id: IdOrNull }),
    output: Written.extend({ message: EffectSentence }),
    refreshes: ['project', 'survey', 'history'],
  }),
  'activity.ofCampaign': call({
    method: 'GET',
    path: '/v1/activities/index_for_campaign',
    about: 'Lists the activities of a campaign, older spelling.',
    input: z.object({ id: Id }),
    output: z.object({ data: z.object({ count: z.number(), activities: z.array(OlderActivity) }) }),
  }),
  'activity.getOlder': call({
    method: 'GET',
    path: '/v1/activities/{id}',
    about: 'Returns one activity, older spelling.',
    input: z.object({ id: Id }),
    output: one(OlderActivity),
  }),
  'activity.editOlder': call({
    method: 'PUT',
    path: '/v1/activities/{id}',
    about:
      'Changes an activity, older spelling: only the fields that are sent, its campaign’s survey_url and files in one write.',
    wraps: 'activity',
    reads: 'activity.getOlder',
    undo: true,
    input: z.object({
      id: Id,
      about,
      survey_link: url,
      /** Its campaign's URL. */
      survey_url: url,
      activity_type: ActivityType.optional(),
      location_id: IdOrNull.optional(),
      location_group: IdOrNull.optional(),
      notification_id: IdOrNull.optional(),
      content: z.object({ content_type: z.string().max(40).optional(), url }).optional(),
      file_ids: FileIds,
      lock_version: Lock,
    }),
    output: one(OlderActivity).extend({ message: EffectSentence }),
    refreshes: ['project', 'survey', 'file', 'history'],
  }),
}
