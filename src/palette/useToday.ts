import { useAtomValue } from 'jotai'
import { preferencesAtom } from '../data/preferences.ts'
import { todayIn } from './dates.ts'

/** Today, YYYY-MM-DD, where the person lives: what "tomorrow" is meant by. */
export const useToday = (): string => todayIn(useAtomValue(preferencesAtom).time_zone || 'America/New_York')
