import { z } from 'zod'
import { call, EffectSentence, Flag, Id, idList, listOf, needed, Order, one, Search, wholeNumber } from './call.ts'
import { ENTRY_FLAGS } from './entryFlags.ts'
import { RewardStatus } from './enums.ts'
import { paged } from './listInput.ts'
import { sortsOf } from './lists.ts'
import { MESSAGES } from './messages.ts'
import { PAGE } from './pages.ts'
import { REWARD_STATUSES } from './vocabulary.ts'

const STATUS = REWARD_STATUSES.map((status) => status.value)
/** The most entries that one call may change (decisions.md 5). */
const MOST = 10_000

/** A respondent's reward, with the flags of the Reward Center (people 3 and 8; decisions.md 5). */
export const Entry = z.object({
  id: z.number(),
  project_id: z.number(),
  project_name: z.string(),
  survey_id: z.number().nullable(),
  reward_id: z.number().nullable(),
  reward_name: z.string(),
  email: z.string(),
  ip: z.string(),
  /** In dollars. */
  amount: z.number(),
  amount_cents: z.number(),
  partner_id: z.number(),
  provider: z.string(),
  status: RewardStatus,
  reason: z.string(),
  second_chances: z.number(),
  allowed_amounts: z.array(z.number()),
  amount_flag: z.boolean(),
  /** Its flags as bits: 1 amount, 2 email, 4 IP address. */
  flags: z.number(),
  /** The upload that created it; null if none did. */
  import_id: z.number().nullable(),
  /** Entries of the project with this email, and with this IP address, except rejected ones; flagged above 1. */
  email_counter: z.number(),
  ipaddress_counter: z.number(),
  created_at: z.string(),
  sent_at: z.string().nullable(),
  lock_version: z.number(),
  allowed_actions: z.array(z.string()),
  refused_actions: z.record(z.string(), z.string()),
})
export type Entry = z.output<typeof Entry>

const Total = z.object({ status: RewardStatus, count: z.number(), amount_cents: z.number() })
const EntryList = listOf(Entry).extend({
  page_size: z.number(),
  /** The number of matches; missing with counts=0. */
  count: z.number().optional(),
  /** Totals by status of the whole project; missing with counts=0. */
  totals: z.array(Total).optional(),
})

/** The outcome by entry id. */
const Outcome = z.object({
  done: z.array(z.number()),
  refused: z.array(z.object({ id: z.number(), reason: z.string() })),
  /** The sum of `done`, in cents. */
  amount_cents: z.number(),
  /** How many of `done` share an email or IP address with another entry. */
  repeats: z.number(),
  /** The payout job, if any. Cancelling it before it starts releases the entries. */
  job_id: z.number().nullable(),
  pays_at: z.string().nullable(),
})
export type Outcome = z.output<typeof Outcome>
const Written = one(Outcome).extend({ message: EffectSentence })

const Ids = idList(MOST).optional()

/** `id` for one entry, `ids` for several. */
const selected = { id: Id.optional(), ids: Ids }
const someId = (input: { id?: number | undefined; ids?: number[] | undefined }, at: z.RefinementCtx) => {
  if (input.id === undefined && !input.ids?.length) at.addIssue({ code: 'custom', path: ['id'], message: 'is required' })
}
const Reason = needed(MESSAGES.whyRejected, 500)

export const entryCalls = {
  'entry.list': call({
    method: 'GET',
    path: '/v3/portal/projects/{id}/rewarded/rewards',
    about:
      'Lists the reward entries of a project with their flags, 50 a page. counts=0 leaves out count and totals; type=export returns CSV.',
    media: ['text/csv'],
    input: z.object({
      id: Id,
      status: z.enum(['all', ...STATUS]).default('all'),
      ...paged(PAGE.rewards),
      /** Searches emails and IP addresses; with children also project names. */
      search: Search,
      /** An entry's id: lists only entries with its email or IP address, including itself. */
      like: Id.optional(),
      flag: z.enum(['', ...ENTRY_FLAGS]).default(''),
      /** Only entries created by this upload. */
      import_id: Id.optional(),
      column: z.enum(sortsOf('entry')).default('id'),
      order: Order.default('desc'),
      counts: Flag.default(true),
      type: z.enum(['', 'export']).default(''),
    }),
    output: EntryList,
  }),
  'entry.redeem': call({
    method: 'POST',
    path: '/v3/portal/rewards/redeem',
    about:
      'Pays pending rewards: claimed at once, paid after delay_seconds, within which the job can be cancelled. A token is accepted and ignored.',
    undo: true,
    sends: 'payout',
    input: z
      .object({
        ...selected,
        confirm_repeats: Flag.optional(),
        delay_seconds: wholeNumber(z.number().int().min(0).max(30).default(0)),
        token: z.unknown().optional(),
      })
      .superRefine(someId),
    output: Written,
    refreshes: ['entry', 'job', 'history', 'project'],
  }),
  'entry.reject': call({
    method: 'POST',
    path: '/v3/portal/rewards/reject',
    about: 'Rejects pending rewards with a reason; many are one call.',
    undo: true,
    input: z.object({ ...selected, reason: Reason }).superRefine(someId),
    output: Written,
    refreshes: ['entry', 'history', 'project'],
  }),
  'entry.secondChance': call({
    method: 'POST',
    path: '/v3/portal/rewards/secondchance',
    about: 'Makes rejected rewards pending again, and counts it.',
    undo: true,
    input: z.object(selected).superRefine(someId),
    output: Written,
    refreshes: ['entry', 'history', 'project'],
  }),
  'entry.clear': call({
    method: 'POST',
    path: '/v3/portal/projects/{id}/clear_pending_rewards',
    about: "Rejects all pending rewards of a project with the reason 'cleared'; deletes nothing.",
    undo: true,
    input: z.object({ id: Id }),
    output: Written,
    refreshes: ['entry', 'history', 'project'],
  }),
} as const
