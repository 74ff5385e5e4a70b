import type { ClientStep } from './quoteRecord.ts'

/** Where a request is, in its client's words. */
export const CLIENT_STEP_WORDS: Readonly<Record<ClientStep, string>> = {
  requirements: 'Requirements',
  pricing: 'Pricing',
  approval: 'Waiting for you',
  expired: 'Expired',
  approved: 'Approved',
  rejected: 'Rejected',
}

/** Export columns of the list of requests and quotes, by the ids of the list; the rest follow. */
export const REQUEST_COLUMNS = {
  id: 'ID',
  name: 'Project',
  step: 'Step',
  ordered: 'Completes',
  cost: 'Cost',
  cost_per_complete: 'Per complete',
  valid_until: 'Valid until',
  quote_round: 'Round',
  requested: 'Requested',
  requested_by: 'Requested by',
  client: 'Client',
  generation: 'Generation',
} as const
