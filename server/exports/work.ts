import { mailList } from '../domain/mail/list.ts'
import { jobList, starterOf } from '../jobs/list.ts'
import { type Listing, listExport } from './exportSource.ts'

const MAIL_WORDS = {
  queued: 'Waiting',
  sending: 'Being sent',
  sent: 'Sent',
  outbox: 'Not sent',
  failed: 'Failed',
  withdrawn: 'Cancelled',
} as const
const JOB_WORDS = { queued: 'Waiting', running: 'Running', done: 'Done', failed: 'Failed', cancelled: 'Cancelled' } as const

const jobs = listExport(jobList, {
  title: 'Jobs',
  cells: {
    status: (row) => JOB_WORDS[row.status],
    progress: (row) => row.done,
    result: (row) => row.error || madeBy(row.result),
    by: (row) => starterOf(row),
  },
})
/** The jobs that the caller sees and that match: their own, with their titles; nothing in it is a project's. */
export const jobsExport = async (...asked: Parameters<typeof jobs>): Promise<Listing> => ({
  ...(await jobs(...asked)),
  holds: new Set(),
})

/** What a job made, in a few words: its file, or what became of its payments. */
function madeBy(result: string): string {
  const { file_name, rows, sent, returned, rejected } = JSON.parse(result) as Record<string, string | number | undefined>
  if (file_name) return `${file_name}, ${rows ?? 0} rows`
  return sent === undefined ? '' : `${sent} sent, ${returned ?? 0} back to pending, ${rejected ?? 0} rejected`
}

/** The mails that match, without their texts: those hold links that open doors. */
export const mailsExport = listExport(mailList, { title: 'Outbox', cells: { status: (row) => MAIL_WORDS[row.status] } })
