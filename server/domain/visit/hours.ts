/** Encodes visits by hour: one varint each, 24 for a day, 168 for a week from Monday. */
export function hoursBytes(counts: ArrayLike<number>): Uint8Array {
  const bytes: number[] = []
  for (let at = 0; at < counts.length; at++) {
    let left = counts[at]!
    while (left >= 128) {
      bytes.push((left % 128) | 128)
      left = Math.floor(left / 128)
    }
    bytes.push(left)
  }
  return Uint8Array.from(bytes)
}

/** Adds encoded visits by hour to counts, from this index on. */
export function addHours(counts: number[] | Float64Array, bytes: Uint8Array, from = 0): void {
  let at = from
  let value = 0
  let factor = 1
  for (const byte of bytes) {
    value += (byte & 127) * factor
    if (byte & 128) factor *= 128
    else {
      counts[at]! += value
      at++
      value = 0
      factor = 1
    }
  }
}

/** The hours of a week. */
export const WEEK_HOURS = 168
/** The index of a day's first hour in a week from Monday; 1970 started on a Thursday. */
export const weekHour = (day: number): number => ((((day + 3) % 7) + 7) % 7) * 24
