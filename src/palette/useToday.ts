import { useAtomValue } from 'jotai'
import { preferencesAtom } from '../data/preferences.ts'
import { todayIn } from '../ui/dates.ts'

/** Returns today, YYYY-MM-DD, in the user's time zone, as the base for "tomorrow". */
export const useToday = (): string => todayIn(useAtomValue(preferencesAtom).time_zone || 'America/New_York')
