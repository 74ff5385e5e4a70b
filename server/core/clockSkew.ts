/** How far (ms) the clocks of several servers may differ. A stored moment beyond that is of a clock that was ahead. */
export const SKEW_MS = 60_000

/**
 * The last moment that a limit counts, as ISO text. Limits leave out what a clock that was ahead stored beyond it.
 * Otherwise a clock that was a day ahead would lock people out for a day longer.
 */
export const countedUntil = ({ now }: { now: string }): string => new Date(Date.parse(now) + SKEW_MS).toISOString()

/** True if a moment lies within the last milliseconds; one ahead of the clock doesn't. */
export function isWithin(moment: string | null | undefined, now: string, milliseconds: number): boolean {
  if (!moment) return false
  const since = Date.parse(now) - Date.parse(moment)
  return since < milliseconds && since >= -SKEW_MS
}
