import { count, dollars } from '../../contract/format.ts'
import { labelOf, PROVIDERS } from '../../contract/vocabulary.ts'
import { idAbove, recordOf, type Subject } from './subject.ts'

/** The fields that a reward's flags are computed from, in a list's row or a selection. */
export interface Flagged {
  status: string
  amount_flag: boolean
  email_counter: number
  ipaddress_counter: number
}

/** True unless rejected; rejected entries don't count as repeats (decisions.md 5). */
const counts = ({ status }: Flagged) => status !== 'rejected'
export const emailRepeats = (entry: Flagged): boolean => counts(entry) && entry.email_counter > 1
export const addressRepeats = (entry: Flagged): boolean => counts(entry) && entry.ipaddress_counter > 1
/** True for a reward to check before payment. */
export const isFlagged = (entry: Flagged): boolean => entry.amount_flag || emailRepeats(entry) || addressRepeats(entry)

/** Returns a subject's flags; one that a link names only by id has none. */
export const flagsOf = (subject: Subject): Flagged => {
  const { status = '', amount_flag, email_counter, ipaddress_counter } = recordOf(subject, 'entry')
  return {
    status,
    amount_flag: amount_flag === true,
    email_counter: Number(email_counter ?? 0),
    ipaddress_counter: Number(ipaddress_counter ?? 0),
  }
}

interface Line {
  label: string
  value: string
  bad?: boolean
}
const FLAGS = [
  { label: 'Flagged: amount', test: ({ amount_flag }: Flagged) => amount_flag },
  { label: 'Flagged: email repeats', test: emailRepeats },
  { label: 'Flagged: IP address repeats', test: addressRepeats },
] as const
/** With more distinct amounts than this, they share one line. */
const MOST_AMOUNTS = 8

const centsOf = (subject: Subject) => Number(recordOf(subject, 'entry').amount_cents ?? 0)
const sumOf = (subjects: readonly Subject[]) => subjects.reduce((sum, subject) => sum + centsOf(subject), 0)
const rewards = (number: number) => `${count(number)} ${number === 1 ? 'reward' : 'rewards'}`
const lineOf = (label: string, subjects: readonly Subject[]): Line => ({
  label,
  value: `${rewards(subjects.length)} · ${dollars(sumOf(subjects))}`,
})

/** Returns the lines of a review of several rewards: totals by amount, provider, flag and, if several, project. */
export function totalLines(subjects: readonly Subject[]): Line[] {
  if (subjects.length < 2 || subjects.some((subject) => recordOf(subject, 'entry').amount_cents === undefined)) return []
  const amounts = [...Map.groupBy(subjects, centsOf)].sort(([one], [other]) => one - other)
  const shown = amounts.length > MOST_AMOUNTS ? amounts.slice(0, MOST_AMOUNTS - 1) : amounts
  const others = amounts.slice(shown.length).flatMap(([, some]) => some)
  const providers = [...Map.groupBy(subjects, (subject) => Number(recordOf(subject, 'entry').partner_id ?? 0))]
  const projectOf = (subject: Subject) => recordOf(subject, 'entry').project_name || String(idAbove(subject, 'project'))
  const projects = [...Map.groupBy(subjects, projectOf)]
  const isAcross = new Set(subjects.map((subject) => idAbove(subject, 'project'))).size > 1
  return [
    ...shown.map(([cents, some]) => lineOf(`Amount ${dollars(cents)}`, some)),
    ...(others.length ? [lineOf('Other amounts', others)] : []),
    ...providers.flatMap(([id, some]) => (id ? [lineOf(labelOf(PROVIDERS, id, `Provider ${id}`), some)] : [])),
    ...(isAcross ? projects.map(([name, some]) => lineOf(/^\d+$/.test(name) ? `Project P-${name}` : name, some)) : []),
    ...FLAGS.flatMap(({ label, test }) => {
      const some = subjects.filter((subject) => test(flagsOf(subject)))
      return some.length ? [{ ...lineOf(label, some), bad: true }] : []
    }),
  ]
}
