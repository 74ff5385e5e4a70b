import { z } from 'zod'
import { CivilDate, call, Flag, Id, listOf, Order, Search } from './call.ts'
import { Entry } from './entry.ts'
import { ENTRY_FLAGS } from './entryFlags.ts'
import { RewardStatus } from './enums.ts'
import { paged } from './listInput.ts'
import { sortsOf } from './lists.ts'
import { amountFault, readAmount } from './money.ts'
import { PAGE } from './pages.ts'
import { REWARD_STATUSES } from './vocabulary.ts'

const STATUS = REWARD_STATUSES.map((status) => status.value)
/** Counting stops here; the list then shows "10,000+" until `exact` is requested. */
export const COUNTED = 10_000

/** A reward entry in the list of all projects (screens-people-places-rewards.md, Reward receivers). */
export const Receiver = Entry.extend({
  client_id: z.number(),
  client_name: z.string(),
  /** The payout's reference; empty before it is paid. */
  reference: z.string(),
})
export type Receiver = z.output<typeof Receiver>

const blank = (value: unknown) => (value === '' ? undefined : value)
const dollars = z.preprocess((value, at) => {
  if (value === undefined || value === '') return undefined
  const amount = readAmount(value)
  if (amount.cents === null) at.addIssue({ code: 'custom', message: amountFault('must be an amount, such as 12.50', amount) })
  return amount.cents ?? undefined
}, z.number().min(0).max(1_000_000_000).optional())

/** Filters of the receivers; a blank value means no filter. */
const receiverFilter = {
  status: z.enum(['all', ...STATUS]).default('all'),
  /** The provider's id, which other calls name partner_id. */
  provider: z.preprocess(blank, Id.optional()),
  flag: z.enum(['', ...ENTRY_FLAGS]).default(''),
  project_id: z.preprocess(blank, Id.optional()),
  client_id: z.preprocess(blank, Id.optional()),
  /** First and last day on which it was earned. */
  from: z.preprocess(blank, CivilDate.optional()),
  to: z.preprocess(blank, CivilDate.optional()),
  /** Bounds of the amount in dollars, both included. */
  min: dollars,
  max: dollars,
  import_id: z.preprocess(blank, Id.optional()),
  /** An entry's id: only entries with its email or IP address, in all projects. */
  like: z.preprocess(blank, Id.optional()),
  /** An entry's id: only entries with its email, in all projects. */
  person: z.preprocess(blank, Id.optional()),
  /** Matches the beginning of an email, or a whole email, IP address, id or payout reference. */
  search: Search,
  updated_since: paged().updated_since,
}
const order = {
  column: z.enum(['', ...sortsOf('receiver')]).default(''),
  order: Order.default('desc'),
}
/** Filters and order for exports and selections. */
export const ReceiverFilter = z.object({ ...receiverFilter, ...order })
export type ReceiverFilter = z.output<typeof ReceiverFilter>

const listed = {
  ...paged(PAGE.rewards),
  /** The previous page's `next`. Deep pages cost no more than the first. */
  after: z.string().max(500).default(''),
  counts: Flag.default(true),
  /** Counts all matches, even beyond 10,000. */
  exact: Flag.default(false),
}
const Total = z.object({ status: RewardStatus, count: z.number(), amount_cents: z.number() })
const ReceiverList = listOf(Receiver).extend({
  page_size: z.number(),
  /** The number of matches, at most 10,000 unless `exact`; missing with counts=0. */
  count: z.number().optional(),
  /** True if there are more matches than `count`. */
  more: z.boolean().optional(),
  /** Totals by status over everything, or over the chosen project or client; missing with counts=0. */
  totals: z.array(Total).optional(),
  /** The cursor of the next page; null on the last. */
  next: z.string().nullable(),
})

export const receiverCalls = {
  'receiver.list': call({
    method: 'GET',
    path: '/v3/portal/rewards/all/rewarded',
    about:
      'Searches reward entries of all projects with their flags, by filters too, 50 a page or by cursor. Beyond 10,000 matches `more` is true until exact=1.',
    input: z.object({ ...receiverFilter, ...order, ...listed }),
    output: ReceiverList,
  }),
  'receiver.all': call({
    method: 'GET',
    path: '/v3/portal/rewarded/rewards',
    about: 'Lists reward entries of all projects with their flags, 50 a page or by cursor; the same without a search.',
    input: z.object({ ...receiverFilter, ...order, ...listed }).omit({ search: true }),
    output: ReceiverList,
  }),
} as const
