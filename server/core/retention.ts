import { nearest } from '../../contract/nearest.ts'

/** A row of the table of what is kept how long: its usual days, and what is deleted after them. */
interface Kept {
  usual: number
  about: string
}

/** TABLE  what grows by itself is deleted after so many days; `KEEP_DAYS=name=number,…` changes them, 0 keeps all. */
export const KEEP_DAYS = {
  mails: { usual: 400, about: 'emails that were sent, failed, withdrawn or only kept in the Outbox, since they were made' },
  jobs: { usual: 400, about: 'jobs that ended, since then' },
  notices: { usual: 400, about: 'notifications in somebody’s inbox, since they came' },
  imports: { usual: 400, about: 'checked files that nobody imported, since they were checked; the uploaded file stays' },
  sessions: { usual: 30, about: 'sessions, since they expired' },
} as const satisfies Record<string, Kept>
export type KeepName = keyof typeof KEEP_DAYS
export type KeepDays = Record<KeepName, number>

const NAMES = Object.keys(KEEP_DAYS) as KeepName[]
const MOST = 36_500

/** Reads `KEEP_DAYS`, such as `mails=90,jobs=30`; adds a sentence to `faults` for each wrong part. */
export function readKeepDays(text: string, faults: string[]): KeepDays {
  const days = Object.fromEntries(NAMES.map((name) => [name, KEEP_DAYS[name].usual])) as KeepDays
  for (const part of text.split(/[\s,]+/).filter(Boolean)) {
    const [name = '', amount = ''] = part.split('=')
    const near = nearest(name, NAMES)
    if (!(NAMES as string[]).includes(name))
      faults.push(`KEEP_DAYS has no "${name}"${near ? `: is ${near} meant?` : '.'} It has ${NAMES.join(', ')}.`)
    else if (!/^\d{1,5}$/.test(amount) || Number(amount) > MOST)
      faults.push(`KEEP_DAYS: ${name} must be a whole number of days from 0 (all) to ${MOST}, not "${amount}".`)
    else days[name as KeepName] = Number(amount)
  }
  return days
}
