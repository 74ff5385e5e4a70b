import { useAtomValue } from 'jotai'
import { civilToday } from '../../contract/pacing.ts'
import { preferencesAtom } from '../data/preferences.ts'
import { serverTime } from '../data/serverClock.ts'

/** Returns today, YYYY-MM-DD, in the user's time zone, as the base for "tomorrow". */
export const useToday = (): string => civilToday(useAtomValue(preferencesAtom).time_zone || 'America/New_York', serverTime())
