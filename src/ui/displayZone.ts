/** The time zone for words such as "tomorrow"; the workspace sets it to the user's. */
export const displayZone = { of: () => 'America/New_York' }
