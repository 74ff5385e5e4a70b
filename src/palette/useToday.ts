import { useAtomValue } from 'jotai'
import { todayIn } from '../../contract/dates.ts'
import { preferencesAtom } from '../data/preferences.ts'

/** Returns today, YYYY-MM-DD, in the user's time zone, as the base for "tomorrow". */
export const useToday = (): string => todayIn(useAtomValue(preferencesAtom).time_zone || 'America/New_York')
