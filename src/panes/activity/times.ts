/** Times of day in ten-minute steps: "00:00" to "23:50". */
export const TIMES: readonly string[] = Array.from({ length: 144 }, (_, at) => clock(at * 10))

function clock(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
}

/** Parses "14:10", "1410", "2p", "2:30 pm" or "9" to HH:MM; null for anything else. */
export function readTime(typed: string): string | null {
  const text = typed
    .trim()
    .toLowerCase()
    .replace(/\s+|\./g, '')
  const parts = /^(\d{1,2})(?::?(\d{2}))?(a|p|am|pm)?$/.exec(text)
  if (!parts) return null
  const [, first, second = '0', half] = parts
  let hour = Number(first)
  const minute = Number(second)
  if (half) {
    if (hour < 1 || hour > 12) return null
    hour = (hour % 12) + (half.startsWith('p') ? 12 : 0)
  }
  return hour > 23 || minute > 59 ? null : clock(hour * 60 + minute)
}
