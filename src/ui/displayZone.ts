import { civilDay } from '../../contract/format.ts'

/** The time zone and clock for words such as "tomorrow"; the workspace sets them to the user's and the server's. */
export const displayZone = { of: () => 'America/New_York', now: () => new Date() }

/** Returns today's civil date in the display zone. */
export const displayToday = (): string => civilDay(displayZone.now(), displayZone.of())

/** Returns the civil date of a time in the display zone; a civil date stays as it is. */
export const dayOf = (at: string): string => (at[10] === 'T' ? civilDay(new Date(at), displayZone.of()) : at)
