import { z } from 'zod'
import { type CallSchema, CivilDate, Flag, Id, idOf, Order, Search, wholeInput, wholeNumber } from './call.ts'
import { Expected } from './expected.ts'
import { createShape } from './fieldInput.ts'
import { paged } from './listInput.ts'
import { MESSAGES } from './messages.ts'
import { projectFields } from './projectFields.ts'
import { ACCEPTED_STATUSES, readStatus } from './status.ts'
import { PROJECT_TYPES } from './vocabulary.ts'
import { inOrder, whenObject } from './whenObject.ts'

/** A status in either spelling, in any case (decisions.md 2). */
export const StatusInput = z
  .string({ error: MESSAGES.projectStatus })
  .max(40)
  .transform((text, context) => {
    const status = readStatus(text)
    const message = text.trim() ? `is not a status: ${text.slice(0, 40)}. Accepted: ${ACCEPTED_STATUSES}` : MESSAGES.projectStatus
    if (!status) context.addIssue({ code: 'custom', message })
    return status ?? z.NEVER
  })

/** The optional status of a new project; only Pending is allowed (decisions.md 13, "Writes"). */
export const NewStatus = StatusInput.refine(
  (status) => status === 'requirements',
  'must be Pending: a new project begins there',
).optional()

/** Warnings about dates that were saved anyway; missing if there are none. */
export const Warnings = z.array(z.string()).optional()

/** Filters and order of project lists. */
export const ListInput = z.object({
  status: z.string().max(40).default('all'),
  search: Search,
  column: z.string().max(40).default(''),
  order: Order,
  ...paged(),
  client: Id.optional(),
  type: z.enum(PROJECT_TYPES).optional(),
  pacing: z.string().max(20).default(''),
  mine: Flag.optional(),
  brief: Flag.optional(),
  texts: Flag.optional(),
})

const Ordered = z
  .number({ message: MESSAGES.projectGoal })
  .int('must be a whole number')
  .nonnegative('must be a positive number')
  .max(10_000_000)
/** Turns a form's empty goal into a missing one instead of 0. */
const unlessBlank = <T extends CallSchema>(number: T) =>
  z.preprocess((goal, at) => (goal === '' ? undefined : wholeInput(goal, at)), number)
/** Ordered completes; 0 for a family or child without an order of its own, so that a read can be sent back. */
export const OrderedBack = unlessBlank(Ordered)
const Goal = unlessBlank(Ordered.positive('must be a positive number'))
/** A date, or the blank that a read returns without one. */
export const DateBack = z.union([CivilDate, z.literal(''), z.null()], { error: 'is not a date (YYYY-MM-DD)' })
/** A required date; `blank` is the form's message if it is missing. */
const needed = (blank: string) => z.string({ error: blank }).trim().min(1, blank).pipe(CivilDate)
/** The fields of a project in a form. */
export const Attributes = {
  name: createShape({ name: projectFields.name }).name,
  description: z.string().max(10_000),
  requirements: z.string().max(10_000),
  goal: Goal,
  client_id: Id,
  start_dt: needed(MESSAGES.projectStart),
  end_dt: needed(MESSAGES.projectEnd),
  survey_url: z.union([z.literal(''), z.url({ protocol: /^https?$/, message: 'must be a web address (https://…)' }).max(2000)]),
  partner_id: idOf(z.number().refine((value) => value === 1 || value === 600, 'is not a reward provider')).nullable(),
  campaign_type: z.enum(PROJECT_TYPES),
  parent_id: Id.nullable(),
  ...Expected,
}

/** A new project without activities; shared by server and browser. */
export const NewProject = z
  .object({
    ...Attributes,
    end_dt: DateBack.default(null),
    description: Attributes.description.default(''),
    requirements: Attributes.requirements.default(''),
    survey_url: Attributes.survey_url.default(''),
    partner_id: Attributes.partner_id.default(null),
    campaign_type: Attributes.campaign_type.default('Survey'),
    parent_id: Attributes.parent_id.default(null),
    /** For the second provider: creates a reward of this amount with the project. */
    reward_amount_cents: wholeNumber(z.number().int().positive().max(1_000_000)).optional(),
    status: NewStatus,
  })
  .refine(({ start_dt, end_dt }) => inOrder(start_dt, end_dt), {
    path: ['start_dt'],
    message: MESSAGES.startBeforeEnd,
    when: whenObject,
  })
  .refine(({ reward_amount_cents, partner_id }) => reward_amount_cents === undefined || Number(partner_id) === 600, {
    path: ['reward_amount_cents'],
    message: MESSAGES.rewardProvider,
    when: whenObject,
  })

/** An item of a record's file list: a file it has, an upload to add by id or link, or with `_destroy` one to remove. */
const FileItem = z.object({
  id: z.union([Id, z.literal('').transform(() => undefined), z.null().transform(() => undefined)]).optional(),
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
