import { createWriteStream } from 'node:fs'
import { basename, extname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'
import type { Job } from '../contract/job.ts'
import { ApiError, ExitError } from './errors.ts'
import type { Remote } from './remote.ts'
import { requestOf } from './request.ts'
import { plain } from './show.ts'
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

const readJob = async (remote: Remote, id: number, signal?: AbortSignal): Promise<Job> =>
  (
    (await remote.json(requestOf(verbFor('job.get'), { input: { id }, files: [] }), { reads: true, signal })).value as {
      data: Job
    }
  ).data

/** Waits for a job to end; null if the token can't read jobs. Throws if the job failed. */
export async function waitFor(remote: Remote, id: number, { signal, progress }: Watching): Promise<Job | null> {
  for (let wait = 200; ; wait = Math.min(wait * 1.5, 3000)) {
    let job: Job
    try {
      job = await readJob(remote, id, signal)
    } catch (error) {
      if (error instanceof ApiError && error.status === 403) return null
      throw error
    }
    progress?.(job)
    if (job.status === 'done') return job
    if (ENDED.has(job.status)) throw new ExitError(`${plain(job.title)}: ${plain(job.error || job.status)}`)
    await delay(wait, undefined, { signal })
  }
}

/** Free names for a file in the working folder, so that a server can't choose another folder or overwrite a file. */
export function* namesFor(suggested: string): Generator<string> {
  const name = basename(plain(suggested).replaceAll('\\', '/')).replace(/^\.+/, '') || 'download'
  yield name
  const end = extname(name)
  for (let at = 2; at < 1000; at++) yield `${name.slice(0, name.length - end.length)} (${at})${end}`
}

/** Writes a response's body to a file, or to standard output for `-`; returns the file's name. */
export async function save(answer: Response, suggested: string, output?: string): Promise<string> {
  const body = answer.body ? Readable.fromWeb(answer.body as never) : Readable.from([])
  if (output === '-') {
    await pipeline(body, process.stdout, { end: false })
    return '-'
  }
  if (output) {
    await pipeline(body, createWriteStream(output))
    return output
  }
  for (const name of namesFor(suggested)) {
    const file = createWriteStream(name, { flags: 'wx' })
    const opened = await new Promise<boolean>((resolve, reject) => {
      file.once('open', () => resolve(true))
      file.once('error', (error: NodeJS.ErrnoException) => (error.code === 'EEXIST' ? resolve(false) : reject(error)))
    })
    if (!opened) continue
    await pipeline(body, file)
    return name
  }
  throw new ExitError(`Too many files are named ${suggested}. Choose another name with --output.`)
}

/** Saves a finished job's file under its own or the given name; null if it has none. */
export async function saveJob(
  remote: Remote,
  job: Job,
  output: string | undefined,
  signal?: AbortSignal,
): Promise<string | null> {
  if (!job.download) return null
  return save(await remote.file(job.download, signal), String(job.result.file_name ?? `job-${job.id}`), output)
}
