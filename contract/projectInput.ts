import { z } from 'zod'
import { CivilDate, Flag, Id, Order, Page, Search } from './call.ts'
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

const Goal = z.coerce
  .number({ message: MESSAGES.projectGoal })
  .int('must be a whole number')
  .positive('must be a positive number')
  .max(10_000_000)
/** What is written of a project, as a person types it. */
export const Attributes = {
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
