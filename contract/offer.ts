import { z } from 'zod'
import { Allowed, call, Id, listOf, one } from './call.ts'
import { columnWord } from './enums.ts'
import { listInput } from './listInput.ts'
import { sortsOf, valuesOf } from './lists.ts'

/** The channels that a project recruits through, and the statuses of an offer. */
export const CHANNELS = valuesOf('offer', 'channel')
const OFFER_STATUSES = valuesOf('offer', 'status')

/** What a channel offers the respondents of a project; `amount` is in dollars (decisions.md 13, Offers). */
export const Offer = z.object({
  id: z.number(),
  project_id: z.number(),
  name: z.string(),
  channel: columnWord('offer', 'channel'),
  amount: z.number(),
  amount_cents: z.number(),
  starts: z.string(),
  ends: z.string().nullable(),
  status: columnWord('offer', 'status'),
  lock_version: z.number(),
  ...Allowed,
})
export type Offer = z.output<typeof Offer>

/** Offers are read-only; the channels send them. */
export const offerCalls = {
  'offer.list': call({
    method: 'GET',
    path: '/v3/portal/offers/project/{id}',
    about:
      'Lists the offers that channels show to the respondents of a project, running ones first, 10 a page, with the average of the running ones.',
    input: z.object({
      id: Id,
      ...listInput(sortsOf('offer')),
      channel: z.enum(['all', ...CHANNELS]).default('all'),
      status: z.enum(['all', ...OFFER_STATUSES]).default('all'),
    }),
    output: listOf(Offer).extend({
      /** Over all of the project's offers, regardless of the filter. */
      running: z.number(),
      average_cents: z.number().nullable(),
      /** Disabled channels that have offers here. */
      disabled: z.array(z.enum(CHANNELS)),
    }),
  }),
  'offer.get': call({
    method: 'GET',
    path: '/v3/portal/offers/{id}',
    about: 'Returns one offer.',
    input: z.object({ id: Id }),
    output: one(Offer),
  }),
} as const
