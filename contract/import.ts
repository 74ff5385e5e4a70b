import { z } from 'zod'
import { Allowed, call, EffectSentence, Flag, Id, Lock, listOf, one, wholeNumber } from './call.ts'
import { FieldCodeName, oneOf, RowCode } from './enums.ts'
import { DELIMITERS, ENCODINGS, FILE_FORMATS, IMPORT_ROW_KINDS, IMPORT_STATUSES } from './importWords.ts'
import { paged } from './listInput.ts'
import { groupName } from './locationGroup.ts'

/* Imports that create records row by row: what location files and reward files share. */

/** The field of each column of a file, in order; '' ignores a column. */
const Columns = z.array(z.string().max(40)).max(200)
/** How a CSV file is parsed; missing or empty options are detected. */
export const CsvReading = {
  delimiter: z.enum(['', ...DELIMITERS]).optional(),
  encoding: z.enum(['', ...ENCODINGS]).optional(),
  /** The line that holds the headings; 0 if none does. */
  heading_line: wholeNumber(z.number().int().min(0).max(1_000_000)).optional(),
}
/** How to parse the file; missing options are detected. */
const Reading = {
  sheet: z.string().max(200).optional(),
  ...CsvReading,
  /** Whether a line holds the headings; `heading_line` says which. */
  headed: z.boolean().optional(),
  mapping: Columns.optional(),
}

/** The format of a file of errors. */
export const Format = z.enum(FILE_FORMATS.map(({ value }) => value)).default('csv')

/** The fields shared by both kinds of import. */
export const Import = z.object({
  id: z.number(),
  kind: z.enum(['location', 'reward']),
  name: z.string(),
  file_id: z.number(),
  file_name: z.string(),
  status: z.enum(IMPORT_STATUSES),
  /** Why it failed. */
  error: z.string(),
  project_id: z.number().nullable(),
  project_name: z.string(),
  client_id: z.number().nullable(),
  client_name: z.string(),
  rows: z.number(),
  created: z.number(),
  /** Rows whose record existed already; they are linked, not copied. */
  reused: z.number(),
  repeated: z.number(),
  failed: z.number(),
  /** Lines processed so far. */
  done: z.number(),
  job_id: z.number().nullable(),
  created_by: z.number().nullable(),
  created_by_name: z.string(),
  created_at: z.string(),
  ended_at: z.string().nullable(),
  lock_version: z.number(),
  ...Allowed,
})
export type Import = z.output<typeof Import>

/** What was taken for a file's sheet, delimiter, encoding and headings, as it was sent or recognized. */
const taken = {
  /** Empty for a CSV. */
  sheet: z.string(),
  /** Empty for a workbook, like the encoding. */
  delimiter: oneOf(['', ...DELIMITERS]),
  encoding: oneOf(['', ...ENCODINGS]),
  /** 0 without headings. */
  heading_line: z.number(),
}
/** How a check has read its file. */
export const CheckedReading = {
  taken: z.object(taken),
  /** Lines of a CSV that aren't in its encoding and are read as Windows-1252: how many, and the first. */
  other_encoding: z.object({ lines: z.number(), first: z.array(z.number()) }),
  /** Headings of the columns that aren't taken. */
  ignored_columns: z.array(z.string()),
}

/** The headings of a file's columns, the field of each, and its first rows. */
export const ColumnPreview = {
  headings: z.array(z.string()),
  columns: z.array(z.string()),
  sample: z.array(z.object({ line: z.number(), cells: z.array(z.string()) })),
}

/** How the file is parsed now, with its first lines. */
export const Preview = z.object({
  sheets: z.array(z.string()),
  ...taken,
  /** The first 20 lines with text, to choose the headings from. */
  head: z.array(z.object({ line: z.number(), text: z.string() })),
  headed: z.boolean(),
  ...ColumnPreview,
})
export type Preview = z.output<typeof Preview>

/** What is wrong with a cell of a file. */
export const FileError = z.object({
  line: z.number(),
  column: z.string(),
  value: z.string(),
  code: FieldCodeName,
  message: z.string(),
})

/** A remark about a line of the file. */
const ImportRow = z.object({
  id: z.number(),
  line: z.number(),
  kind: z.enum(IMPORT_ROW_KINDS),
  column: z.string(),
  value: z.string(),
  code: RowCode,
  message: z.string(),
  place_id: z.number().nullable(),
  entry_id: z.number().nullable(),
  ...Allowed,
})

/** Paging and filters of an import's rows. */
const importRowsInput = {
  id: Id,
  kind: z.enum(IMPORT_ROW_KINDS).default('error'),
  ...paged(50),
}

/** The result of checking the whole file; nothing is written. */
export const ImportCheck = z.object({
  rows: z.number(),
  created: z.number(),
  reused: z.number(),
  repeated: z.number(),
  failed: z.number(),
  approximate: z.number(),
  no_position: z.number(),
  /** The first errors, in file order. */
  errors: z.array(FileError),
  /** Lines whose coordinates aren't taken, because they are far from their address, and the first of them. */
  doubtful: z.number(),
  doubts: z.array(FileError),
  /** Why it can't run with these columns; empty if it can. */
  blocked: z.string(),
  /** Headings of the columns whose commas are read as decimal signs. */
  decimal_commas: z.array(z.string()),
  ...CheckedReading,
})
export type ImportCheck = z.output<typeof ImportCheck>

/** A location import. A reward import has no group, activity or preview. */
export const LocationImport = Import.extend({
  group_id: z.number().nullable(),
  /** True if the import created its group; undoing it removes the group too. */
  makes_group: z.boolean(),
  activity_id: z.number().nullable(),
  activity_name: z.string(),
  /** The number of lines of each kind. */
  counts: z.record(z.enum(IMPORT_ROW_KINDS), z.number()),
  /** How the file is parsed, with its first lines, while its columns can be mapped. */
  preview: Preview.nullable(),
})
export type LocationImport = z.output<typeof LocationImport>

const Started = z.object({
  data: z.object({ import_id: z.number(), job_id: z.number().nullable() }),
  message: EffectSentence,
})

/** Location files (screens-people-places-rewards.md, Locations from a file). */
export const importCalls = {
  'import.process': call({
    method: 'POST',
    path: '/v3/portal/locations/process',
    about:
      'Creates a location group from an uploaded CSV or XLSX file, or adds its rows to group_id, in a job; hold=1 waits at the mapping, again=1 accepts a file that was processed before.',
    input: z.object({
      file_id: Id,
      name: groupName.name,
      client_id: Id.optional(),
      project_id: Id.optional(),
      activity_id: Id.optional(),
      group_id: Id.optional(),
      ...Reading,
      hold: Flag.optional(),
      again: Flag.optional(),
      dry: Flag.optional(),
    }),
    output: z.object({
      data: z.object({ import_id: z.number().nullable(), job_id: z.number().nullable(), check: ImportCheck.nullable() }),
      message: EffectSentence,
    }),
    refreshes: ['group', 'location', 'job'],
  }),
  'import.list': call({
    method: 'GET',
    path: '/v3/portal/locations/imports',
    about: 'Lists location files, newest first, 10 a page; of a client or a group.',
    input: z.object({
      client_id: Id.optional(),
      group_id: Id.optional(),
      status: z.enum(['', ...IMPORT_STATUSES]).default(''),
      ...paged(),
    }),
    output: listOf(Import),
  }),
  'import.get': call({
    method: 'GET',
    path: '/v3/portal/locations/imports/{id}',
    about:
      'Returns an uploaded file of locations or of people to reward: its figures and, until it is processed, how its locations are read.',
    input: z.object({ id: Id }),
    output: one(LocationImport),
  }),
  'import.check': call({
    method: 'GET',
    path: '/v3/portal/locations/imports/{id}/check',
    about: 'Previews the result of a location file, row by row, without writing anything.',
    input: z.object({ id: Id }),
    output: one(ImportCheck),
  }),
  'import.rows': call({
    method: 'GET',
    path: '/v3/portal/locations/imports/{id}/rows',
    about: 'Lists remarks on the lines of a location file: errors, repeats or approximate positions, 50 a page.',
    input: z.object(importRowsInput),
    output: listOf(ImportRow),
  }),
  'import.map': call({
    method: 'PUT',
    path: '/v3/portal/locations/imports/{id}',
    about: 'Sets how a location file is read: its sheet, delimiter, encoding and headings, and what each column holds.',
    undo: true,
    input: z.object({ id: Id, name: groupName.name, ...Reading, lock_version: Lock }),
    output: one(LocationImport).extend({ message: EffectSentence }),
  }),
  'import.run': call({
    method: 'POST',
    path: '/v3/portal/locations/imports/{id}/run',
    about: 'Starts a file of either kind that waits at its mapping, that failed (from where it stopped), or was undone.',
    input: z.object({ id: Id, again: Flag.optional() }),
    output: Started,
    refreshes: ['group', 'location', 'job', 'entry'],
  }),
  'import.correct': call({
    method: 'PUT',
    path: '/v3/portal/locations/imports/{id}/rows/{row_id}',
    about: 'Corrects one cell of a line that was refused; with nothing else wrong, its location is added to the group.',
    undo: true,
    input: z.object({ id: Id, row_id: Id, value: z.string().trim().max(500) }),
    output: one(LocationImport).extend({ message: EffectSentence }),
    refreshes: ['group', 'location'],
  }),
  'import.errors': call({
    method: 'POST',
    path: '/v3/portal/locations/imports/{id}/errors',
    about:
      'Returns a link to the lines of a file that were refused: all its columns and the reason, as CSV or XLSX, for 15 minutes.',
    keepsNothing: true,
    input: z.object({ id: Id, format: Format }),
    output: one(z.object({ url: z.string(), name: z.string(), expires_at: z.string() })),
  }),
  'import.undo': call({
    method: 'POST',
    path: '/v3/portal/imports/{id}/undo',
    about: 'Undoes an import: deletes the group it created or removes what it added, and deletes unused places.',
    input: z.object({ id: Id }),
    output: z.object({
      data: z.object({ id: z.number(), removed: z.number(), kept: z.number() }),
      message: EffectSentence,
    }),
    refreshes: ['group', 'location', 'entry'],
  }),
} as const
