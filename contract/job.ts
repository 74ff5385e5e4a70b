import { z } from 'zod'
import { call, EffectSentence, Flag, Id, listOf, one } from './call.ts'
import { JobStatus } from './enums.ts'
import { EXPORT_COLUMNS, type ExportName } from './exports.ts'
import { listInput } from './listInput.ts'
import { sortsOf, valuesOf } from './lists.ts'

/** A job's statuses; the nouns table has their labels. */
const JOB_STATUSES = valuesOf('job', 'status')

/** The lists that can be exported. */
const EXPORT_NAMES = Object.keys(EXPORT_COLUMNS) as [ExportName, ...ExportName[]]

/** A long-running task and its progress. */
export const Job = z.object({
  id: z.number(),
  kind: z.string(),
  title: z.string(),
  status: JobStatus,
  /** Progress out of `total`; a total of 0 means unknown. */
  done: z.number(),
  total: z.number(),
  /** Why it failed. */
  error: z.string(),
  /** Its result. An export has file_id, file_name, rows and size (bytes); a payout has sent, returned and rejected. */
  result: z.record(z.string(), z.union([z.string(), z.number()])),
  /** A signed link to its file, valid for 15 minutes; null if it has none. */
  download: z.string().nullable(),
  created_by: z.number().nullable(),
  created_by_name: z.string(),
  created_at: z.string(),
  /** The earliest time it starts. */
  not_before: z.string(),
  started_at: z.string().nullable(),
  ended_at: z.string().nullable(),
  cancellable: z.boolean(),
  /** It failed or was cancelled, and its kind can run again: exports can, payouts never. */
  retryable: z.boolean(),
  allowed_actions: z.array(z.string()),
  /** Why each of the other actions is refused. */
  refused_actions: z.record(z.string(), z.string()),
})
export type Job = z.output<typeof Job>

/** A link that opens one file for 15 minutes without authentication. */
const Link = z.object({ url: z.string(), name: z.string(), expires_at: z.string() })

export const jobCalls = {
  'job.list': call({
    method: 'GET',
    path: '/v3/portal/jobs',
    about: "Lists the caller's jobs, newest first unless a column sorts, 10 a page; administrators see everyone's.",
    input: z.object({
      ...listInput(sortsOf('job')),
      status: z.enum(['all', 'open', ...JOB_STATUSES]).default('all'),
      mine: Flag.optional(),
    }),
    output: listOf(Job),
  }),
  'job.get': call({
    method: 'GET',
    path: '/v3/portal/jobs/{id}',
    about: 'Returns one job.',
    input: z.object({ id: Id }),
    output: one(Job),
  }),
  'job.cancel': call({
    method: 'POST',
    path: '/v3/portal/jobs/{id}/cancel',
    about: 'Cancels a job. A payout can be cancelled only until it starts; its rewards are pending again.',
    input: z.object({ id: Id }),
    output: one(Job).extend({ message: EffectSentence }),
    refreshes: ['entry'],
  }),
  'job.retry': call({
    method: 'POST',
    path: '/v3/portal/jobs/{id}/retry',
    about: 'Retries a failed or cancelled job with its original input and owner; payouts can’t be retried.',
    passing: true,
    input: z.object({ id: Id }),
    output: one(Job).extend({ message: EffectSentence }),
  }),
  'job.link': call({
    method: 'POST',
    path: '/v3/portal/jobs/{id}/link',
    about: "Returns a new link to a job's file, for 15 minutes.",
    passing: true,
    credential: { limits: [] },
    input: z.object({ id: Id }),
    output: one(Link),
  }),
  'export.start': call({
    method: 'POST',
    path: '/v3/portal/exports',
    about:
      'Exports a list as CSV or XLSX in a job: its filter is the filter of the list it shows, with ids the selected rows alone; columns are ids in their order, all of them when left out.',
    passing: true,
    input: z.object({
      source: z.enum(EXPORT_NAMES),
      filter: z.record(z.string(), z.unknown()).default({}),
      columns: z.array(z.string().max(40)).max(40).optional(),
      format: z.enum(['csv', 'xlsx']).default('csv'),
    }),
    output: one(Job).extend({ message: EffectSentence }),
    refreshes: ['job'],
  }),
  'campaign.exportCsv': call({
    method: 'GET',
    path: '/v1/campaigns_exportcsv/{id}',
    as: 'stream',
    media: ['text/csv'],
    about: "Streams a campaign's respondents as CSV; personal data only for administrators.",
    input: z.object({ id: Id }),
    output: z.unknown(),
  }),
} as const
