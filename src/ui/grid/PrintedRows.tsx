import { count } from '../../../contract/format.ts'
import { cx } from '../cx.ts'
import type { Column, RowId } from './columns.ts'

const sides = { left: 'text-left', right: 'text-right tabular-nums', center: 'text-center' }

/** The loaded rows as a plain table whose header repeats on each page and whose rows aren't split. */
export function PrintedRows<Row>({
  label,
  columns,
  rows,
  rowId,
  all,
  levelOf,
}: {
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowId: (row: Row) => RowId
  /** The number of rows, loaded or not. */
  all: number
  levelOf?: ((row: Row) => number) | undefined
}) {
  return (
    <>
      {rows.length < all && (
        <p className="py-2 text-meta text-muted">
          {count(rows.length)} of {count(all)} rows: the ones loaded so far
        </p>
      )}
      <table aria-label={label} className="w-full border-collapse text-meta">
        <thead>
          <tr className="border-b border-edge text-muted">
            {columns.map((column) => (
              <th
                key={column.id}
                scope="col"
                className={cx('px-1.5 py-1 font-medium', sides[column.align ?? 'left'], column.name && 'min-w-36')}
              >
                {column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={String(rowId(row))} className="border-b border-line align-top">
              {columns.map((column, at) => (
                <td
                  key={column.id}
                  className={cx('px-1.5 py-1', sides[column.align ?? 'left'])}
                  style={at === 0 && levelOf ? { paddingLeft: 6 + (levelOf(row) - 1) * 16 } : undefined}
                >
                  {column.render(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}
