import { SPELLING, STATUSES } from '../../../contract/status.ts'
import { labelOf, PROVIDERS } from '../../../contract/vocabulary.ts'
import { count, dollars, shortDate } from '../../workspace/format.ts'

const NAMES: Record<string, string> = {
  start_dt: 'start',
  end_dt: 'end',
  cost_cents: 'cost',
  ordered: 'goal',
  client_id: 'client',
  survey_url: 'survey URL',
  quote_valid_until: 'quote valid until',
  quote_round: 'quote round',
  went_live_at: 'went live',
  provider_id: 'reward provider',
  requested_by: 'requested by',
  parent_id: 'parent',
  cost_notification: 'mails about the cost',
  campaign_type: 'type',
}
/** A stored field in the words of the screen: `end_dt` is "end". */
export const fieldName = (field: string): string => NAMES[field] ?? field.replace(/_/g, ' ')

/** A stored value as people read it. */
export function fieldValue(field: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return 'nothing'
  if (field === 'status')
    return STATUSES.some((status) => status === value)
      ? `${SPELLING[value as (typeof STATUSES)[number]].shown} (${value})`
      : String(value)
  if (/cents$/.test(field)) return dollars(Number(value))
  if (/_dt$|valid_until$|_at$/.test(field)) return shortDate(String(value))
  if (field === 'provider_id') return labelOf(PROVIDERS, value, String(value))
  if (typeof value === 'number') return /(^|_)id$|_by$/.test(field) ? String(value) : count(value)
  if (Array.isArray(value)) return value.length ? value.join(', ') : 'none'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
