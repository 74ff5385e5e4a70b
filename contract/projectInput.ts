import { z } from 'zod'
import { CivilDate, Flag, Id, Order, Page, Search } from './call.ts'
import { MESSAGES } from './messages.ts'
import { readStatus } from './status.ts'

/** A status in either spelling, in any case (decisions.md 2). */
export const StatusInput = z
  .string({ error: MESSAGES.projectStatus })
  .max(40)
  .transform((text, context) => {
    const status = readStatus(text)
    const message = text.trim() ? `is not a status: ${text}` : MESSAGES.projectStatus
    if (!status) context.addIssue({ code: 'custom', message })
    return status ?? z.NEVER
  })

/** The status of a new project, which may be sent along: it begins as Pending, and nothing else is taken (decisions.md 13, "Writes"). */
export const NewStatus = StatusInput.refine(
  (status) => status === 'requirements',
  'must be Pending: a new project begins there',
).optional()

/** Warnings about dates that were saved all the same; omitted when there are none. */
export const Warnings = z.array(z.string()).optional()

/** Which projects a list shows, in which order. */
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

/** The ordered completes; 0 for a family or child without its own order, which may be written back. */
export const OrderedBack = z.coerce
  .number({ message: MESSAGES.projectGoal })
  .int('must be a whole number')
  .nonnegative('must be a positive number')
  .max(10_000_000)
const Goal = OrderedBack.positive('must be a positive number')
/** A date, or the blank that a read returns where there is none. */
export const DateBack = z.union([CivilDate, z.literal(''), z.null()], { error: 'is not a date (YYYY-MM-DD)' })
/** A required date; `blank` is the form's message when it is missing. */
const needed = (blank: string) => z.string({ error: blank }).trim().min(1, blank).pipe(CivilDate)
/** What is written of a project, as a person types it. */
export const Attributes = {
  name: z.string({ error: MESSAGES.projectName }).trim().min(1, MESSAGES.projectName).max(200),
  description: z.string().max(10_000),
  requirements: z.string().max(10_000),
  goal: Goal,
  client_id: Id,
  start_dt: needed(MESSAGES.projectStart),
  end_dt: needed(MESSAGES.projectEnd),
  survey_url: z.union([z.literal(''), z.url({ protocol: /^https?$/, message: 'must be a web address (https://…)' }).max(2000)]),
  partner_id: z.coerce
    .number()
    .int()
    .refine((value) => value === 1 || value === 600, 'is not a reward provider')
    .nullable(),
  campaign_type: z.enum(['Survey', 'Content']),
  parent_id: Id.nullable(),
}

/** One file of a list that is written with its record: `_destroy` takes it away; without one it is there already, or an uploaded file that is added, by its id or its link. */
const FileItem = z.object({
  id: z.union([Id, z.literal('').transform(() => undefined), z.null().transform(() => undefined)]).optional(),
  url: z.string().max(2000).optional(),
  _destroy: Flag.optional(),
})
/** Files as the older forms send them with their record: a list, or numbered (`{"0": {…}}`). */
export const FileItems = z
  .union([z.array(FileItem).max(200), z.record(z.string().regex(/^\d+$/), FileItem).transform((items) => Object.values(items))])
  .refine((items) => items.every((item) => item.id !== undefined || item.url), 'needs an id or a url in every item')
export type FileItems = z.output<typeof FileItems>
