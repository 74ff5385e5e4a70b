import { z } from 'zod'
import { Allowed, call, EffectSentence, Id, idList, listOf, one, Text } from './call.ts'
import { listInput } from './listInput.ts'
import { sortsOf } from './lists.ts'
import { PAGE } from './pages.ts'

/** A VIP experience given to an address; with by=experience, all awards of an experience. */
export const Award = z.object({
  /** The award's id; with by=experience, the experience's. */
  id: z.number(),
  /** Empty with by=experience. */
  email: z.string(),
  experience_id: z.number(),
  experience: z.string(),
  /** The experience was deleted since. */
  experience_gone: z.boolean(),
  project_id: z.number(),
  /** How many people this row stands for. */
  awarded: z.number(),
  first_at: z.string(),
  /** When it was awarded; with by=experience, the latest time. */
  created_at: z.string(),
  by: z.string(),
  /** What this address was paid in the project. */
  paid_cents: z.number(),
  ...Allowed,
})
export type Award = z.output<typeof Award>

/** The most addresses one call takes. */
const AWARDS_AT_ONCE = 5000
/** Addresses as a list, or as text separated by commas, semicolons, blanks or line breaks. */
const Emails = z
  .union([z.string().max(1_500_000), z.array(z.string().max(500))], { error: 'emails is required' })
  .transform((input) => (Array.isArray(input) ? input : input.split(/[\s,;]+/)).map((text) => text.trim()).filter(Boolean))
  .refine((emails) => emails.length > 0, 'emails is required')
  .refine((emails) => emails.length <= AWARDS_AT_ONCE, `must be at most ${AWARDS_AT_ONCE} addresses`)

const Outcome = z.object({
  experience_id: z.number(),
  awarded: z.number(),
  /** Addresses that already have it, or occur twice in the list. */
  repeats: z.array(z.string()),
  /** Lines that aren't an email address, with the reason. */
  errors: z.array(z.object({ line: z.number(), value: z.string(), message: z.string() })),
})

export const awardCalls = {
  'award.list': call({
    method: 'GET',
    path: '/v3/portal/projects/{id}/rewarded/experiences',
    about: 'Lists a project’s VIP experience awards, newest first, 50 a page; with by=experience one row per experience.',
    input: z.object({
      id: Id,
      ...listInput(sortsOf('award'), PAGE.rewards),
      experience_id: Id.optional(),
      by: z.enum(['', 'experience']).default(''),
    }),
    output: listOf(Award).extend({ page_size: z.number() }),
  }),
  'award.create': call({
    method: 'POST',
    path: '/v3/portal/projects/{id}/rewarded/experiences',
    about: 'Awards a VIP experience once per address. Repeats are only counted, and no email is sent. With dry=1 it only counts.',
    undo: true,
    input: z.object({ id: Id, experience_id: Id, emails: Emails }),
    output: one(Outcome).extend({ message: EffectSentence }),
    refreshes: ['vip', 'history'],
  }),
  'award.withdraw': call({
    method: 'DELETE',
    path: '/v3/portal/projects/{id}/rewarded/experiences',
    about: 'Withdraws awards of a project with a reason, without notifying the people.',
    undo: true,
    input: z.object({
      id: Id,
      ids: idList(10_000).refine((ids) => ids.length > 0, 'must be a list of ids, such as 114,115'),
      reason: Text.max(500).default(''),
    }),
    output: one(z.object({ withdrawn: z.number() })).extend({ message: EffectSentence }),
    refreshes: ['vip', 'history'],
  }),
} as const
