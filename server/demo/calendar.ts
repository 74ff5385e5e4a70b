import { addDays } from '../../contract/pacing.ts'
import { zoneOffset } from '../../contract/zone.ts'
import type { Random } from './random.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** Weights of a day's responses by hour of the display zone: a small midday bump, an evening peak. */
const HOURS = [1.2, 0.6, 0.4, 0.3, 0.4, 0.8, 1.8, 3, 3.8, 4.2, 4.5, 5, 5.6, 5.2, 4.6, 4.6, 5, 5.8, 7, 8.4, 9, 8.2, 6, 3.2]
const WEEKDAY = [0.7, 1.04, 1.08, 1.08, 1.06, 1, 0.64]

/** Civil days and moments of the display zone. */
export interface Calendar {
  now: Date
  today: string
  /** A civil day's hour in UTC, as milliseconds. */
  at(day: string, hour: number): number
  /** The civil day of a moment in milliseconds. */
  dayOf(ms: number): string
  /** A moment in office hours of a civil day, as ISO text, never in the future. */
  office(random: Random, day: string): string
}

/** The calendar of a time zone as of now. */
export function calendarOf(now: Date, today: string, timeZone: string): Calendar {
  const offsets = new Map<string, number>()
  const offsetOf = (day: string, hour: number): number => {
    // Clocks change in the small hours, so a day's two parts have their own offsets.
    const key = `${day}${hour < 4 ? 'a' : 'b'}`
    let offset = offsets.get(key)
    if (offset === undefined) {
      const moment = Date.parse(`${day}T${hour < 4 ? '04:30' : '17:00'}:00Z`)
      offset = zoneOffset(moment, timeZone)
      offsets.set(key, offset)
    }
    return offset
  }
  const at = (day: string, hour: number) => Date.parse(`${day}T00:00:00Z`) + hour * HOUR - offsetOf(day, hour)
  return {
    now,
    today,
    at,
    dayOf(ms) {
      const guess = new Date(ms).toISOString().slice(0, 10)
      return ms < at(guess, 0) ? addDays(guess, -1) : ms >= at(addDays(guess, 1), 0) ? addDays(guess, 1) : guess
    },
    office(random, day) {
      const wanted = at(day, 9) + Math.floor(random.next() * 9 * HOUR)
      return new Date(Math.min(wanted, now.getTime() - random.int(1, 40) * 60_000)).toISOString()
    },
  }
}

/** The share of completes (0 to 1) by the elapsed part of the field period: a third by a fifth of it, then steady. */
const delivered = (part: number): number => 0.72 * part + 0.281 * (1 - Math.exp(-part / 0.1773))

/** Draws moments of a field period by its curve, weekdays and hours (decisions.md 12), never after now or `last`. */
export function fieldClock(calendar: Calendar, start: string, days: number, last = calendar.today): (random: Random) => number {
  const from = Date.parse(`${start}T00:00:00Z`)
  const nowMs = calendar.now.getTime()
  const slots: { ms: number; span: number }[] = []
  const sums: number[] = []
  let sum = 0
  for (let day = 0; day < days; day++) {
    const date = new Date(from + day * DAY)
    const civil = date.toISOString().slice(0, 10)
    if (civil > calendar.today || civil > last) break
    const share = (delivered((day + 1) / days) - delivered(day / days)) * WEEKDAY[date.getUTCDay()]!
    for (let hour = 0; hour < 24; hour++) {
      const ms = calendar.at(civil, hour)
      const span = Math.min(HOUR, nowMs - 60_000 - ms)
      if (span <= 0) break
      sum += share * HOURS[hour]! * (span / HOUR)
      slots.push({ ms, span })
      sums.push(sum)
    }
  }
  return (random) => {
    if (!slots.length) return nowMs - 60_000
    const wanted = random.next() * sum
    let low = 0
    let high = sums.length - 1
    while (low < high) {
      const middle = (low + high) >> 1
      if (sums[middle]! > wanted) high = middle
      else low = middle + 1
    }
    const slot = slots[low]!
    return slot.ms + Math.floor(random.next() * slot.span)
  }
}
