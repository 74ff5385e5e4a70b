import type { Output } from '../../../../contract/calls.ts'
import { count, dollars } from '../../../../contract/format.ts'
import { addressRepeats, emailRepeats, flagsOf, isFlagged } from '../../../commands/entryTotals.ts'
import { recordOf, type Subject } from '../../../commands/subject.ts'

/** A participant's reward, as the Reward Center lists it. */
export type Entry = Output<'entry.list'>['data'][number]

/** Converts a reward entry to a command subject. */
export const entrySubject = (entry: Entry): Subject => ({
  kind: 'entry',
  id: entry.id,
  name: entry.email,
  allowed_actions: entry.allowed_actions,
  refused_actions: entry.refused_actions,
  record: entry,
})

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** Explains an entry's flags and state; `short` for narrow rows. */
export function noteOf(entry: Entry, length: 'full' | 'short' = 'full'): string {
  const notes: string[] = []
  if (entry.status === 'rejected') notes.push(entry.reason || 'rejected')
  else if (entry.status === 'processing') notes.push('on its way')
  // A failed payment that can be retried leaves its reason on the entry.
  else if (entry.status === 'pending' && entry.reason) notes.push(entry.reason)
  if (entry.amount_flag)
    notes.push(length === 'short' ? 'amount can’t be paid' : `amount is not one of ${entry.allowed_amounts.join(', ')}`)
  const repeats = [emailRepeats(entry) && 'email', addressRepeats(entry) && 'IP'].filter(Boolean)
  if (repeats.length === 2) notes.push('email and IP repeat')
  else if (repeats.length) notes.push(`${repeats[0]} repeats`)
  if (entry.second_chances) notes.push(entry.second_chances === 1 ? 'reinstated' : `reinstated ${entry.second_chances} times`)
  return sentence(notes.join('; '))
}

/** Sums up the selected rewards: "$170.00 · 3 skipped: flagged". */
export function sumNote(selected: readonly Subject[], left: number): string {
  const cents = selected.reduce((sum, subject) => sum + Number(recordOf(subject, 'entry').amount_cents ?? 0), 0)
  const flagged = selected.filter((subject) => isFlagged(flagsOf(subject))).length
  return [dollars(cents), flagged ? `${count(flagged)} of them flagged` : '', left ? `${count(left)} skipped: flagged` : '']
    .filter(Boolean)
    .join(' · ')
}
