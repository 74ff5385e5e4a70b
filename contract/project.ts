import { z } from 'zod'
import { ActivityEdit } from './activity.ts'
import { call, DayOrNull, Effected, EffectSentence, Flag, Id, IdOrNull, Lock, listOf, one } from './call.ts'
import { editShape } from './fieldInput.ts'
import { paged } from './listInput.ts'
import { PAGE } from './pages.ts'
import { storedFields } from './projectFields.ts'
import { FileItems, ListInput, NewProject, OrderedBack, Reason, StatusInput, Warnings } from './projectInput.ts'
import { Named, ProjectDetail, ProjectList } from './projectRecord.ts'
import { TargetEdit } from './target.ts'
import { Effect } from './teamEffect.ts'

/** Which generation’s projects a list shows (decisions.md 1). */
const GenerationFilter = z.enum(['project', 'campaign', 'any']).default('project').meta({
  description:
    'Whose projects: v3’s own (project), the older survey projects (campaign), or any. Programs that copy or count projects need any.',
})

export const projectCalls = {
  'project.list': call({
    method: 'GET',
    path: '/v3/portal/projects',
    about:
      'Lists the v3 projects of a status, by search, sorted; generation=any adds the survey projects of the older generation, which other_generation counts otherwise.',
    input: ListInput.extend({ generation: GenerationFilter }),
    output: ProjectList,
  }),
  'project.get': call({
    method: 'GET',
    path: '/v3/portal/projects/{id}',
    about: 'Returns one project with its activities, audience, teams and files.',
    input: z.object({ id: Id }),
    output: one(ProjectDetail),
  }),
  'project.dropdown': call({
    method: 'GET',
    path: '/v3/portal/projects/dropdown',
    about: 'Lists every project by ID and name.',
    input: z.object({}),
    output: listOf(Named),
  }),
  'project.ofClient': call({
    method: 'GET',
    path: '/v3/portal/projects/client/{client_id}',
    about: 'Lists the projects of a client.',
    input: ListInput.extend({ client_id: Id, generation: GenerationFilter }),
    output: ProjectList,
  }),
  'project.create': call({
    method: 'POST',
    path: '/v3/portal/projects',
    about: 'Creates a project with status requirements; without an end it ends 21 days after its start.',
    wraps: 'project',
    undo: true,
    input: NewProject,
    output: one(ProjectDetail).extend({ message: EffectSentence, warnings: Warnings }),
    refreshes: ['palette'],
  }),
  'project.setOwner': call({
    method: 'PUT',
    path: '/v3/portal/projects/{id}/owner',
    about: 'Assigns the administrator who looks after a project; null leaves it to nobody.',
    reads: 'project.get',
    undo: true,
    input: z.object({ id: Id, owner_id: IdOrNull }),
    output: Effected,
    refreshes: ['desk', 'history'],
  }),
  'project.follow': call({
    method: 'PUT',
    path: '/v3/portal/projects/{id}/follow',
    about: 'Sets whether the caller follows a project, and is told what happens to it; owners and requesters do by themselves.',
    reads: 'project.get',
    undo: true,
    input: z.object({ id: Id, follows: Flag }),
    output: Effected,
    refreshes: ['history'],
  }),
  'project.followers': call({
    method: 'GET',
    path: '/v3/portal/projects/{id}/followers',
    about: 'Lists who follows a project, and why.',
    input: z.object({ id: Id }),
    output: listOf(
      z.object({
        user_id: z.number(),
        name: z.string(),
        email: z.string(),
        why: z
          .enum(['owner', 'requester', 'chosen'])
          .meta({ description: 'Owners and requesters follow by themselves; others chose to.' }),
        since: z.string().nullable().meta({ description: 'When they chose to; null for those who follow by themselves.' }),
      }),
    ),
  }),
  'project.edit': call({
    method: 'PUT',
    path: '/v3/portal/projects',
    about: 'Changes a project; changing the client removes its team; a status outside the order needs force and a reason.',
    wraps: 'project',
    reads: 'project.get',
    undo: true,
    sends: 'email',
    sendsIf: ['status'],
    input: z.object({
      id: Id,
      ...editShape(storedFields),
      goal: OrderedBack.optional(),
      start_dt: DayOrNull.optional(),
      end_dt: DayOrNull.optional(),
      /** Signed documents: uploads to add by id or link, and existing ones to remove with `_destroy`. */
      project_docsigns_attributes: FileItems.optional(),
      /** Assets, in the same form. */
      campaign_contents_attributes: FileItems.optional(),
      /** One of its activities and that activity's target, saved in the same transaction, each with its own lock. */
      activity: ActivityEdit.optional(),
      target: TargetEdit.optional(),
      status: StatusInput.optional(),
      reason: Reason,
      force: Flag.default(false),
      lock_version: Lock,
    }),
    output: one(ProjectDetail).extend({ message: EffectSentence, warnings: Warnings }),
    refreshes: ['palette', 'history', 'runtime', 'activity', 'target', 'file'],
  }),
  'project.setStatus': call({
    method: 'POST',
    path: '/v3/portal/projects/{id}/status',
    about: 'Moves a project to the next status in order or, for an administrator with a reason, to any other.',
    reads: 'project.get',
    undo: true,
    sends: 'email',
    input: z.object({
      id: Id,
      status: StatusInput,
      reason: Reason,
      force: Flag.default(false),
      lock_version: Lock,
    }),
    output: one(ProjectDetail).extend({ message: EffectSentence }),
    refreshes: ['history'],
  }),
  'project.goLive': call({
    method: 'POST',
    path: '/v1/campaigns_golive/{id}',
    about: 'Launches an approved project, and emails its chosen partners that it has started.',
    sends: 'email',
    input: z.object({ id: Id }),
    output: one(ProjectDetail).extend({ message: EffectSentence }),
    refreshes: ['history'],
  }),
  'project.remove': call({
    method: 'DELETE',
    path: '/v3/portal/projects',
    about: 'Soft-deletes a project: a rejected one or one awaiting its requirements, without responses, rewards or children.',
    undo: true,
    input: z.object({ id: Id }),
    output: Effected,
    refreshes: ['palette', 'history', 'client', 'team', 'partner', 'runtime'],
  }),
  'project.restore': call({
    method: 'POST',
    path: '/v3/portal/projects/restore',
    about: 'Restores a deleted project.',
    undo: true,
    input: z.object({ id: Id }),
    output: one(ProjectDetail).extend({ message: EffectSentence }),
    refreshes: ['palette', 'history', 'client', 'team', 'partner', 'runtime'],
  }),
  'project.clone': call({
    method: 'POST',
    path: '/v3/portal/surveys/clone/{id}',
    about: 'Copies a project with all its parts, with status requirements and without responses, rewards and notes.',
    undo: true,
    input: z.object({ id: Id }),
    output: z.object({ data: z.object({ project_id: z.number() }), message: EffectSentence }),
    refreshes: ['palette'],
  }),
  'project.removeTeam': call({
    method: 'POST',
    path: '/v3/portal/projects/remove_team',
    about: 'Removes the teams from a project. Returns what each person can see afterwards.',
    undo: true,
    input: z.object({ project_id: Id }),
    output: Effected.extend({ effect: Effect }),
    refreshes: ['team'],
  }),
  'project.history': call({
    method: 'GET',
    path: '/v3/portal/projects/{id}/history',
    about: 'Lists a project’s history, newest first.',
    input: z.object({
      id: Id,
      ...paged(PAGE.history),
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
