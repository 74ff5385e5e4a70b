import { z } from 'zod'
import { ActivityRow, Target } from './activityRecord.ts'
import { call, Id, listOf, one } from './call.ts'
import { listInput } from './listInput.ts'

const columns = ['name', 'project_id', 'activity_type', 'start_dt', 'end_dt', 'id'] as const

/** Reads of activities; the calls that change them come with their screens. */
export const activityCalls = {
  'activity.listAll': call({
    method: 'GET',
    path: '/v3/portal/activities/all',
    about: 'The activities of every project, 10 a page.',
    input: z.object(listInput(columns)),
    output: listOf(ActivityRow),
  }),
  'activity.list': call({
    method: 'GET',
    path: '/v3/portal/activities',
    about: 'Activities by search over name and project.',
    input: z.object(listInput(columns)),
    output: listOf(ActivityRow),
  }),
  'activity.get': call({
    method: 'GET',
    path: '/v3/portal/activities/{id}',
    about: 'One activity.',
    input: z.object({ id: Id }),
    output: one(ActivityRow),
  }),
  'activity.target': call({
    method: 'GET',
    path: '/v3/portal/activities/{id}/target',
    about: 'The audience target of an activity; null without one.',
    input: z.object({ id: Id }),
    output: z.object({ data: Target.nullable() }),
  }),
  'activity.ofProject': call({
    method: 'GET',
    path: '/v3/portal/projects/{id}/activities',
    about: 'The activities of a project.',
    input: z.object({ id: Id, ...listInput(columns) }),
    output: listOf(ActivityRow),
  }),
}
