import { zoneOffset } from '../../../contract/zone.ts'

const DAY = 86_400
const QUARTER = 900

/** A day's civil date. */
export const dateOf = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 10)

/** Converts times of visits to the display zone: days as numbers since 1970, moments as seconds. */
export interface Clock {
  /** The civil day of a moment. */
  dayOf(at: number): number
  /** The hour of that day, 0 to 23, by local time. */
  hourOf(at: number): number
  /** The first moment of a day. */
  startOf(day: number): number
}

const clocks = new Map<string, Clock>()

/** The clock of a zone, fast for many moments and correct when clocks change. */
export function clockOf(timeZone: string): Clock {
  const known = clocks.get(timeZone)
  if (known) return known
  const clock = newClock(timeZone)
  clocks.set(timeZone, clock)
  return clock
}

function newClock(timeZone: string): Clock {
  /** The zone's offset from UTC, in seconds. */
  const aheadAt = (at: number): number => zoneOffset(at * 1000, timeZone) / 1000
  // Most UTC days have one offset; the few with a change are looked up by quarter of an hour.
  const days = new Map<number, number | null>()
  const quarters = new Map<number, number>()
  const ahead = (at: number): number => {
    const day = Math.floor(at / DAY)
    let offset = days.get(day)
    if (offset === undefined) {
      const first = aheadAt(day * DAY)
      offset = first === aheadAt((day + 1) * DAY) ? first : null
      days.set(day, offset)
    }
    if (offset !== null) return offset
    const quarter = Math.floor(at / QUARTER)
    const known = quarters.get(quarter) ?? aheadAt(quarter * QUARTER)
    quarters.set(quarter, known)
    return known
  }
  const dayOf = (at: number) => Math.floor((at + ahead(at)) / DAY)
  const starts = new Map<number, number>()
  return {
    dayOf,
    hourOf: (at) => Math.floor(((((at + ahead(at)) % DAY) + DAY) % DAY) / 3600),
    startOf(day) {
      let start = starts.get(day)
      if (start === undefined) {
        start = day * DAY - ahead(day * DAY)
        // In a zone that changes clocks at midnight, this hour is missing or occurs twice.
        while (dayOf(start) < day) start += QUARTER
        while (dayOf(start - 1) >= day) start -= QUARTER
        starts.set(day, start)
      }
      return start
    },
  }
}
