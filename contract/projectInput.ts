import { z } from 'zod'
import { DayOrNull, Flag, Id, IdIfAny, Order, Search, wholeNumber } from './call.ts'
import { createShape, fieldSchema, orZero } from './fieldInput.ts'
import { isBlank, notOneOf } from './fieldKinds.ts'
import { paged } from './listInput.ts'
import { MESSAGES } from './messages.ts'
import { projectFields, storedFields } from './projectFields.ts'
import { newProjectFields } from './requestFields.ts'
import { BUCKETS, readStatus, SPELLING, STATUSES } from './status.ts'
import { PROJECT_TYPES } from './vocabulary.ts'
import { inOrder, whenObject } from './whenObject.ts'

/** A status in either spelling, in any case (decisions.md 2). */
export const StatusInput = z
  .string({ error: ({ input }) => (isBlank(input) ? MESSAGES.projectStatus : projectFields.status.wrong) })
  .meta({ examples: STATUSES.map((status) => SPELLING[status].v3) })
  .transform((text, context) => {
    const status = text.length <= 40 ? readStatus(text) : null
    const message = isBlank(text) ? MESSAGES.projectStatus : projectFields.status.wrong
    if (!status) context.addIssue({ code: 'custom', message, params: { code: 'choice' } })
    return status ?? z.NEVER
  })

/** Why a status changes. */
export const Reason = fieldSchema(projectFields.reason).default('')

/** The optional status of a new project; only Pending is allowed (decisions.md 13, "Writes"). */
export const NewStatus = StatusInput.refine((status) => status === 'requirements', 'must be Pending: a new project begins there')
  .meta({ description: 'requirements (or Pending), at which a project begins; no other.', examples: ['requirements'] })
  .optional()

/** Warnings about dates that were saved anyway; missing if there are none. */
export const Warnings = z.array(z.string()).optional()

/** Whose projects a list shows: an administrator's, by id, the caller's or nobody's. */
export const OwnerFilter = z
  .union([Id, z.enum(['me', 'nobody'])], { error: 'is the ID of an administrator, me or nobody' })
  .meta({ description: 'Only the projects of this administrator, of the caller (me) or of nobody; for administrators.' })
export type OwnerFilter = z.output<typeof OwnerFilter>

/** Filters and order of project lists. */
export const ListInput = z.object({
  status: z
    .string()
    .max(40)
    .default('all')
    .meta({ examples: BUCKETS.map(({ value }) => value) }),
  search: Search,
  column: z.string().max(40).default(''),
  order: Order,
  ...paged(),
  client: Id.optional(),
  type: z.enum(PROJECT_TYPES).optional(),
  pacing: z.string().max(20).default(''),
  mine: Flag.optional(),
  owner_id: OwnerFilter.optional(),
  brief: Flag.optional(),
  texts: Flag.optional(),
})

/** Ordered completes; 0 for a family or child without an order of its own, so that a read can be sent back. */
export const OrderedBack = orZero(projectFields.goal)
const amount = newProjectFields.reward_amount_cents
/** The second provider’s amount, in cents, of which a reward is created with the project. */
export const RewardAmount = wholeNumber(
  z.literal(
    amount.options.map(({ value }) => value),
    { error: notOneOf(amount) },
  ),
).optional()
/** A new project without activities. */
export const NewProject = z
  .object({
    ...createShape(storedFields),
    end_dt: DayOrNull.default(null),
    reward_amount_cents: RewardAmount,
    status: NewStatus,
  })
  .refine(({ start_dt, end_dt }) => inOrder(start_dt, end_dt), {
    path: ['start_dt'],
    message: MESSAGES.startBeforeEnd,
    when: whenObject,
  })
  .refine(({ reward_amount_cents, partner_id }) => reward_amount_cents === undefined || partner_id === 600, {
    path: ['reward_amount_cents'],
    message: MESSAGES.rewardProvider,
    when: whenObject,
  })

/** An item of a record's file list: a file it has, an upload to add by id or link, or with `_destroy` one to remove. */
const FileItem = z.object({
  id: IdIfAny,
  url: z.string().max(2000).optional(),
  _destroy: Flag.optional(),
})
const NUMBERED = 'must be a list, or an object with numbered keys'
/** Files as the older forms send them: a list, or an object with numbered keys (`{"0": {…}}`). */
export const FileItems = z
  .union([
    z.array(FileItem).max(200),
    z
      .record(z.string().regex(/^\d+$/), FileItem, { error: ({ code }) => (code === 'invalid_key' ? NUMBERED : undefined) })
      .transform((items) => Object.values(items)),
  ])
  .refine((items) => items.every((item) => item.id !== undefined || item.url), 'needs an id or a url in every item')
export type FileItems = z.output<typeof FileItems>
