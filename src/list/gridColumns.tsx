import { count } from '../../contract/format.ts'
import { ApiError, underName } from '../data/api.ts'
import { ConcurrentEditError } from '../ui/concurrentEditError.ts'
import { cx } from '../ui/cx.ts'
import type { Column } from '../ui/grid/columns.ts'
import { announce } from '../workspace/announce.ts'
import { type Gap, type Item, isGap } from './flattenRows.ts'

type One<Row> = Item<Row> | Gap
type Edit<Row> = NonNullable<Column<Row>['edit']>

/**
 * Saves a cell. If another user changed other fields, saves on top; if they changed the same field, throws.
 * Throws ConcurrentEditError with both versions, or the server's error.
 */
export async function saveCell<Row>(edit: Edit<Row>, row: Row, value: string): Promise<void> {
  try {
    await underName(`“${edit.value(row)}” became “${value}”`, () => edit.save(row, value))
    announce(() => 'Saved.')
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'stale' || !error.more.theirs) throw error
    const theirs = { ...row, ...(error.more.theirs as Partial<Row>) }
    const now = edit.value(theirs)
    if (now === value) return
    if (now === edit.value(row)) return saveCell(edit, theirs, value)
    throw new ConcurrentEditError(now, (kept) => saveCell(edit, theirs, kept))
  }
}

/** Fixed widths, because a cell's width depends on its content and percentages mean nothing. */
const WIDTHS = ['w-16', 'w-10', 'w-12', 'w-20', 'w-8']
/** A cell that isn't loaded: a bar, in the first column with the row's number, to orient dragging the scroll bar. */
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
/** Adapts a list's columns for the grid: rows that aren't loaded show number and bars, and can't be edited. */
export const gridColumns = <Row,>(columns: readonly Column<Row>[]): readonly Column<One<Row>>[] =>
  columns.map(({ render, edit, linksItself, ...column }, at) => ({
    ...column,
    render: (one) => (isGap(one) ? <GapCell gap={one.gap} at={at} /> : render(one.row)),
    ...(linksItself ? { linksItself: (one: One<Row>) => !isGap(one) && linksItself(one.row) } : {}),
    ...(edit
      ? {
          edit: {
            ...edit,
            value: (one: One<Row>) => (isGap(one) ? '' : edit.value(one.row)),
            refused: (one: One<Row>) => (isGap(one) ? null : (edit.refused?.(one.row) ?? null)),
            save: (one: One<Row>, value: string) => (isGap(one) ? undefined : saveCell(edit, one.row, value)),
          },
        }
      : {}),
  }))
