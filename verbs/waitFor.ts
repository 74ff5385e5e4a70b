import { setTimeout as delay } from 'node:timers/promises'
import type { Job } from '../contract/job.ts'
import { ApiError, JobError } from './errors.ts'
import { requestOf, type Sender } from './request.ts'
import { plain } from './values.ts'
import { verbFor } from './verbs.ts'

type Values = Readonly<Record<string, unknown>>
const ENDED: ReadonlySet<string> = new Set(['done', 'failed', 'cancelled'])

const isJob = (value: unknown): value is Job =>
  typeof value === 'object' && value !== null && 'not_before' in value && 'download' in value && 'status' in value

/** The ids of jobs that a response started: of jobs in it, or in `job_id` of other records. */
export function jobsIn(answer: unknown): number[] {
  const { data, job_id } = (answer ?? {}) as { data?: unknown; job_id?: unknown }
  const within = [data].flat().flatMap((one) => (isJob(one) ? [one.id] : [(one as Values | null | undefined)?.job_id]))
  return [...new Set([job_id, ...within].filter((id): id is number => typeof id === 'number'))]
}

export interface Watching {
  signal?: AbortSignal | undefined
  /** Called with each progress. */
  progress?(job: Job): void
}

const readJob = async (sender: Sender, id: number, signal?: AbortSignal): Promise<Job> =>
  (
    (await sender.json(requestOf(verbFor('job.get'), { input: { id }, files: [] }), { reads: true, signal })).value as {
      data: Job
    }
  ).data

/** Waits for a job to end; null if the token can't read jobs. Throws if the job failed. */
export async function waitFor(sender: Sender, id: number, { signal, progress }: Watching): Promise<Job | null> {
  for (let wait = 200; ; wait = Math.min(wait * 1.5, 3000)) {
    let job: Job
    try {
      job = await readJob(sender, id, signal)
    } catch (error) {
      if (error instanceof ApiError && error.status === 403) return null
      throw error
    }
    progress?.(job)
    if (job.status === 'done') return job
    if (ENDED.has(job.status)) throw new JobError(`${plain(job.title)}: ${plain(job.error || job.status)}`)
    await delay(wait, undefined, { signal })
  }
}
