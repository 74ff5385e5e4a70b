import { addDays, civilToday } from '../../../contract/pacing.ts'
import { serverTime } from '../../data/serverClock.ts'
import { ask } from '../command.ts'

/** When a key or token ends: for ever is chosen by name, and never what an empty answer means. */
export const expiryAsks = {
  expires: ask.option({
    label: 'Valid',
    options: [
      { value: '30', label: '30 days' },
      { value: '90', label: '90 days' },
      { value: '365', label: 'A year' },
      { value: 'day', label: 'Until a day…' },
      { value: 'never', label: 'For ever', detail: 'until somebody revokes it' },
    ],
  }),
  expires_on: ask.date({ label: 'Last day', when: ({ expires }) => expires === 'day' }),
}

/** The last day of an answer; undefined for ever. */
export const lastDayOf = ({ expires, expires_on }: { expires: string; expires_on: string | undefined }): string | undefined =>
  expires === 'never' ? undefined : expires === 'day' ? expires_on : addDays(civilToday('UTC', serverTime()), Number(expires))

/** What is shown with a new secret: what it reaches, above all if that is everything. */
export const shownOnceText = (what: string, reach: string): string =>
  `Copy the ${what} now. It’s shown once. It reaches ${reach}.`
