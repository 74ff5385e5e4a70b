import { z } from 'zod'
import { call, EffectSentence, Flag, Id, listOf, one } from './call.ts'
import { RewardStatus, RowCode } from './enums.ts'
import { CheckedReading, CsvReading, Format, Import } from './import.ts'
import { rewardColumns } from './importFields.ts'
import { paged } from './listInput.ts'
import { PAGE } from './pages.ts'

/** Fields that a column of an upload can hold. */
export type UploadColumn = keyof typeof rewardColumns
export const UPLOAD_COLUMNS = Object.keys(rewardColumns) as [UploadColumn, ...UploadColumn[]]
/** Limits of an upload (screens-people-places-rewards.md, Reward upload). */
export const UPLOAD_MB = 10
export const UPLOAD_ROWS = 100_000

/** An uploaded list of people to reward, with its results; `repeated` counts its flagged entries. */
const RewardImport = Import.extend({
  project_id: z.number(),
  /** The total of its entries, in cents. */
  amount_cents: z.number(),
  /** Its entries by current status. */
  now: z.array(z.object({ status: RewardStatus, count: z.number(), amount_cents: z.number() })),
})

/** A row of an upload that failed or was flagged. */
const RewardImportRow = z.object({
  line: z.number(),
  kind: z.enum(['error', 'repeat', 'amount']),
  column: z.string(),
  value: z.string(),
  code: RowCode,
  message: z.string(),
  entry_id: z.number().nullable(),
})

/** What an upload would do; nothing is written yet. */
export const UploadCheck = z.object({
  rows: z.number(),
  ready: z.number(),
  amount_cents: z.number(),
  failed: z.number(),
  /** Rows that would be created but can't be paid, because their provider doesn't pay their amount. */
  unpayable: z.number(),
  /** Rows whose email or IP address occurs earlier in the file, or in the project. */
  repeated_in_file: z.number(),
  repeated_in_project: z.number(),
  ...CheckedReading,
  /** Headings of the columns whose commas are read as decimal signs: all of a file with semicolons has them. */
  decimal_commas: z.array(z.string()),
  /** The first 20 lines with text, to choose the headings from. */
  head: z.array(z.object({ line: z.number(), text: z.string() })),
  /** The file's headings, and the field of each. */
  columns: z.array(z.object({ header: z.string(), as: z.enum([...UPLOAD_COLUMNS, '']) })),
  /** The first 20 rows, unchanged. */
  sample: z.array(z.array(z.string())),
  /** The first 100 rows that fail or are flagged. */
  first: z.array(RewardImportRow),
})
export type UploadCheck = z.output<typeof UploadCheck>

export const rewardImportCalls = {
  'reward.upload': call({
    method: 'POST',
    path: '/v3/rewards/redeem/file',
    about:
      'Creates pending entries from a CSV file of people to reward, in a job: errors row by row, and nothing is paid. With dry=1 it only checks. The same file again is 409 unless confirm_repeats.',
    as: 'multipart',
    files: { name: 'file' },
    input: z.object({
      project_id: Id,
      /** JSON of each field's heading: {"email": "E-mail address", …}; detected if missing. */
      mapping: z.string().max(10_000).optional(),
      ...CsvReading,
      dry: Flag.optional(),
      confirm_repeats: Flag.optional(),
    }),
    output: z.object({
      data: z.object({
        /** Null for a dry run. */
        import_id: z.number().nullable(),
        job_id: z.number().nullable(),
        check: UploadCheck,
      }),
      message: EffectSentence,
      ignored: z.array(z.string()).optional(),
    }),
    refreshes: ['entry', 'job', 'history', 'project'],
  }),
  'reward.imports': call({
    method: 'GET',
    path: '/v3/portal/rewards/imports',
    about: 'Uploads of people to reward, newest first, of all projects or one.',
    input: z.object({ project_id: Id.optional(), ...paged() }),
    output: listOf(RewardImport),
  }),
  'reward.import': call({
    method: 'GET',
    path: '/v3/portal/rewards/imports/{id}',
    about: 'Returns one upload of people to reward.',
    input: z.object({ id: Id }),
    output: one(RewardImport),
  }),
  'reward.importRows': call({
    method: 'GET',
    path: '/v3/portal/rewards/imports/{id}/rows',
    about: 'Lists the rows of an upload that failed or are flagged, 50 a page.',
    input: z.object({
      id: Id,
      kind: z.enum(['', 'error', 'flagged']).default(''),
      ...paged(PAGE.rewards),
    }),
    output: listOf(RewardImportRow).extend({ page_size: z.number() }),
  }),
  'reward.importErrors': call({
    method: 'POST',
    path: '/v3/portal/rewards/imports/{id}/errors',
    about:
      'Returns a link to the rows of an upload that failed: all columns of the file and the error, as CSV or XLSX, for 15 minutes.',
    keepsNothing: true,
    input: z.object({ id: Id, format: Format }),
    output: one(z.object({ url: z.string(), name: z.string(), expires_at: z.string() })),
  }),
} as const
