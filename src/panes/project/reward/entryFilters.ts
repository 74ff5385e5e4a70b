import type { EntryFlag } from '../../../../contract/entryFlags.ts'

const FLAGS = ['any', 'amount', 'email', 'ip', 'none'] as const satisfies readonly EntryFlag[]
const WORDS: Readonly<Record<EntryFlag, string>> = {
  any: 'any flag',
  amount: 'amount',
  email: 'email repeats',
  ip: 'IP repeats',
  none: 'no flag',
}
/** The flag filter's options. */
export const FLAG_OPTIONS = [{ value: '', label: 'all' }, ...FLAGS.map((value) => ({ value, label: WORDS[value] }))]
/** Parses a flag in a link; empty for anything else. */
export const flagNamed = (text: string): EntryFlag | '' => FLAGS.find((flag) => flag === text) ?? ''
