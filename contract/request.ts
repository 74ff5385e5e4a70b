import { z } from 'zod'
import { ActivityFields, ActivityType, SocialTypeInput } from './activityInput.ts'
import { chosen, Demographics, Markets } from './audience.ts'
import { CivilDate, call, Flag, Id, Lock, one, wholeNumber } from './call.ts'
import { createShape, editShape } from './fieldInput.ts'
import { pick } from './fieldKinds.ts'
import { MESSAGES } from './messages.ts'
import { projectFields } from './projectFields.ts'
import { NewStatus, Warnings } from './projectInput.ts'
import { ProjectDetail } from './projectRecord.ts'
import { requestFields } from './requestFields.ts'
import { inOrder, whenObject } from './whenObject.ts'

const optional = (text: z.ZodString) => text.default('')

const filled = (list: unknown) => Array.isArray(list) && list.length > 0

const own = createShape(
  pick(
    requestFields,
    'client_id',
    'name',
    'goal',
    'start_dt',
    'loi_minutes',
    'incidence',
    'description',
    'requirements',
    'parent_id',
    'partner_id',
    'url',
  ),
)
/** The newer request form with its rules, for server and browser (projects-area 5, "Newer request form"). */
export const RequestInput = z
  .object({
    ...own,
    status: NewStatus,
    end_dt: z.union([CivilDate, z.string().trim().pipe(z.literal(''))]).optional(),
    activity_type: ActivityType,
    action_type: ActivityFields.action_type.optional(),
    social_type: SocialTypeInput.default(''),
    ...createShape(pick(requestFields, 'social_text', 'social_link')),
    about: optional(z.string().max(10_000)),
    location_based: z.enum(['yes', 'no'], { message: 'location_based is required' }),
    targeted_locations: Markets.default([]),
    age: chosen(Demographics.age, MESSAGES.oneAge),
    gender: chosen(Demographics.gender, MESSAGES.oneGender),
    hhi: Demographics.hhi.default([]),
    ethnicity: Demographics.ethnicity.default([]),
    marital_status: Demographics.marital_status.default([]),
    children: Demographics.children.default([]),
    /** With provider 600. */
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
  .refine((form) => form.reward_amount_cents === undefined || form.partner_id === 600, {
    path: ['reward_amount_cents'],
    message: MESSAGES.rewardProvider,
    when: whenObject,
  })

/** What a requester may correct; the audience and markets are the agency's to change, with the price in mind. */
const corrected = editShape(
  pick(
    projectFields,
    'name',
    'goal',
    'start_dt',
    'end_dt',
    'description',
    'requirements',
    'survey_url',
    'loi_minutes',
    'incidence',
  ),
)

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
      .object({ id: Id, ...corrected, lock_version: Lock })
      .refine(({ id: _, lock_version: __, ...changes }) => Object.values(changes).some((value) => value !== undefined), {
        message: `Send what should change: ${Object.keys(corrected).join(', ')}`,
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
