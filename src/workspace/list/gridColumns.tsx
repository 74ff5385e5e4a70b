import { ApiError } from '../../data/api.ts'
import type { Column } from '../../ui/grid/columns.ts'
import { Clash } from '../../ui/InlineEdit.tsx'
import { type Gap, type Item, isGap } from './shown.ts'

type One<Row> = Item<Row> | Gap
type Edit<Row> = NonNullable<Column<Row>['edit']>

/**
 * Saves a cell. Somebody else changed the record meanwhile: what they did to other fields is no clash, and mine goes on top of it; of the
 * same field both versions are for the person to choose from. Throws Clash, or what the server said.
 */
export async function saveCell<Row>(edit: Edit<Row>, row: Row, value: string): Promise<void> {
  try {
    await edit.save(row, value)
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'stale' || !error.more.theirs) throw error
    const theirs = { ...row, ...(error.more.theirs as Partial<Row>) }
    const now = edit.value(theirs)
    if (now === value) return
    if (now === edit.value(row)) return saveCell(edit, theirs, value)
    throw new Clash(now, (kept) => saveCell(edit, theirs, kept))
  }
}

/** A list's columns as the grid draws them: a row that is not loaded yet is a bar in each cell, and can't be edited. */
export const gridColumns = <Row,>(columns: readonly Column<Row>[]): readonly Column<One<Row>>[] =>
  columns.map(({ render, edit, ...column }) => ({
    ...column,
    render: (one) =>
      isGap(one) ? <span aria-hidden="true" data-gap="" className="inline-block h-2 w-3/5 rounded bg-line" /> : render(one.row),
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
