import { z } from 'zod'
import { ActivityEdit } from './activity.ts'
import { call, Done, Flag, Id, Lock, listOf, one, Page } from './call.ts'
import { Attributes, DateBack, FileItems, ListInput, NewProject, OrderedBack, StatusInput, Warnings } from './projectInput.ts'
import { Named, ProjectDetail, ProjectRow } from './projectRecord.ts'
import { TargetEdit } from './target.ts'
import { Effect } from './teamEffect.ts'

export const projectCalls = {
  'project.listAll': call({
    method: 'GET',
    path: '/v3/portal/projects/all',
    about: 'All v3 projects, parents with their children.',
    input: ListInput,
    output: listOf(ProjectRow),
  }),
  'project.list': call({
    method: 'GET',
    path: '/v3/portal/projects',
    about: 'The v3 projects of a status, by search, sorted.',
    input: ListInput.extend({ generation: z.enum(['project', 'campaign', 'any']).default('project') }),
    output: listOf(ProjectRow),
  }),
  'project.get': call({
    method: 'GET',
    path: '/v3/portal/projects/{id}',
    about: 'One project with its activities, audience, teams and files.',
    input: z.object({ id: Id }),
    output: one(ProjectDetail),
  }),
  'project.dropdown': call({
    method: 'GET',
    path: '/v3/portal/projects/dropdown',
    about: 'Every project by id and name.',
    input: z.object({}),
    output: listOf(Named),
  }),
  'project.ofClient': call({
    method: 'GET',
    path: '/v3/portal/projects/client/{client_id}',
    about: 'The projects of a client.',
    input: ListInput.extend({ client_id: Id }),
    output: listOf(ProjectRow),
  }),
  'project.create': call({
    method: 'POST',
    path: '/v3/portal/projects',
    about: 'Creates a project with status requirements; without an end it ends 21 days after its start.',
    wraps: 'project',
    undo: true,
    input: NewProject,
    output: one(ProjectDetail).extend({ message: z.string(), warnings: Warnings }),
    refreshes: ['palette'],
  }),
  'project.edit': call({
    method: 'PUT',
    path: '/v3/portal/projects',
    about: 'Changes a project; changing the client removes its team; a status outside the order needs force and a reason.',
    wraps: 'project',
    reads: 'project.get',
    undo: true,
    input: z.object({
      id: Id,
      ...z.object({ ...Attributes, goal: OrderedBack, start_dt: DateBack, end_dt: DateBack }).partial().shape,
      /** Signed documents: uploads to add by id or link, and existing ones to remove with `_destroy`. */
      project_docsigns_attributes: FileItems.optional(),
      /** Assets: the same. */
      campaign_contents_attributes: FileItems.optional(),
      /** One of its activities and that one's target, in the same transaction, each with its own lock. */
      activity: ActivityEdit.optional(),
      target: TargetEdit.optional(),
      status: StatusInput.optional(),
      reason: z.string().trim().max(2000).default(''),
      force: Flag.default(false),
      lock_version: Lock,
    }),
    output: one(ProjectDetail).extend({ message: z.string(), warnings: Warnings }),
    refreshes: ['palette', 'history', 'runtime', 'activity', 'target', 'file'],
  }),
  'project.setStatus': call({
    method: 'POST',
    path: '/v3/portal/projects/{id}/status',
    about: 'Moves a project along the order of its statuses, or, for an admin with a reason, anywhere.',
    reads: 'project.get',
    undo: true,
    input: z.object({
      id: Id,
      status: StatusInput,
      reason: z.string().trim().max(2000).default(''),
      force: Flag.default(false),
      lock_version: Lock,
    }),
    output: one(ProjectDetail).extend({ message: z.string() }),
    refreshes: ['history'],
  }),
  'project.goLive': call({
    method: 'POST',
    path: '/v1/campaigns_golive/{id}',
    about: 'Puts an approved project into the field.',
    input: z.object({ id: Id }),
    output: one(ProjectDetail).extend({ message: z.string() }),
    refreshes: ['history'],
  }),
  'project.remove': call({
    method: 'DELETE',
    path: '/v3/portal/projects',
    about:
      'Deletes a project softly: one that is rejected or waits for its requirements, and has no responses, rewards or children.',
    undo: true,
    input: z.object({ id: Id }),
    output: Done,
    refreshes: ['palette', 'history', 'client', 'team', 'partner', 'runtime'],
  }),
  'project.restore': call({
    method: 'POST',
    path: '/v3/portal/projects/restore',
    about: 'Takes the deletion of a project back: it is as it was.',
    undo: true,
    input: z.object({ id: Id }),
    output: one(ProjectDetail).extend({ message: z.string() }),
    refreshes: ['palette', 'history', 'client', 'team', 'partner', 'runtime'],
  }),
  'project.clone': call({
    method: 'POST',
    path: '/v3/portal/surveys/clone/{id}',
    about: 'A deep copy of a project with status requirements, without responses, rewards and notes.',
    undo: true,
    input: z.object({ id: Id }),
    output: z.object({ data: z.object({ project_id: z.number() }), message: z.string() }),
    refreshes: ['palette'],
  }),
  'project.removeTeam': call({
    method: 'POST',
    path: '/v3/portal/projects/remove_team',
    about: 'Takes the teams off a project; answers who sees what because of it.',
    undo: true,
    input: z.object({ project_id: Id }),
    output: Done.extend({ effect: Effect }),
    refreshes: ['team'],
  }),
  'project.history': call({
    method: 'GET',
    path: '/v3/portal/projects/{id}/history',
    about: 'Who changed what, when, newest first.',
    input: z.object({
      id: Id,
      page: Page,
      per_page: z.coerce.number().int().min(1).max(200).default(5),
      filter: z.enum(['all', 'client', 'event', 'channel_partner']).default('all'),
    }),
    output: listOf(
      z.object({
        id: z.number(),
        subject: z.string(),
        subject_id: z.number(),
        action: z.string(),
        origin: z.string(),
        who: z.string(),
        acting_admin: z.string().nullable(),
        before: z.record(z.string(), z.unknown()),
        after: z.record(z.string(), z.unknown()),
        reason: z.string(),
        at: z.string(),
      }),
    ),
  }),
}
