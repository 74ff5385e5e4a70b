/* The words of files that become records, without the calls. */

/** What may stand between the cells of a CSV. */
export const DELIMITERS = [',', ';', '\t', '|'] as const
export type Delimiter = (typeof DELIMITERS)[number]

/** checked: its columns can still be corrected, and nothing is written yet. */
export const IMPORT_STATUSES = ['checked', 'running', 'done', 'undone', 'failed'] as const
export type ImportStatus = (typeof IMPORT_STATUSES)[number]
/** What is said of a line: it was refused, it repeats another one, or its position is only near. */
export const IMPORT_ROW_KINDS = ['error', 'repeat', 'approximate'] as const
export type ImportRowKind = (typeof IMPORT_ROW_KINDS)[number]

/** The most rows of a location file (decisions.md 9 gives the bytes). */
export const MOST_LOCATIONS = 50_000

/** What a column of a location file may be taken for, with its name for people. */
export const LOCATION_FIELDS = {
  name: 'Name',
  address: 'Address',
  city: 'City',
  state: 'State',
  zip: 'ZIP',
  latitude: 'Latitude',
  longitude: 'Longitude',
} as const
export type LocationField = keyof typeof LOCATION_FIELDS
