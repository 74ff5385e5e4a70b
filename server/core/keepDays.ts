import { type Amount, readAmounts } from './amounts.ts'

/** TABLE  what grows by itself is deleted after so many days; `KEEP_DAYS=name=number,…` changes them, 0 keeps all. */
export const KEEP_DAYS = {
  mails: { usual: 400, about: 'emails that were sent, failed, withdrawn or only kept in the Outbox, since they were made' },
  jobs: { usual: 400, about: 'jobs that ended, since then' },
  notices: { usual: 400, about: 'notifications in somebody’s inbox, since they came' },
  imports: { usual: 400, about: 'checked files that nobody imported, since they were checked; the uploaded file stays' },
  sessions: { usual: 30, about: 'sessions, since they expired' },
} as const satisfies Record<string, Amount>
export type KeepName = keyof typeof KEEP_DAYS
export type KeepDays = Record<KeepName, number>

const MOST = 36_500

/** Reads `KEEP_DAYS`, such as `mails=90,jobs=30`; adds a sentence to `faults` for each wrong part. */
export const readKeepDays = (text: string, faults: string[]): KeepDays =>
  readAmounts(
    KEEP_DAYS,
    { setting: 'KEEP_DAYS', least: 0, most: MOST, range: `a whole number of days from 0 (all) to ${MOST}` },
    text,
    faults,
  )
