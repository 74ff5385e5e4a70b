import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '../db/connect.ts'
import { CommitUnknown } from '../db/dbErrors.ts'
import { HttpError } from './errors.ts'

/** The 503 or 507 (with `retry_after` in seconds) for a full disk or an unavailable or slow database, or null. */
export function toHttpError(database: Database, error: unknown): HttpError | null {
  if (error instanceof CommitUnknown)
    return new HttpError(
      503,
      'in_doubt',
      'The connection to the database was lost while saving. It may or may not be saved: check before you try again.',
      { retry_after: 2 },
    )
  if (database.isFull(error))
    return new HttpError(507, 'disk_full', 'The server’s disk is full. Nothing was changed; try again once there is space.', {
      retry_after: 30,
    })
  if (database.isSlow(error))
    return new HttpError(503, 'too_slow', 'The database took too long. Nothing was changed; please try again.', {
      retry_after: 5,
    })
  if (database.isCollision(error))
    return new HttpError(
      503,
      'collided',
      'Somebody changed the same records at the same moment. Nothing was changed; please try again.',
      { retry_after: 1 },
    )
  if (database.isDamaged(error))
    return new HttpError(
      503,
      'database_damaged',
      'The database can’t read what is stored here: it is damaged. Nothing was changed; its operator needs to check the log.',
    )
  if (database.isUnavailable(error))
    return new HttpError(
      503,
      'database_away',
      'The database can’t be reached right now. Nothing was changed; please try again.',
      {
        retry_after: 2,
      },
    )
  return null
}

const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 5000

/**
 * Retries work that must be recorded until the database is available, so the work must be repeatable.
 * Throws any other error at once, and this one when `giveUp` returns true.
 */
export async function retryUntilAvailable<T>(database: Database, giveUp: () => boolean, work: () => Promise<T>): Promise<T> {
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    try {
      return await work()
    } catch (error) {
      // Damage doesn't go away by waiting.
      if (giveUp() || database.isDamaged(error) || !toHttpError(database, error)) throw error
    }
    await delay(pause, undefined, { ref: false })
  }
}
