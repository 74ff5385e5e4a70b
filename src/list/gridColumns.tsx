import { count } from '../../contract/format.ts'
import { ApiError, underName } from '../data/api.ts'
import { ConcurrentEditError } from '../ui/concurrentEditError.ts'
import { cx } from '../ui/cx.ts'
import type { Column } from '../ui/grid/columns.ts'
import { type Gap, type Item, isGap } from './flattenRows.ts'

type One<Row> = Item<Row> | Gap
type Edit<Row> = NonNullable<Column<Row>['edit']>

/**
 * Saves a cell. Somebody else changed the record meanwhile: what they did to other fields is no clash, and mine goes on top of it; of the
 * same field both versions are for the person to choose from. Throws Clash, or what the server said.
 */
export async function saveCell<Row>(edit: Edit<Row>, row: Row, value: string): Promise<void> {
  try {
    await underName(`“${edit.value(row)}” became “${value}”`, () => edit.save(row, value))
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'stale' || !error.more.theirs) throw error
    const theirs = { ...row, ...(error.more.theirs as Partial<Row>) }
    const now = edit.value(theirs)
    if (now === value) return
    if (now === edit.value(row)) return saveCell(edit, theirs, value)
    throw new ConcurrentEditError(now, (kept) => saveCell(edit, theirs, kept))
  }
}

/** In rem: a cell is as wide as what is in it, and shares of that are nothing. */
const WIDTHS = ['w-16', 'w-10', 'w-12', 'w-20', 'w-8']
/** A cell of a row that is not loaded yet: a bar; before the first one the row's number, so that a drag of the scroll bar shows where it is. */
function GapCell({ gap, at }: { gap: number; at: number }) {
  const bar = (
    <span
      aria-hidden="true"
      data-gap=""
      className={cx('inline-block h-2 rounded-full bg-track opacity-60', WIDTHS[(gap * 3 + at * 2) % WIDTHS.length])}
    />
  )
  if (at > 0) return bar
  return (
    <span className="flex items-center gap-2.5 text-faint tabular-nums">
      {count(gap + 1)}
      <span className="sr-only">is loading</span>
      {bar}
    </span>
  )
}
/** A list's columns as the grid draws them: a row that is not loaded yet is its number and a bar in each cell, and can't be edited. */
export const gridColumns = <Row,>(columns: readonly Column<Row>[]): readonly Column<One<Row>>[] =>
  columns.map(({ render, edit, ...column }, at) => ({
    ...column,
    render: (one) => (isGap(one) ? <GapCell gap={one.gap} at={at} /> : render(one.row)),
    ...(edit
      ? {
          edit: {
            ...edit,
            value: (one: One<Row>) => (isGap(one) ? '' : edit.value(one.row)),
            save: (one: One<Row>, value: string) => (isGap(one) ? undefined : saveCell(edit, one.row, value)),
          },
        }
      : {}),
  }))
