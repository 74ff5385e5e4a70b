import { z } from 'zod'
import { Id, Page } from './call.ts'

/* Files that become records, row by row: what location files and reward files have in common. */

/** What may stand between the cells of a CSV. */
export const DELIMITERS = [',', ';', '\t', '|'] as const
export type Delimiter = (typeof DELIMITERS)[number]

/** checked: its columns can still be corrected, and nothing is written yet. */
export const IMPORT_STATUSES = ['checked', 'running', 'done', 'undone', 'failed'] as const
/** What is said of a line: it was refused, it repeats another one, or its position is only near. */
export const IMPORT_ROW_KINDS = ['error', 'repeat', 'approximate'] as const
export type ImportRowKind = (typeof IMPORT_ROW_KINDS)[number]

/** The most rows of a location file (decisions.md 9 gives the bytes). */
export const MOST_LOCATIONS = 50_000

/** What each column of a file is taken for, in their order; '' for one that is ignored. */
const Columns = z.array(z.string().max(40)).max(200)
/** How a file is read; what is left out is found in the file. */
export const Reading = {
  sheet: z.string().max(200).optional(),
  delimiter: z.enum(['', ...DELIMITERS]).optional(),
  /** Whether its first line has the headings. */
  headed: z.boolean().optional(),
  mapping: Columns.optional(),
}

/** An import as both kinds show it. */
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
  /** Rows that were known already and are linked, not copied. */
  reused: z.number(),
  repeated: z.number(),
  failed: z.number(),
  /** Lines of the file that are dealt with. */
  done: z.number(),
  job_id: z.number().nullable(),
  created_by: z.number().nullable(),
  created_by_name: z.string(),
  created_at: z.string(),
  ended_at: z.string().nullable(),
  lock_version: z.number(),
})
export type Import = z.output<typeof Import>

/** How the file is read now, and its first lines. */
export const Preview = z.object({
  sheets: z.array(z.string()),
  sheet: z.string(),
  delimiter: z.string(),
  headed: z.boolean(),
  headings: z.array(z.string()),
  columns: z.array(z.string()),
  sample: z.array(z.object({ line: z.number(), cells: z.array(z.string()) })),
})
export type Preview = z.output<typeof Preview>

/** What is said of a line of a file. */
export const ImportRow = z.object({
  id: z.number(),
  line: z.number(),
  kind: z.enum(IMPORT_ROW_KINDS),
  column: z.string(),
  value: z.string(),
  message: z.string(),
  place_id: z.number().nullable(),
  entry_id: z.number().nullable(),
})
export type ImportRow = z.output<typeof ImportRow>

/** The page of an import's rows. */
export const importRowsInput = {
  id: Id,
  kind: z.enum(IMPORT_ROW_KINDS).default('error'),
  page: Page,
  per_page: z.coerce.number().int().min(1).max(500).default(50),
}

/** What a check of the whole file found, without writing anything. */
export const ImportCheck = z.object({
  rows: z.number(),
  created: z.number(),
  reused: z.number(),
  repeated: z.number(),
  failed: z.number(),
  approximate: z.number(),
  no_position: z.number(),
  /** The first errors, in the order of the file. */
  errors: z.array(z.object({ line: z.number(), column: z.string(), value: z.string(), message: z.string() })),
  /** Why it can't run as its columns are; empty if it can. */
  blocked: z.string(),
})
export type ImportCheck = z.output<typeof ImportCheck>
