import { counted, showTime } from '../../../contract/format.ts'
import type { QuotaForeseen } from '../../../contract/quota.ts'

/** What the arrivals of the last seven days would have met, in a sentence. */
export function foreseenWords(foreseen: QuotaForeseen | undefined): string {
  if (!foreseen) return ''
  const { from, arrivals, newly_admitted, newly_refused } = foreseen
  if (!arrivals) return `Nobody has arrived since ${showTime(new Date(from), 'day')}.`
  const changes = [
    newly_admitted ? `${counted(newly_admitted, 'person', 'people')} more would have been admitted` : '',
    newly_refused ? `${counted(newly_refused, 'person', 'people')} more would have been refused` : '',
  ].filter(Boolean)
  return `Of ${counted(arrivals, 'arrival', 'arrivals')} in the last 7 days, ${changes.join(' and ') || 'all would have met the same'}.`
}
