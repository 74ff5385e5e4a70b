import { z } from 'zod'
import { ActivityFields, ActivityType, SocialTypeInput } from './activityInput.ts'
import { chosen, Demographics, Markets } from './audience.ts'
import { CivilDate, call, Flag, Id, idOf, Lock, one, wholeNumber } from './call.ts'
import { Expected } from './expected.ts'
import { createShape } from './fieldInput.ts'
import { pick } from './fieldKinds.ts'
import { MESSAGES } from './messages.ts'
import { Attributes, NewStatus, Warnings } from './projectInput.ts'
import { ProjectDetail } from './projectRecord.ts'
import { requestFields } from './requestFields.ts'
import { inOrder, whenObject } from './whenObject.ts'

const optional = (text: z.ZodString) => text.default('')

const filled = (list: unknown) => Array.isArray(list) && list.length > 0

const own = createShape(pick(requestFields, 'name', 'start_dt', 'url'))
/** The newer request form with its rules, for server and browser (projects-area 5, "Newer request form"). */
export const RequestInput = z
  .object({
    client_id: idOf(z.number({ message: 'client_id is required' })),
    status: NewStatus,
    name: own.name,
    goal: wholeNumber(
      z
        .number({ message: MESSAGES.projectGoal })
        .int('goal must be a whole number')
        .positive('goal must be a positive number')
        .max(10_000_000),
    ),
    start_dt: own.start_dt,
    end_dt: z.union([CivilDate, z.literal('')]).optional(),
    description: optional(z.string().max(10_000)),
    requirements: optional(z.string().max(10_000)),
    parent_id: Id.optional(),
    activity_type: ActivityType,
    action_type: ActivityFields.action_type.optional(),
    social_type: SocialTypeInput.default(''),
    social_text: optional(z.string().max(2000)),
    social_link: optional(z.string().max(2000)),
    url: own.url,
    about: optional(z.string().max(10_000)),
    location_based: z.enum(['yes', 'no'], { message: 'location_based is required' }),
    targeted_locations: Markets.default([]),
    age: chosen(Demographics.age, MESSAGES.oneAge),
    gender: chosen(Demographics.gender, MESSAGES.oneGender),
    hhi: Demographics.hhi.default([]),
    ethnicity: Demographics.ethnicity.default([]),
    marital_status: Demographics.marital_status.default([]),
    children: Demographics.children.default([]),
    ...Expected,
    /** 1 or 600; 600 adds a reward. */
    partner_id: idOf(z.number().refine((value) => value === 1 || value === 600, 'is not a reward provider')).optional(),
    reward_amount_cents: wholeNumber(z.number().int().positive().max(1_000_000)).optional(),
    /** Ids of uploaded files. */
    file_ids: z.array(Id).max(100).default([]),
  })
  // These also run when other fields are wrong, so that a form shows every error at once.
  .refine((form) => inOrder(form.start_dt, form.end_dt), {
    path: ['start_dt'],
    message: MESSAGES.startBeforeEnd,
    when: whenObject,
  })
  .refine((form) => form.location_based !== 'no' || filled(form.targeted_locations), {
    path: ['targeted_locations'],
    message: MESSAGES.oneMarket,
    when: whenObject,
  })
  .refine((form) => (form.activity_type !== 'photo' && form.activity_type !== 'video') || form.action_type, {
    path: ['action_type'],
    message: MESSAGES.actionType,
    when: whenObject,
  })
  .refine((form) => !form.activity_type || form.activity_type === 'survey' || filled(form.file_ids), {
    path: ['file_ids'],
    message: 'Please upload at least one file',
    when: whenObject,
  })
  .refine((form) => form.activity_type !== 'survey' || form.url || filled(form.file_ids), {
    path: ['url'],
    message: MESSAGES.surveyFileOrUrl,
    when: whenObject,
  })
  .refine((form) => form.reward_amount_cents === undefined || Number(form.partner_id) === 600, {
    path: ['reward_amount_cents'],
    message: MESSAGES.rewardProvider,
    when: whenObject,
  })

/** What a requester may correct; the audience and markets are the agency's to change, with the price in mind. */
const CORRECTED = {
  name: Attributes.name,
  goal: Attributes.goal,
  start_dt: Attributes.start_dt,
  end_dt: Attributes.end_dt,
  description: Attributes.description,
  requirements: Attributes.requirements,
  survey_url: Attributes.survey_url,
  ...Expected,
}

export const requestCalls = {
  'request.create': call({
    method: 'POST',
    path: '/v3/portal/projects/request',
    about:
      'Creates a project request in one transaction: the project, its activity, target, survey, files, requirements note and, for the second provider, a reward.',
    undo: true,
    sends: 'email',
    input: RequestInput,
    output: one(ProjectDetail).extend({ message: z.string(), warnings: Warnings }),
    refreshes: ['project', 'palette', 'file'],
  }),
  'request.correct': call({
    method: 'PUT',
    path: '/v3/portal/projects/{id}/request',
    about:
      'Corrects a request that was sent, by its requester, until its first partner is invited. Its administrators are emailed.',
    reads: 'project.get',
    undo: true,
    sends: 'email',
    input: z
      .object({ id: Id, ...z.object(CORRECTED).partial().shape, lock_version: Lock })
      .refine(({ id: _, lock_version: __, ...changes }) => Object.values(changes).some((value) => value !== undefined), {
        message: `Send what should change: ${Object.keys(CORRECTED).join(', ')}`,
        path: ['id'],
      }),
    output: one(ProjectDetail).extend({ message: z.string(), warnings: Warnings }),
    refreshes: ['project', 'palette', 'history', 'outbox'],
  }),
  'request.setPo': call({
    method: 'PUT',
    path: '/v3/portal/projects/{id}/po_number',
    about: 'Sets the client’s purchase order number of a project; blank removes it.',
    reads: 'project.get',
    undo: true,
    input: z.object({ id: Id, po_number: z.string().trim().max(60), lock_version: Lock }),
    output: one(ProjectDetail).extend({ message: z.string() }),
    refreshes: ['project', 'history'],
  }),
  'request.check': call({
    method: 'POST',
    path: '/v3/portal/projects/request/check',
    about: 'Checks a request without creating it.',
    passing: true,
    input: z.object({ draft: z.record(z.string(), z.unknown()), dry: Flag.default(true) }),
    output: z.object({ fields: z.record(z.string(), z.string()), warnings: z.array(z.string()) }),
  }),
}
