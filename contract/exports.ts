import { PROJECT_COLUMNS } from './exportColumns.ts'
import { type ExportedNoun, type FileColumnOf, fileColumnsOf, type ListNoun, type ListRow, lists } from './lists.ts'

type Listed = { [N in ExportedNoun as (typeof lists)[N]['name']]: Readonly<Record<FileColumnOf<N>, string>> }
const listed = Object.fromEntries(
  (Object.entries(lists) as [ListNoun, ListRow][]).flatMap(([noun, { name, exports }]) =>
    exports ? [[name, fileColumnsOf(noun)]] : [],
  ),
) as unknown as Listed

/**
 * The lists that can be exported, each with its columns in their order: the id that the list itself has for them, and what they are called in the file.
 * The lists of nouns declare them (lists.ts). Responses have the columns of their own questions.
 */
export const EXPORT_COLUMNS = {
  projects: PROJECT_COLUMNS,
  campaigns: PROJECT_COLUMNS,
  ...listed,
  responses: {},
} as const satisfies Record<string, Readonly<Record<string, string>>>

export type ExportName = keyof typeof EXPORT_COLUMNS
/** A column of an export by its id. */
export type ExportColumn<N extends ExportName> = keyof (typeof EXPORT_COLUMNS)[N] & string
