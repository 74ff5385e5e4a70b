import { type DateStyle, showTime } from '../../contract/format.ts'
import { store } from './jotaiStore.ts'
import { preferencesAtom } from './preferences.ts'

/** Formats a time in the user's zone: "Nov 24, 3:05 PM"; "–" without one. */
export function moment(
  iso: string | null | undefined,
  style: Extract<DateStyle, 'short' | 'full' | 'day' | 'day and year' | 'clock'> = 'short',
): string {
  if (!iso) return '–'
  return showTime(new Date(iso), style, store.get(preferencesAtom).time_zone || 'America/New_York')
}
