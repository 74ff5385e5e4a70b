import { randomUUID } from 'node:crypto'
import { UsageError } from './errors.ts'
import type { Reviewed } from './request.ts'

/** How long (ms) a review can be confirmed. */
export const CONFIRMED_WITHIN = 600_000
/** How many reviews of one token wait to be confirmed; of more, the oldest are dropped. */
export const MOST_WAITING = 100

/** What was reviewed and waits for a person's agreement; each confirmation works once, for its command and input. */
export interface Confirmations {
  /** Stores the digest of a command and its input with the versions reviewed; returns the word that confirms it. */
  add(digest: string, reviewed: Reviewed): Promise<string>
  /** Uses a confirmation up; throws for one that doesn't fit. */
  take(confirmation: string, digest: string): Promise<Taken>
}

/** A confirmation that is being used. */
interface Taken {
  /** Sent along with the write, which the server refuses with `changed` if they have changed. */
  reviewed: Reviewed
  /** Makes it usable again. */
  reinstate(): Promise<void>
}

const AGAIN = 'call again without it for a new review.'
/** For a confirmation that isn't known, or no longer. */
export const unknownConfirmation = () => new UsageError(`This confirmation is unknown, used or too old: ${AGAIN}`)
/** For a confirmation of something else. */
export const otherConfirmation = () => new UsageError(`This confirmation is for another command or input: ${AGAIN}`)

/** Confirmations of one process, for a program with a single assistant. */
export function confirmationsInMemory(now: () => number = Date.now): Confirmations {
  const waiting = new Map<string, { digest: string; reviewed: Reviewed; until: number }>()
  return {
    async add(digest, reviewed) {
      for (const [key, { until }] of waiting) if (until <= now() || waiting.size >= MOST_WAITING) waiting.delete(key)
      const key = randomUUID()
      waiting.set(key, { digest, reviewed, until: now() + CONFIRMED_WITHIN })
      return key
    },
    async take(confirmation, digest) {
      const found = waiting.get(confirmation)
      if (!found || found.until <= now()) throw unknownConfirmation()
      if (found.digest !== digest) throw otherConfirmation()
      waiting.delete(confirmation)
      return { reviewed: found.reviewed, reinstate: async () => void waiting.set(confirmation, found) }
    },
  }
}
