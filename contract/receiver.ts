import { z } from 'zod'
import { CivilDate, call, Flag, Id, listOf, Order, Page, Search } from './call.ts'
import { Entry } from './entry.ts'
import { ENTRY_FLAGS } from './entryFlags.ts'
import { sortsOf } from './lists.ts'
import { PAGE } from './pages.ts'
import { REWARD_STATUSES } from './vocabulary.ts'

const STATUS = REWARD_STATUSES.map((status) => status.value)
/** Up to this many matches are counted; beyond it the answer says "10,000+" until `exact` is asked for. */
export const COUNTED = 10_000

/** An entry among those of all projects (screens-people-places-rewards.md, Reward receivers). */
export const Receiver = Entry.extend({
  client_id: z.number(),
  client_name: z.string(),
  /** The payout's reference; empty before it is paid. */
  reference: z.string(),
})
export type Receiver = z.output<typeof Receiver>

const blank = (value: unknown) => (value === '' ? undefined : value)
const dollars = z.preprocess(blank, z.coerce.number().min(0).max(10_000_000).optional())

/** Filters of the receivers; a blank one is as if it were left out. */
const receiverFilter = {
  status: z.enum(['all', ...STATUS]).default('all'),
  /** A provider's id, partner_id elsewhere. */
  provider: z.preprocess(blank, Id.optional()),
  flag: z.enum(['', ...ENTRY_FLAGS]).default(''),
  project_id: z.preprocess(blank, Id.optional()),
  client_id: z.preprocess(blank, Id.optional()),
  /** When it was earned, first and last day. */
  from: z.preprocess(blank, CivilDate.optional()),
  to: z.preprocess(blank, CivilDate.optional()),
  /** The amount in dollars, both ends included. */
  min: dollars,
  max: dollars,
  import_id: z.preprocess(blank, Id.optional()),
  /** An entry's id: only entries with its email or its IP address, in all projects. */
  like: z.preprocess(blank, Id.optional()),
  /** An entry's id: only entries with its email, in all projects. */
  person: z.preprocess(blank, Id.optional()),
  /** Finds by the beginning of an email, or by a whole email, IP address, id or payout reference. */
  search: Search,
}
const order = {
  column: z.enum(['', ...sortsOf('receiver')]).default(''),
  order: Order.default('desc'),
}
/** What exports and selections take: the same filters and order. */
export const ReceiverFilter = z.object({ ...receiverFilter, ...order })
export type ReceiverFilter = z.output<typeof ReceiverFilter>

const paged = {
  page: Page,
  per_page: z.coerce.number().int().min(1).max(500).default(PAGE.rewards),
  /** The `next` of the page before: goes on from there, however deep, at the cost of a first page. */
  after: z.string().max(500).default(''),
  counts: Flag.default(true),
  /** Counts all matches, also beyond 10,000. */
  exact: Flag.default(false),
}
const Total = z.object({ status: z.enum(STATUS), count: z.number(), amount_cents: z.number() })
const ReceiverList = listOf(Receiver).extend({
  page_size: z.number(),
  /** Matches, at most 10,000 unless `exact`; missing with counts=0. */
  count: z.number().optional(),
  /** True if there are more matches than `count`. */
  more: z.boolean().optional(),
  /** Counts by status of everything, or of the chosen project or client; missing with counts=0. */
  totals: z.array(Total).optional(),
  /** The cursor of the next page; null on the last. */
  next: z.string().nullable(),
})

export const receiverCalls = {
  'receiver.list': call({
    method: 'GET',
    path: '/v3/portal/rewards/all/rewarded',
    about:
      'Reward entries of all projects with their flags, by search and filters, 50 a page or by cursor. Beyond 10,000 matches `more` is true until exact=1.',
    input: z.object({ ...receiverFilter, ...order, ...paged }),
    output: ReceiverList,
  }),
  'receiver.all': call({
    method: 'GET',
    path: '/v3/portal/rewarded/rewards',
    about: 'Reward entries of all projects with their flags, 50 a page or by cursor; the same without a search.',
    input: z.object({ ...receiverFilter, ...order, ...paged }).omit({ search: true }),
    output: ReceiverList,
  }),
} as const
