import type { CallId } from '../../../contract/calls.ts'
import type { Random } from '../random.ts'

/** When a server is killed: a random moment counted in its work, not in time, which depends on machine and engine. */
export interface Moment {
  come: Promise<void>
  acknowledged(call: CallId): void
  /** The number of successful responses so far. */
  heard(): number
}

/** TABLE  what is counted, and up to how many; payouts are few and slow. */
const COUNTED: [CallId, number][] = [
  ['note.create', 12],
  ['project.edit', 12],
  ['runtime.ingest', 16],
  ['entry.redeem', 6],
  ['entry.redeem', 6],
  ['user.invite', 12],
]
/** One in this many is killed cold: while it recovers from the last kill, perhaps before its first response. */
const COLD = 5
const COLD_MS = [0, 700] as const
/** The most ms between the last counted response and the kill, which hits whatever other requests are in flight. */
const AFTER_MS = 60
/** The longest wait for a count that may never be reached, because all rewards may be redeemed. */
const LATEST_MS = 8000

/**
 * Draws a moment. By the clock, PostgreSQL, which connects on the first request, was killed too early:
 * its 100 rounds acknowledged a fourteenth of SQLite's writes, and proved accordingly less.
 */
export function momentOf(random: Random): Moment {
  const cold = random.int(1, COLD) === 1
  const [counted, most] = random.pick(COUNTED)
  let left = random.int(1, most)
  const pause = cold ? random.int(...COLD_MS) : random.int(0, AFTER_MS)
  const { promise: come, resolve } = Promise.withResolvers<void>()
  const late = setTimeout(resolve, cold ? pause : LATEST_MS)
  let heard = 0
  return {
    come,
    acknowledged(call) {
      heard++
      if (cold || call !== counted || --left !== 0) return
      clearTimeout(late)
      setTimeout(resolve, pause)
    },
    heard: () => heard,
  }
}
