import { z } from 'zod'
import { ANSWER, FIGURES } from './answer.ts'
import { call, DayOrNull, EffectSentence, Flag, Id, Lock, one, Text, wholeNumber } from './call.ts'

const whole = ([from, to, message]: readonly [number, number, string]) =>
  z
    .union(
      [
        z.literal('').transform(() => null),
        z.null(),
        wholeNumber(z.number({ error: message }).int(message).min(from, message).max(to, message)),
      ],
      {
        error: message,
      },
    )
    .optional()

/** The fields of an answer; null and blank mean that it isn't given (screens-quote-flow.md, Feasibility). */
export const answerFields = {
  fill_requirements: z
    .union([z.boolean(), z.string()], { error: ANSWER.choose })
    .transform((value) => (value === true ? 'yes' : value === false ? 'no' : value.trim().toLowerCase()))
    .pipe(z.enum(['', 'yes', 'no'], { error: ANSWER.choose }))
    .transform((value) => (value === '' ? null : value === 'yes' ? ('Yes' as const) : ('No' as const)))
    .optional(),
  reason: Text.max(2000).default(''),
  feasible_completes: whole(FIGURES.feasible_completes),
  cpi_cents: whole(FIGURES.cpi_cents),
  incidence: whole(FIGURES.incidence),
  loi_minutes: whole(FIGURES.loi_minutes),
  field_days: whole(FIGURES.field_days),
  valid_until: DayOrNull.optional(),
  note: Text.max(2000).default(''),
}

/** An answer as its partner sees it. */
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
  /** How many of its completes an approved quote took; null before, and if none. */
  chosen_completes: z.number().nullable(),
  lock_version: z.number(),
})

const Written = one(Answer).extend({ message: EffectSentence, warnings: z.array(z.string()) })

/** Feasibility answers (decisions.md 4), by the partner's signed link or by an administrator who gives a reason. */
export const profferCalls = {
  'proffer.create': call({
    method: 'POST',
    path: '/v1/proffers',
    about: 'Answers a request for the current round, or keeps a draft; with lock_version it corrects the answer that was sent.',
    wraps: 'proffer',
    sends: 'email',
    input: z.object({
      campaign_id: Id,
      /** The partner that an administrator answers for. */
      partner_id: Id.optional(),
      company_name: z.string().max(200).optional(),
      ...answerFields,
      draft: Flag.default(false),
      /** Why an administrator answers for the partner. */
      on_behalf: Text.max(2000).default(''),
      lock_version: Lock,
    }),
    output: Written,
    refreshes: ['project', 'partner', 'history'],
  }),
  'proffer.quote': call({
    method: 'POST',
    path: '/v3/portal/partners/project/quote',
    about:
      'Sends the answer as a binding quote; it quotes the project where a target cost is set and the answer fills the order within it.',
    sends: 'email',
    input: z.object({
      project_id: Id,
      partner_id: Id.optional(),
      name: z.string().max(200).optional(),
      description: z.string().max(10_000).optional(),
      status: z.string().max(40).optional(),
      ...answerFields,
      on_behalf: Text.max(2000).default(''),
      lock_version: Lock,
    }),
    output: Written,
    refreshes: ['project', 'partner', 'history'],
  }),
}
