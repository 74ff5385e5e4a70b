import { z } from 'zod'
import { activityFields } from './activityFields.ts'
import { SocialTypeInput } from './activityInput.ts'
import { call, EffectSentence, Flag, Id, Lock, one, Text } from './call.ts'
import { createShape, editShape, needing } from './fieldInput.ts'
import { omit, pick } from './fieldKinds.ts'
import { MESSAGES } from './messages.ts'
import { projectFields } from './projectFields.ts'
import { NewStatus, RewardAmount, Warnings } from './projectInput.ts'
import { ProjectDetail } from './projectRecord.ts'
import { requestFields } from './requestFields.ts'
import { whenObject } from './whenObject.ts'

/** The newer request form with its rules (projects-area 5, "Newer request form"). */
export const RequestInput = needing(
  z.object({
    ...createShape(omit(requestFields, 'company')),
    status: NewStatus,
    social_type: SocialTypeInput.default(''),
    about: z.string().max(activityFields.about.max).default(''),
    reward_amount_cents: RewardAmount,
  }),
  // These also run when other fields are wrong, so that a form shows every error at once.
  omit(requestFields, 'company', 'reward_amount_cents'),
).refine((form) => form.reward_amount_cents === undefined || form.partner_id === 600, {
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
    output: one(ProjectDetail).extend({ message: EffectSentence, warnings: Warnings }),
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
    output: one(ProjectDetail).extend({ message: EffectSentence, warnings: Warnings }),
    refreshes: ['project', 'palette', 'history', 'outbox'],
  }),
  'request.setPo': call({
    method: 'PUT',
    path: '/v3/portal/projects/{id}/po_number',
    about: 'Sets the client’s purchase order number of a project; blank removes it.',
    reads: 'project.get',
    undo: true,
    input: z.object({ id: Id, po_number: Text.max(60), lock_version: Lock }),
    output: one(ProjectDetail).extend({ message: EffectSentence }),
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
