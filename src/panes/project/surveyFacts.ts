import { count, dollars, longDate } from '../../../contract/format.ts'
import type { Project } from './ProjectHead.tsx'

/** The length in days, first and last included. */
export const daysOf = ({ start_dt, end_dt }: Pick<Project, 'start_dt' | 'end_dt'>): number | null =>
  start_dt && end_dt ? Math.round((Date.parse(end_dt.slice(0, 10)) - Date.parse(start_dt.slice(0, 10))) / 86_400_000) + 1 : null

/** A family's goal: its own part, and the total with its children. */
export const goalOf = ({ goal, ordered, children }: Project): string =>
  children.length ? `${count(goal)} of its own, ${count(ordered)} completes with its children` : `${count(ordered)} completes`

/** A project's cost, of a family also the sum with its children; empty while it isn't set. */
export function costOf({ cost_cents: own, family_cost_cents: all, children }: Project): string {
  const sum = (cents: number | null) => (cents === null ? '' : dollars(cents))
  return children.length && all !== null
    ? `${own === null ? 'none' : dollars(own)} of its own, ${dollars(all)} with its children`
    : sum(own)
}

/** The round of the quote, and how long it holds. */
export const quoteOf = ({ quote_round, quote_valid_until }: Project): string =>
  quote_valid_until ? `round ${quote_round}, valid until ${longDate(quote_valid_until)}` : `round ${quote_round}`

/** The names of the invited partners. */
export const partnersOf = ({ partners }: Project): string =>
  partners
    .map((partner) => partner.name)
    .sort()
    .join(', ')
