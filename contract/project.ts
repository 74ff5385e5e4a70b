import { z } from 'zod'
import { CivilDate, call, Done, Flag, Id, Lock, listOf, Order, one, Page, Search } from './call.ts'
import { MESSAGES } from './messages.ts'
import { readStatus } from './status.ts'

/** A status in either spelling, in any case (decisions.md 2). */
export const StatusInput = z
  .string()
  .max(40)
  .transform((text, context) => {
    const status = readStatus(text)
    if (!status) context.addIssue({ code: 'custom', message: `is not a status: ${text}` })
    return status ?? z.NEVER
  })

const Person = z.object({ id: z.number(), first_name: z.string(), last_name: z.string() })
const Named = z.object({ id: z.number(), name: z.string() })

/** What both lists and the detail of a project show; v3 spelling (projects-area 3, decisions.md 1 and 3). */
const projectShape = {
  id: z.number(),
  generation: z.enum(['campaign', 'project']),
  parent_id: z.number().nullable(),
  name: z.string(),
  description: z.string(),
  requirements: z.string(),
  /** v3 wire status; the stored one stands beside it. */
  status: z.string(),
  stored_status: z.string(),
  status_shown: z.string(),
  goal: z.number(),
  ordered: z.number(),
  num_completed_actions: z.number(),
  completed: z.number(),
  delivered: z.number(),
  /** Pacing in per cent (decisions.md 3). */
  percentage: z.number(),
  pacing: z.number(),
  pacing_color: z.string(),
  pacing_state: z.string(),
  expected: z.number(),
  client_id: z.number(),
  client_name: z.string(),
  start_dt: z.string().nullable(),
  end_dt: z.string().nullable(),
  start_dateP: z.string(),
  end_dateP: z.string(),
  campaign_type: z.string(),
  survey_url: z.string(),
  survey_id: z.number().nullable(),
  /** The reward provider. */
  partner_id: z.number().nullable(),
  reward_provider: z.string(),
  targeted_location_names: z.array(z.string()),
  cost_cents: z.number().nullable(),
  quote_round: z.number(),
  quote_valid_until: z.string().nullable(),
  requested_by: Person.nullable(),
  partners: z.array(Named),
  team: Named.nullable(),
  /** Completes of each of the last 14 days, oldest first. */
  trend: z.array(z.number()),
  pending_rewards: z.number(),
  created_at: z.string(),
  updated_at: z.string(),
  lock_version: z.number(),
  allowed_actions: z.array(z.string()),
  refused_actions: z.record(z.string(), z.string()),
}
export const ProjectRow = z.object({ ...projectShape, children: z.array(z.object(projectShape)) })
const Target = z.object({
  id: z.number(),
  activity_id: z.number(),
  version: z.number(),
  location_based: z.string(),
  targeted_locations: z.string(),
  target_markets: z.array(Named),
  age: z.string(),
  gender: z.string(),
  hhi: z.string(),
  ethnicity: z.string(),
  marital_status: z.string(),
  children: z.string(),
})
const Activity = z.object({
  id: z.number(),
  project_id: z.number(),
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
/** One project with everything its Specifications show. */
export const ProjectDetail = ProjectRow.extend({
  parent: Named.nullable(),
  decipher: z.object({ completes_value: z.number() }),
  activities: z.array(Activity.extend({ target: Target.nullable() })),
  surveys: z.array(
    z.object({
      id: z.number(),
      name: z.string(),
      activity_id: z.number().nullable(),
      survey_link: z.string(),
      questions_count: z.number(),
    }),
  ),
  teams: z.array(Named.extend({ users: z.array(Person) })),
  files: z.array(
    z.object({
      id: z.number(),
      kind: z.string(),
      asset_type: z.string(),
      original_name: z.string(),
      size: z.number(),
      mime: z.string(),
      created_at: z.string(),
    }),
  ),
  location_groups: z.array(Named.extend({ locations: z.number() })),
  transitions: z.array(z.string()),
})

export const ListInput = z.object({
  status: z.string().max(40).default('all'),
  search: Search,
  page: Page,
  column: z.string().max(40).default(''),
  order: Order,
  /** At most 500 rows of one page; the specification's page is 10. */
  per_page: z.coerce.number().int().min(1).max(500).default(10),
  client: Id.optional(),
  type: z.enum(['Survey', 'Content']).optional(),
  pacing: z.string().max(20).default(''),
  mine: Flag.optional(),
})

const Goal = z.coerce
  .number({ message: MESSAGES.projectGoal })
  .int('must be a whole number')
  .positive('must be a positive number')
  .max(10_000_000)
const Attributes = {
  name: z.string().trim().min(1, MESSAGES.projectName).max(200),
  description: z.string().max(10_000),
  requirements: z.string().max(10_000),
  goal: Goal,
  client_id: Id,
  start_dt: CivilDate,
  end_dt: CivilDate,
  survey_url: z.union([z.literal(''), z.url({ protocol: /^https?$/, message: 'must be a web address (https://…)' }).max(2000)]),
  partner_id: z.coerce
    .number()
    .int()
    .refine((value) => value === 1 || value === 600, 'is not a reward provider')
    .nullable(),
  campaign_type: z.enum(['Survey', 'Content']),
  parent_id: Id.nullable(),
}

export const projectCalls = {
  'project.listAll': call({
    method: 'GET',
    path: '/v3/portal/projects/all',
    access: 'client',
    about: 'All v3 projects, parents with their children.',
    input: ListInput,
    output: listOf(ProjectRow),
  }),
  'project.list': call({
    method: 'GET',
    path: '/v3/portal/projects',
    access: 'client',
    about: 'The v3 projects of a status, by search, sorted.',
    input: ListInput.extend({ generation: z.enum(['project', 'campaign', 'any']).default('project') }),
    output: listOf(ProjectRow),
  }),
  'project.get': call({
    method: 'GET',
    path: '/v3/portal/projects/{id}',
    access: 'client',
    about: 'One project with its activities, audience, teams and files.',
    input: z.object({ id: Id }),
    output: one(ProjectDetail),
  }),
  'project.dropdown': call({
    method: 'GET',
    path: '/v3/portal/projects/dropdown',
    access: 'client',
    about: 'Every project by id and name.',
    input: z.object({}),
    output: listOf(Named),
  }),
  'project.ofClient': call({
    method: 'GET',
    path: '/v3/portal/projects/client/{client_id}',
    access: 'client',
    about: 'The projects of a client.',
    input: ListInput.extend({ client_id: Id }),
    output: listOf(ProjectRow),
  }),
  'project.create': call({
    method: 'POST',
    path: '/v3/portal/projects',
    access: 'admin',
    about: 'Creates a project with status requirements.',
    wraps: 'project',
    input: z.object({
      ...Attributes,
      description: Attributes.description.default(''),
      requirements: Attributes.requirements.default(''),
      survey_url: Attributes.survey_url.default(''),
      partner_id: Attributes.partner_id.default(null),
      campaign_type: Attributes.campaign_type.default('Survey'),
      parent_id: Attributes.parent_id.default(null),
    }),
    output: one(ProjectDetail).extend({ message: z.string() }),
    refreshes: ['palette'],
  }),
  'project.edit': call({
    method: 'PUT',
    path: '/v3/portal/projects',
    access: 'admin',
    about: 'Changes a project; changing the client removes its team; a status outside the order needs force and a reason.',
    wraps: 'project',
    input: z.object({
      id: Id,
      ...z.object(Attributes).partial().shape,
      status: StatusInput.optional(),
      reason: z.string().trim().max(2000).default(''),
      force: Flag.default(false),
      lock_version: Lock,
    }),
    output: one(ProjectDetail).extend({ message: z.string() }),
    refreshes: ['palette', 'history', 'runtime'],
  }),
  'project.setStatus': call({
    method: 'POST',
    path: '/v3/portal/projects/{id}/status',
    access: 'client',
    about: 'Moves a project along the order of its statuses, or, for an admin with a reason, anywhere.',
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
    access: 'admin',
    about: 'Puts an approved project into the field.',
    input: z.object({ id: Id }),
    output: one(ProjectDetail).extend({ message: z.string() }),
    refreshes: ['history'],
  }),
  'project.clone': call({
    method: 'POST',
    path: '/v3/portal/surveys/clone/{id}',
    access: 'admin',
    about: 'A deep copy of a project with status requirements, without responses, rewards and notes.',
    input: z.object({ id: Id }),
    output: z.object({ data: z.object({ project_id: z.number() }), message: z.string() }),
    refreshes: ['palette'],
  }),
  'project.removeTeam': call({
    method: 'POST',
    path: '/v3/portal/projects/remove_team',
    access: 'admin',
    about: 'Takes the team off a project.',
    input: z.object({ project_id: Id }),
    output: Done,
    refreshes: ['team'],
  }),
  'project.history': call({
    method: 'GET',
    path: '/v3/portal/projects/{id}/history',
    access: 'client',
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
