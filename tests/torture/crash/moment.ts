import type { CallId } from '../../../contract/calls.ts'
import type { Random } from '../random.ts'

/** When a server is killed: a moment of chance, counted in its work rather than in the time that a slow machine or engine needs for it. */
export interface Moment {
  come: Promise<void>
  acknowledged(call: CallId): void
  /** How many answers said yes until then. */
  heard(): number
}

/** TABLE  what may be counted, and up to how many of it; the payouts are few and slow. */
const COUNTED: [CallId, number][] = [
  ['note.create', 12],
  ['project.edit', 12],
  ['runtime.ingest', 16],
  ['entry.redeem', 6],
  ['entry.redeem', 6],
  ['user.invite', 12],
]
/** One in this many is killed cold: while it recovers what the one before left, perhaps before its first response. */
const COLD = 5
const COLD_MS = [0, 700] as const
/**
 * The most milliseconds between the response counted to and the kill, so that it hits whatever the other callers have
 * under way.
 */
const AFTER_MS = 60
/** Nobody waits longer for a count that does not come: all rewards may be redeemed. */
const LATEST_MS = 8000

/**
 * Draws a moment. By the clock alone PostgreSQL was killed before its first answers, whose connections open then: its 100 rounds acknowledged a fourteenth of what SQLite's did,
 * and proved as little.
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
