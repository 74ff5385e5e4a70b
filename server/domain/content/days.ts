import { addDays } from '../../../contract/pacing.ts'

const formats = new Map<string, Intl.DateTimeFormat>()

/** A zone's offset from UTC at a moment, in milliseconds. */
function ahead(zone: string, moment: number): number {
  let format = formats.get(zone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' })
    formats.set(zone, format)
  }
  const offset = format.formatToParts(moment).find((part) => part.type === 'timeZoneName')?.value ?? ''
  const [, sign, hours, minutes] = /GMT([+-])(\d\d):(\d\d)/.exec(offset) ?? []
  return sign ? (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000 : 0
}

/** The moment at which a civil day begins in a zone, as ISO text. */
export function dayStart(day: string, zone: string): string {
  const midnight = Date.parse(`${day}T00:00:00Z`)
  // The zone's offset may change between the guess and the start of the day.
  const guess = midnight - ahead(zone, midnight)
  return new Date(midnight - ahead(zone, guess)).toISOString()
}

/** The following civil day. */
export const dayAfter = (day: string): string => addDays(day, 1)
