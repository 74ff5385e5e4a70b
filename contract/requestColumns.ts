import type { ClientStep } from './quoteRecord.ts'

/** A request's step in the client's words. */
export const CLIENT_STEP_WORDS: Readonly<Record<ClientStep, string>> = {
  requirements: 'Requirements',
  pricing: 'Pricing',
  approval: 'Waiting for you',
  expired: 'Expired',
  approved: 'Approved',
  rejected: 'Rejected',
}

/** Export columns of the request list by list column id; the remaining ones follow. */
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
