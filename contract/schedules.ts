import { faultsOf } from './fieldKinds.ts'
import { scheduleFields } from './occasionFields.ts'

/** A part of an event, with civil dates and times: "2026-11-24T14:10". */
export interface ScheduleRow {
  name: string
  start: string
  end: string
}

/** Returns what is wrong with schedules by row: an end before the start, or a time outside the event. */
export function scheduleFaults(
  rows: readonly ScheduleRow[],
  start: string | null | undefined,
  end: string | null | undefined,
): { at: number; message: string }[] {
  return rows.flatMap(({ name, start: from, end: to }, at) => {
    const what = `“${name}”`
    if (from && to && to < from) return [{ at, message: `${what} ends before it starts.` }]
    if ((start && from && from.slice(0, 10) < start) || (end && to && to.slice(0, 10) > end))
      return [{ at, message: `${what} is outside the event.` }]
    return []
  })
}

/** Says what is wrong with schedules, first of all with one by itself. */
export function schedulesFault(rows: readonly ScheduleRow[], start: string | null, end: string | null): string | null {
  for (const row of rows)
    for (const [name, fault] of Object.entries(faultsOf(scheduleFields, { ...row })))
      return name === 'name' ? fault : `“${row.name}”: ${fault}`
  return scheduleFaults(rows, start, end)[0]?.message ?? null
}

/** Returns warnings for overlapping schedules, ordered by start. */
export function overlaps(rows: readonly ScheduleRow[]): string[] {
  const ordered = [...rows].filter(({ start, end }) => start && end).sort((a, b) => (a.start < b.start ? -1 : 1))
  const warnings: string[] = []
  for (const [at, one] of ordered.entries())
    for (const other of ordered.slice(at + 1))
      if (other.start < one.end) warnings.push(`“${one.name}” and “${other.name}” overlap.`)
  return warnings
}
