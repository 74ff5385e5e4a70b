import { civilDay } from '../../contract/format.ts'

/** The time zone for words such as "tomorrow"; the workspace sets it to the user's. */
export const displayZone = { of: () => 'America/New_York' }

/** Returns the civil date of a time in the display zone; a civil date stays as it is. */
export const dayOf = (at: string): string => (at[10] === 'T' ? civilDay(new Date(at), displayZone.of()) : at)
