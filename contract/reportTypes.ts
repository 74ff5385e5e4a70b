/** What a column of a client report holds if it isn't the answer itself (projects-area 9). */
export const COLUMN_TYPES = [
  { value: 'record', label: 'Record' },
  { value: 'start_date', label: 'Start date' },
  { value: 'end_date', label: 'End date' },
  { value: 'start_time', label: 'Start time' },
  { value: 'interview_time', label: 'Interview time' },
  { value: 'zip_code', label: 'ZIP code' },
  { value: 'lat_long', label: 'Latitude and longitude' },
  { value: 'birthdate', label: 'Birth date' },
] as const
export type ColumnType = (typeof COLUMN_TYPES)[number]['value']

/** Columns on a page of the list (projects-area 9, client report table). */
export const REPORT_PAGE = 200
/** The most columns of a report. */
export const REPORT_COLUMNS = 2000
