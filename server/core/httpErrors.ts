import type { Database } from '../db/connect.ts'
import { CommitUnknown } from '../db/dbErrors.ts'
import { HttpError } from './errors.ts'

/** What to say when a disk is full, the database is away, or it took too long (503 and 507, with `retry_after` in seconds); null for any other error. */
export function toHttpError(database: Database, error: unknown): HttpError | null {
  if (error instanceof CommitUnknown)
    return new HttpError(
      503,
      'in_doubt',
      'The connection to the database was lost while saving. It may or may not be saved: check before you try again.',
      { retry_after: 2 },
    )
  if (database.isFull(error))
    return new HttpError(507, 'disk_full', 'The server’s disk is full. Nothing was changed; it works again when there is room.', {
      retry_after: 30,
    })
  if (database.isSlow(error))
    return new HttpError(503, 'too_slow', 'The database took too long. Nothing was changed; please try again.', {
      retry_after: 5,
    })
  if (database.isUnavailable(error))
    return new HttpError(503, 'database_away', 'The database can’t be reached just now. Nothing was changed; please try again.', {
      retry_after: 2,
    })
  return null
}

const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 5000

/**
 * Does what must be written down, again and again while the database is in trouble: work that is done already must not be forgotten. It must bear being done twice.
 * Throws any other error, and the trouble itself once `giveUp` says so.
 */
export async function retryUntilAvailable<T>(database: Database, giveUp: () => boolean, work: () => Promise<T>): Promise<T> {
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    try {
      return await work()
    } catch (error) {
      if (giveUp() || !toHttpError(database, error)) throw error
    }
    await new Promise((next) => setTimeout(next, pause).unref())
  }
}
