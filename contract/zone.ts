// Creating a formatter takes a hundred times as long as using it.
const formats = new Map<string, Intl.DateTimeFormat>()

/** A zone's offset from UTC at a moment, in ms; by the parts of its local time, which no locale can spell otherwise. */
export function zoneOffset(at: number, timeZone: string): number {
  let format = formats.get(timeZone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      ...{ timeZone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric' },
      ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
    })
    formats.set(timeZone, format)
  }
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {}
  for (const { type, value } of format.formatToParts(at)) parts[type] = Number(value)
  const local = Date.UTC(parts.year!, parts.month! - 1, parts.day, parts.hour, parts.minute, parts.second)
  return local - Math.floor(at / 1000) * 1000
}
