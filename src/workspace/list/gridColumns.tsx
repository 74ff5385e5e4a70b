import type { Column } from '../../ui/grid/columns.ts'
import { type Gap, type Item, isGap } from './shown.ts'

type One<Row> = Item<Row> | Gap

/** A list's columns as the grid draws them: a row that is not loaded yet is a bar in each cell, and can't be edited. */
export const gridColumns = <Row,>(columns: readonly Column<Row>[]): readonly Column<One<Row>>[] =>
  columns.map(({ render, edit, ...column }) => ({
    ...column,
    render: (one) =>
      isGap(one) ? <span aria-hidden="true" className="inline-block h-2 w-3/5 rounded bg-line" /> : render(one.row),
    ...(edit
      ? {
          edit: {
            ...edit,
            value: (one: One<Row>) => (isGap(one) ? '' : edit.value(one.row)),
            save: (one: One<Row>, value: string) => (isGap(one) ? undefined : edit.save(one.row, value)),
          },
        }
      : {}),
  }))
