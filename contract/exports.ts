import { PROJECT_COLUMNS } from './exportColumns.ts'
import { fileColumnsOf } from './lists.ts'

/**
 * The lists that can be exported, each with its columns in their order: the id that the list itself has for them, and what they are called in the file.
 * The lists of nouns declare them (lists.ts). Responses have the columns of their own questions.
 */
export const EXPORT_COLUMNS = {
  projects: PROJECT_COLUMNS,
  campaigns: PROJECT_COLUMNS,
  clients: fileColumnsOf('client'),
  users: fileColumnsOf('user'),
  teams: fileColumnsOf('team'),
  groups: fileColumnsOf('group'),
  entries: fileColumnsOf('entry'),
  jobs: fileColumnsOf('job'),
  mails: fileColumnsOf('mail'),
  responses: {},
} as const satisfies Record<string, Readonly<Record<string, string>>>

export type ExportName = keyof typeof EXPORT_COLUMNS
/** A column of an export by its id. */
export type ExportColumn<N extends ExportName> = keyof (typeof EXPORT_COLUMNS)[N] & string
