import { wait } from '../ui/wait.ts'
import { ApiError } from './api.ts'

/** How many records are written concurrently. */
export const AT_ONCE = 4
/** How often to wait after "too many requests", per record. */
const MOST_RETRIES = 5

interface Progress {
  signal: AbortSignal
  progress(done: number, total: number, note?: string): void
}
/** The result of work done record by record. */
export interface Outcome<T> {
  done: { subject: T; made: unknown }[]
  refused: { subject: T; reason: string }[]
  /** Records not reached, after a cancel or a lost connection. */
  rest: T[]
  /** Why it ended early, unless it was cancelled. */
  lost: ApiError | null
}

/**
 * Runs work on records in order, a few concurrently. An error affects only its record; canceling stops in between.
 * A lost connection or session ends the rest.
 */
export async function mapConcurrent<T extends { name: string }>(
  records: readonly T[],
  { signal, progress }: Progress,
  work: (record: T) => Promise<unknown>,
): Promise<Outcome<T>> {
  const outcome: Outcome<T> = { done: [], refused: [], rest: [], lost: null }
  let next = 0
  let ended = 0
  const one = async (): Promise<void> => {
    while (next < records.length && !signal.aborted && !outcome.lost) {
      const subject = records[next++]!
      progress(ended, records.length, subject.name)
      try {
        outcome.done.push({ subject, made: await withRetries(() => work(subject), signal) })
      } catch (error) {
        if (error instanceof ApiError && error.status !== 0 && error.status !== 401)
          outcome.refused.push({ subject, reason: error.message })
        else {
          // Whatever failed, report what was done, so that it can be undone.
          outcome.lost ??= error instanceof ApiError ? error : broken(error)
          outcome.rest.push(subject)
        }
      }
      progress(++ended, records.length, subject.name)
    }
  }
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, records.length) }, one))
  outcome.rest.push(...records.slice(next))
  return outcome
}

function broken(error: unknown): ApiError {
  console.error(error)
  return new ApiError(0, 'broken', 'Something went wrong in the workspace. Try again.')
}

/** Waits and retries when the server says "too many requests". */
async function withRetries(work: () => Promise<unknown>, signal: AbortSignal): Promise<unknown> {
  for (let tried = 1; ; tried++) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 429 || tried === MOST_RETRIES || signal.aborted) throw error
      const seconds = Math.min(60, Number(error.more.retry_after) || 2)
      await wait(seconds * 1000)
    }
  }
}
