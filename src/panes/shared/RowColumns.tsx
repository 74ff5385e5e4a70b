// biome-ignore-all lint/a11y/useSemanticElements: rows in columns aren't a table
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus, aria-activedescendant points to the row
// biome-ignore-all lint/a11y/useKeyWithClickEvents: the dispatcher handles keys
import { type ReactNode, useEffect, useId, useImperativeHandle, useRef } from 'react'
import { isGap } from '../../list/flattenRows.ts'
import type { CompactGrid } from '../../list/ListScreen.tsx'
import { cx } from '../../ui/cx.ts'
import { openHow } from '../../ui/grid/columns.ts'
import { SelectionBox } from '../../ui/SelectionBox.tsx'
import { Skeleton } from '../../ui/States.tsx'

/** Rows per column (people-and-catalogue-area 9). */
export const COLUMN = 15

/** Splits row indexes into columns. */
const columnsOf = (length: number): readonly (readonly number[])[] =>
  Array.from({ length: Math.ceil(length / COLUMN) }, (_, column) =>
    Array.from({ length: Math.min(COLUMN, length - column * COLUMN) }, (_, at) => column * COLUMN + at),
  )

/** A list's rows as names in columns of 15, with cursor and selection; `box` replaces a row's checkbox. */
export function RowColumns<Row>({
  grid,
  box: boxOf,
  children,
}: {
  grid: CompactGrid<Row>
  box?: (row: Row) => boolean | 'some'
  children(row: Row): ReactNode
}) {
  const { rows, rowId, cursor, selected, onSelect, onCursor, onOpen, onRange } = grid
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const focus = () => box.current?.focus({ preventScroll: true })
  const scrollTo = (index: number) =>
    box.current?.querySelector(`[aria-rowindex="${index + 1}"]`)?.scrollIntoView({ block: 'nearest' })
  useImperativeHandle(grid.ref, () => ({
    focus,
    scrollTo,
    rowsInView: () => COLUMN,
    visibleColumns: () => grid.columns.map((column) => column.id),
  }))
  const { length } = rows
  useEffect(() => {
    if (length) onRange?.(0, length - 1, 0)
  }, [length, onRange])
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls to the row when the cursor moves
  useEffect(() => void scrollTo(cursor), [cursor])
  const at = rows.at(cursor)
  return (
    <div
      ref={box}
      role="grid"
      aria-label={grid.label}
      aria-rowcount={length}
      aria-colcount={1}
      aria-multiselectable={onSelect || boxOf ? true : undefined}
      aria-activedescendant={at === undefined ? undefined : `${id}-${rowId(at)}`}
      aria-busy={grid.loading || undefined}
      tabIndex={0}
      className={cx(
        'group/grid px-2 py-2 outline-none',
        !grid.fits && 'min-h-0 flex-1 overflow-y-auto short:flex-none',
        grid.loading && length > 0 && 'opacity-60',
      )}
    >
      {length === 0 && (
        <div role="row" aria-rowindex={1}>
          <div role="gridcell">{grid.error ?? (grid.loading ? <Skeleton rows={10} /> : grid.empty)}</div>
        </div>
      )}
      <div
        role="presentation"
        className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,248px),1fr))] gap-x-3 gap-y-4 narrow:gap-y-0"
      >
        {columnsOf(length).map((indexes) => (
          <div key={indexes[0]} role="rowgroup" className="min-w-0">
            {indexes.map((index) => {
              const one = rows.at(index)
              if (one === undefined) return null
              const key = rowId(one)
              const isCursor = index === cursor
              const state = boxOf ? !isGap(one) && boxOf(one.row) : (selected?.has(key) ?? false)
              const selectable = boxOf !== undefined || onSelect !== undefined
              return (
                <div
                  key={key}
                  id={`${id}-${key}`}
                  role="row"
                  aria-rowindex={index + 1}
                  aria-selected={selectable ? state === true : undefined}
                  data-cursor={isCursor || undefined}
                  onClick={(event) => {
                    onCursor(index)
                    focus()
                    onOpen?.(one, openHow(event))
                  }}
                  className={cx(
                    'relative flex h-8 items-center gap-2 rounded-sm pr-2 pl-1.5',
                    isCursor
                      ? 'bg-cursor before:absolute before:inset-y-0 before:left-0 before:w-[3px] before:rounded-sm before:bg-accent before:content-[""] forced-colors:outline'
                      : 'hover:bg-hover',
                  )}
                >
                  {selectable && (
                    <span role="gridcell" className="flex shrink-0">
                      <button
                        type="button"
                        role="checkbox"
                        tabIndex={-1}
                        aria-checked={state === 'some' ? 'mixed' : state}
                        aria-label="Select"
                        onClick={(event) => {
                          event.stopPropagation()
                          onCursor(index)
                          if (boxOf) onOpen?.(one, 'here')
                          else onSelect?.(index, event.shiftKey)
                          focus()
                        }}
                        className="grid size-6 place-items-center"
                      >
                        <SelectionBox state={state} />
                      </button>
                    </span>
                  )}
                  <span role="gridcell" className="flex min-w-0 flex-1 items-center gap-2">
                    {isGap(one) ? (
                      <span className="h-2 w-24 rounded-full bg-track opacity-60" aria-hidden="true" />
                    ) : (
                      children(one.row)
                    )}
                  </span>
                </div>
              )
            })}
          </div>
        ))}
      </div>
    </div>
  )
}
