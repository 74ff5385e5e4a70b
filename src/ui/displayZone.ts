/** The time zone in which "tomorrow" is read; the workspace sets it to the user's. */
export const displayZone = { of: () => 'America/New_York' }
