import type { Subject } from '../commands/subject.ts'
import { type FlatRows, isGap } from './flattenRows.ts'
import type { RowLoader } from './rowLoader.ts'

/** How many rows to read at a time, and how many at most. */
const STRETCH = 500
const FURTHEST = 20_000

interface Parts<Row extends object> {
  shown: FlatRows<Row>
  /** The index to start after. */
  from: number
  loader: RowLoader<Row>
  subjectOf: (row: Row) => Subject
  test: (subject: Subject) => boolean
  signal: AbortSignal
}

/** Finds the next row that passes a test, wrapping around; -1 if there is none. */
export async function findNextRow<Row extends object>(parts: Parts<Row>): Promise<number> {
  const { shown, from } = parts
  const below = await seekBetween(parts, from + 1, shown.length)
  return below >= 0 ? below : seekBetween(parts, 0, Math.min(from + 1, shown.length))
}

/** Searches a range of rows, and reads those that aren't loaded. */
async function seekBetween<Row extends object>(
  { shown, loader, subjectOf, test, signal }: Parts<Row>,
  first: number,
  end: number,
): Promise<number> {
  for (let at = first; at < Math.min(end, first + FURTHEST); at++) {
    const item = shown.at(at)
    if (!item) return -1
    if (!isGap(item)) {
      if (test(item.subject)) return at
      continue
    }
    const record = shown.recordAt(at)
    const last = Math.min(record + STRETCH, shown.recordAt(end - 1) + 1) - 1
    const rows = await loader.stretch(record, last, signal)
    const found = rows.findIndex((row) => test(subjectOf(row)))
    if (found >= 0) return shown.indexAt(record + found)
    at = shown.indexAt(last)
  }
  return -1
}
