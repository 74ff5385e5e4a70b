import { z } from 'zod'
import { CivilDate, call, Flag, Id, Lock, one } from './call.ts'

/** Messages for what a partner can field and at what price; a draft may lack anything. */
export const ANSWER = {
  choose: 'Please choose yes or no',
  reason: 'Please say why you can’t field it',
  completes: 'Enter a whole number of completes, 1 or more',
  cpi: 'Enter a cost per interview from $0.01 to $10,000.00',
  incidence: 'Incidence is between 1 and 100 %',
  loi: 'Length of interview is between 1 and 180 minutes',
  days: 'Field days are between 1 and 365',
  valid: 'Valid until must be today or later',
} as const

const whole = (from: number, to: number, message: string) =>
  z
    .union(
      [
        z.literal('').transform(() => null),
        z.null(),
        z.coerce.number({ error: message }).int(message).min(from, message).max(to, message),
      ],
      {
        error: message,
      },
    )
    .optional()

/** The fields of an answer; null and blank mean no answer (screens-quote-flow.md, Feasibility). */
export const answerFields = {
  fill_requirements: z
    .union([z.boolean(), z.string()], { error: ANSWER.choose })
    .transform((value) => (value === true ? 'yes' : value === false ? 'no' : value.trim().toLowerCase()))
    .pipe(z.enum(['', 'yes', 'no'], { error: ANSWER.choose }))
    .transform((value) => (value === '' ? null : value === 'yes' ? ('Yes' as const) : ('No' as const)))
    .optional(),
  reason: z.string().trim().max(2000).default(''),
  feasible_completes: whole(1, 10_000_000, ANSWER.completes),
  cpi_cents: whole(1, 1_000_000, ANSWER.cpi),
  incidence: whole(1, 100, ANSWER.incidence),
  loi_minutes: whole(1, 180, ANSWER.loi),
  field_days: whole(1, 365, ANSWER.days),
  valid_until: z
    .union([z.literal('').transform(() => null), z.null(), CivilDate], { error: 'is not a date (YYYY-MM-DD)' })
    .optional(),
  note: z.string().trim().max(2000).default(''),
}

/** An answer as its own partner reads it. */
export const Answer = z.object({
  state: z.enum(['draft', 'sent']),
  fill_requirements: z.enum(['Yes', 'No']).nullable(),
  reason: z.string(),
  feasible_completes: z.number().nullable(),
  cpi_cents: z.number().nullable(),
  incidence: z.number().nullable(),
  loi_minutes: z.number().nullable(),
  field_days: z.number().nullable(),
  valid_until: z.string().nullable(),
  note: z.string(),
  binding: z.boolean(),
  sent_at: z.string().nullable(),
  corrections: z.number(),
  lock_version: z.number(),
})

const Written = one(Answer).extend({ message: z.string(), warnings: z.array(z.string()) })

/** Feasibility answers (decisions.md 4), by the partner's signed link or by an administrator who gives a reason. */
export const profferCalls = {
  'proffer.create': call({
    method: 'POST',
    path: '/v1/proffers',
    about: 'Answers a request for the current round, or keeps a draft; with lock_version it corrects the answer that was sent.',
    wraps: 'proffer',
    input: z.object({
      campaign_id: Id,
      /** The partner an administrator answers for. */
      partner_id: Id.optional(),
      company_name: z.string().max(200).optional(),
      ...answerFields,
      draft: Flag.default(false),
      /** Why an administrator answers for the partner. */
      on_behalf: z.string().trim().max(2000).default(''),
      lock_version: Lock,
    }),
    output: Written,
    refreshes: ['project', 'partner', 'history'],
  }),
  'proffer.quote': call({
    method: 'POST',
    path: '/v3/portal/partners/project/quote',
    about:
      'The same answer as a binding quote; it quotes the project where a target cost stands and the answer fills the order within it.',
    input: z.object({
      project_id: Id,
      partner_id: Id.optional(),
      name: z.string().max(200).optional(),
      description: z.string().max(10_000).optional(),
      status: z.string().max(40).optional(),
      ...answerFields,
      on_behalf: z.string().trim().max(2000).default(''),
      lock_version: Lock,
    }),
    output: Written,
    refreshes: ['project', 'partner', 'history'],
  }),
}
