import type { z } from 'zod'
import type { accountCalls } from '../../contract/account.ts'
import type { jobCalls } from '../../contract/job.ts'
import type { Ctx } from '../core/context.ts'
import { jobIds, jobsNamed, starterOf } from '../jobs/list.ts'
import { mailIds } from '../mail/list.ts'
import { among, type Listing, listing, type Marked } from './listing.ts'

const MAIL_WORDS = {
  queued: 'Waiting',
  sending: 'Being sent',
  sent: 'Sent',
  outbox: 'Not sent',
  failed: 'Failed',
  withdrawn: 'Cancelled',
} as const
const JOB_WORDS = { queued: 'Waiting', running: 'Running', done: 'Done', failed: 'Failed', cancelled: 'Cancelled' } as const

/** The jobs that the caller sees and that match. */
export async function jobsExport(
  ctx: Ctx,
  { ids: only, ...filter }: z.output<(typeof jobCalls)['job.list']['input']> & Marked,
  columns: readonly string[],
): Promise<Listing> {
  const ids = among(await jobIds(ctx, filter), only)
  const jobs = listing(
    'jobs',
    'Jobs',
    { ids, columns, read: (some) => jobsNamed(ctx, some) },
    {
      id: (row) => row.id,
      title: (row) => row.title,
      status: (row) => JOB_WORDS[row.status],
      progress: (row) => row.done,
      total: (row) => row.total,
      result: (row) => row.error || madeBy(row.result),
      by: (row) => starterOf(row),
      created_at: (row) => row.created_at,
      ended_at: (row) => row.ended_at,
    },
  )
  // One's own jobs and their titles: nothing in it is a project's.
  return { ...jobs, holds: new Set() }
}

/** What a job made, in a few words: its file, or what became of its payments. */
function madeBy(result: string): string {
  const { file_name, rows, sent, returned, rejected } = JSON.parse(result) as Record<string, string | number | undefined>
  if (file_name) return `${file_name}, ${rows ?? 0} rows`
  return sent === undefined ? '' : `${sent} sent, ${returned ?? 0} back to pending, ${rejected ?? 0} rejected`
}

/** The mails that match, without their texts: those hold links that open doors. */
export async function mailsExport(
  ctx: Ctx,
  { ids: only, ...filter }: z.output<(typeof accountCalls)['outbox.list']['input']> & Marked,
  columns: readonly string[],
): Promise<Listing> {
  const ids = among(await mailIds(ctx, filter), only)
  const read = (some: readonly number[]) =>
    ctx.db
      .selectFrom('mails')
      .where('id', 'in', some)
      .select(['id', 'subject', 'to_address', 'status', 'about', 'attempts', 'error', 'created_at', 'sent_at'])
      .execute()
  return listing(
    'mails',
    'Outbox',
    { ids, columns, read },
    {
      id: (row) => row.id,
      subject: (row) => row.subject,
      to_address: (row) => row.to_address,
      status: (row) => MAIL_WORDS[row.status],
      about: (row) => row.about,
      attempts: (row) => row.attempts,
      error: (row) => row.error,
      created_at: (row) => row.created_at,
      sent_at: (row) => row.sent_at,
    },
  )
}
