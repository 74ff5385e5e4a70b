// biome-ignore-all lint/a11y/useSemanticElements: virtual rows are placed by hand, which table rows cannot be
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid holds the focus, aria-activedescendant names the row
// biome-ignore-all lint/a11y/useKeyWithClickEvents: keys reach rows through the dispatcher, by the grid's controlled props
// biome-ignore-all lint/a11y/useAriaPropsSupportedByRole: the role is grid or treegrid, both have these
// biome-ignore-all lint/a11y/noStaticElementInteractions: a double click is a short way to what a key does
import { ArrowDown, ArrowUp } from 'lucide-react'
import { memo } from 'react'
import { cx } from '../cx.ts'
import { SelectionBox } from '../SelectionBox.tsx'
import { type Column, firstDirection, type Placed, type Sort } from './columns.ts'

const sides = { left: 'justify-start', right: 'flex-row-reverse', center: 'justify-center' }

function GridHeaderInner<Row>({
  placed,
  columns,
  narrow,
  sort,
  onSort,
  selectable,
  selected,
  onSelectAll,
  hasMenu,
}: {
  placed: readonly Placed<Row>[]
  columns: readonly Column<Row>[]
  narrow: boolean
  sort: Sort | undefined
  onSort: ((column: string, first: Sort['direction']) => void) | undefined
  selectable: boolean
  selected: boolean | 'some'
  onSelectAll: (() => void) | undefined
  hasMenu: boolean
}) {
  const offset = selectable ? 1 : 0
  const shown = narrow
    ? columns
        .filter((column) => column.sortable || column === columns[0])
        .map((column) => ({ column, width: 0, index: columns.indexOf(column) + 1 }))
    : placed
  return (
    <div role="rowgroup" className="sticky top-0 z-20 bg-surface narrow:hidden">
      <div
        role="row"
        aria-rowindex={1}
        className="flex h-8 items-stretch border-b border-line text-meta text-muted group-focus-visible/grid:shadow-[inset_0_-2px_0_var(--accent)]"
      >
        {selectable && (
          <span role="columnheader" aria-colindex={1} className="flex w-10 shrink-0">
            <button
              type="button"
              role="checkbox"
              tabIndex={-1}
              aria-label="Select all"
              aria-checked={selected === 'some' ? 'mixed' : selected}
              onClick={onSelectAll}
              className="grid w-full place-items-center pl-1.5"
            >
              <SelectionBox state={selected} />
            </button>
          </span>
        )}
        <span role="presentation" className={cx('flex min-w-0', narrow && 'flex-1 overflow-x-auto [scrollbar-width:none]')}>
          {shown.map(({ column, width, index }) => {
            const sorted = sort?.column === column.id ? sort.direction : undefined
            const Arrow = sorted === 'desc' ? ArrowDown : ArrowUp
            return (
              <span
                key={column.id}
                role="columnheader"
                aria-colindex={index + offset}
                aria-sort={sorted ? (sorted === 'asc' ? 'ascending' : 'descending') : column.sortable ? 'none' : undefined}
                className={cx('flex min-w-0 shrink-0 items-center font-medium', !selectable && index === 1 && 'pl-2')}
                style={narrow ? undefined : { width }}
              >
                {column.sortable && onSort ? (
                  <button
                    type="button"
                    onClick={() => onSort(column.id, firstDirection(column))}
                    className={cx(
                      'flex h-full min-w-0 flex-1 items-center gap-1 px-2 font-medium -outline-offset-2 hover:text-ink',
                      sides[column.align ?? 'left'],
                      sorted && 'text-ink',
                    )}
                  >
                    <span className="truncate">{column.header}</span>
                    {sorted && <Arrow size={12} aria-hidden="true" className="shrink-0" />}
                  </button>
                ) : (
                  <span
                    className={cx(
                      'w-full truncate px-2',
                      column.align === 'right' && 'text-right',
                      column.align === 'center' && 'text-center',
                    )}
                  >
                    {column.header}
                  </span>
                )}
              </span>
            )
          })}
        </span>
        {hasMenu && (
          <span role="columnheader" aria-colindex={columns.length + 1 + offset} className="w-10 shrink-0">
            <span className="sr-only">Actions</span>
          </span>
        )}
      </div>
    </div>
  )
}

/** The sticky header: each column shows its sort and sorts on click; the first box selects all. */
export const GridHeader = memo(GridHeaderInner) as typeof GridHeaderInner
