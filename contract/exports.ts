import { CHANNEL_COLUMNS } from './channelColumns.ts'
import type { ListRow } from './column.ts'
import { lists } from './listRows.ts'
import { type ExportedNoun, type FileColumnOf, fileColumnsOf, type ListNoun } from './lists.ts'
import { PROJECT_COLUMNS } from './projectHeadings.ts'
import { REQUEST_COLUMNS } from './requestColumns.ts'
import { RESPONDENT_COLUMNS } from './respondentColumns.ts'

type Listed = { [N in ExportedNoun as (typeof lists)[N]['name']]: Readonly<Record<FileColumnOf<N>, string>> }
const listed = Object.fromEntries(
  (Object.entries(lists) as [ListNoun, ListRow][]).flatMap(([noun, { name, exports }]) =>
    exports ? [[name, fileColumnsOf(noun)]] : [],
  ),
) as unknown as Listed

/**
 * Exportable lists: column id → heading in the file, in order.
 * Lists of nouns are declared in the nouns table. Responses and reports have a column for each question.
 */
export const EXPORT_COLUMNS = {
  projects: PROJECT_COLUMNS,
  campaigns: PROJECT_COLUMNS,
  ...listed,
  channel: CHANNEL_COLUMNS,
  requests: REQUEST_COLUMNS,
  respondents: RESPONDENT_COLUMNS,
  responses: {},
  userResponses: {},
  report: {},
  datamap: {},
  visits: {},
} as const satisfies Record<string, Readonly<Record<string, string>>>

export type ExportName = keyof typeof EXPORT_COLUMNS
/** An export's column id. */
export type ExportColumn<N extends ExportName> = keyof (typeof EXPORT_COLUMNS)[N] & string
