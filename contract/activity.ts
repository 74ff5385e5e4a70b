import { z } from 'zod'
import { call, Id, listOf, one } from './call.ts'
import { listInput } from './listing.ts'

/** A v3 activity (projects-area 3). */
const Activity = z.object({
  id: z.number(),
  project_id: z.number(),
  project_name: z.string(),
  name: z.string(),
  about: z.string(),
  activity_type: z.string(),
  action_type: z.string(),
  social_type: z.string(),
  social_text: z.string(),
  social_link: z.string(),
  url: z.string(),
  start_dt: z.string().nullable(),
  end_dt: z.string().nullable(),
  survey_id: z.number().nullable(),
  lock_version: z.number(),
})
/** The audience of an activity; comma lists of ids, empty means any. */
const Target = z.object({
  id: z.number(),
  activity_id: z.number(),
  version: z.number(),
  location_based: z.string(),
  targeted_locations: z.string(),
  age: z.string(),
  gender: z.string(),
  hhi: z.string(),
  ethnicity: z.string(),
  marital_status: z.string(),
  children: z.string(),
})
const columns = ['name', 'project_id', 'activity_type', 'start_dt', 'end_dt', 'id'] as const

/** Activities to read; what changes them comes with their screens. */
export const activityCalls = {
  'activity.listAll': call({
    method: 'GET',
    path: '/v3/portal/activities/all',
    access: 'admin',
    about: 'The activities of every project, 10 a page.',
    input: z.object(listInput(columns)),
    output: listOf(Activity),
  }),
  'activity.list': call({
    method: 'GET',
    path: '/v3/portal/activities',
    access: 'admin',
    about: 'Activities by search over name and project.',
    input: z.object(listInput(columns)),
    output: listOf(Activity),
  }),
  'activity.get': call({
    method: 'GET',
    path: '/v3/portal/activities/{id}',
    access: 'client',
    about: 'One activity.',
    input: z.object({ id: Id }),
    output: one(Activity),
  }),
  'activity.target': call({
    method: 'GET',
    path: '/v3/portal/activities/{id}/target',
    access: 'client',
    about: 'The audience target of an activity; null without one.',
    input: z.object({ id: Id }),
    output: z.object({ data: Target.nullable() }),
  }),
  'activity.ofProject': call({
    method: 'GET',
    path: '/v3/portal/projects/{id}/activities',
    access: 'client',
    about: 'The activities of a project.',
    input: z.object({ id: Id, ...listInput(columns) }),
    output: listOf(Activity),
  }),
}
