import { count, dollars, longDate } from '../../../contract/format.ts'
import type { Project } from './ProjectHead.tsx'

/** Returns the number of days from start to end, both included. */
export const daysOf = ({ start_dt, end_dt }: Pick<Project, 'start_dt' | 'end_dt'>): number | null =>
  start_dt && end_dt ? Math.round((Date.parse(end_dt.slice(0, 10)) - Date.parse(start_dt.slice(0, 10))) / 86_400_000) + 1 : null

/** Formats a goal; a family's also has the total with its children. */
export const goalOf = ({ goal, ordered, children }: Project): string =>
  children.length ? `${count(goal)} of its own, ${count(ordered)} completes with its children` : `${count(ordered)} completes`

/** Formats a project's cost, with the family's total; empty until it is set. */
export function costOf({ cost_cents: own, family_cost_cents: all, children }: Project): string {
  const sum = (cents: number | null) => (cents === null ? '' : dollars(cents))
  return children.length && all !== null
    ? `${own === null ? 'none' : dollars(own)} of its own, ${dollars(all)} with its children`
    : sum(own)
}

/** Formats the quote's round and validity. */
export const quoteOf = ({ quote_round, quote_valid_until }: Project): string =>
  quote_valid_until ? `Round ${quote_round}, valid until ${longDate(quote_valid_until)}` : `Round ${quote_round}`

/** Lists the invited partners' names. */
export const partnersOf = ({ partners }: Project): string =>
  partners
    .map((partner) => partner.name)
    .sort()
    .join(', ')
