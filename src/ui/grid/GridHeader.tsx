// biome-ignore-all lint/a11y/useSemanticElements: virtual rows are placed by hand, which table rows cannot be
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid holds the focus, aria-activedescendant names the row
// biome-ignore-all lint/a11y/useKeyWithClickEvents: keys reach rows through the dispatcher, by the grid's controlled props
// biome-ignore-all lint/a11y/useAriaPropsSupportedByRole: the role is grid or treegrid, both have these
// biome-ignore-all lint/a11y/noStaticElementInteractions: a double click is a short way to what a key does
import { ArrowDown, ArrowUp } from 'lucide-react'
import { memo, useRef } from 'react'
import { cx } from '../cx.ts'
import { useRovingFocus } from '../RovingFocus.tsx'
import { SelectionBox } from '../SelectionBox.tsx'
import { type Column, firstDirection, type Placed, type Sort } from './columns.ts'

const sides = { left: 'justify-start', right: 'flex-row-reverse', center: 'justify-center' }

/** Up and down move through the rows. */
const SIDEWAYS = { ArrowRight: 1, ArrowLeft: -1 } as const

type At = { clientX: number }
/** Loads the drag code when a header or its edge is first pressed. A press that ends before that starts no drag. */
function dragging(begin: (drags: typeof import('./headDrag.ts')) => void): void {
  let released = false
  const release = () => {
    released = true
  }
  addEventListener('pointerup', release, { once: true, capture: true })
  addEventListener('pointercancel', release, { once: true, capture: true })
  void import('./headDrag.ts').then((drags) => {
    removeEventListener('pointerup', release, { capture: true })
    removeEventListener('pointercancel', release, { capture: true })
    if (!released) begin(drags)
  })
}

function GridHeaderInner<Row>({
  gridId,
  placed,
  columns,
  narrow,
  sort,
  onSort,
  onResize,
  onMove,
  minWidth,
  selectable,
  selected,
  onSelectAll,
  hasMenu,
}: {
  gridId: string
  /** Called with the width while a column's edge is dragged; null restores the default. */
  onResize: ((column: string, width: number | null) => void) | undefined
  /** Called when a column is dropped before another one, or last (null). */
  onMove: ((column: string, before: string | null) => void) | undefined
  /** The minimum width of the rows if the list scrolls sideways. */
  minWidth: number | undefined
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
  const row = useRef<HTMLDivElement>(null)
  // One tab stop, so that Tab soon leaves the list.
  const keys = useRovingFocus(row, '[data-head] > button', SIDEWAYS)
  const shown = narrow
    ? columns
        .filter((column) => column.sortable || column === columns[0])
        .map((column): Placed<Row> => ({ column, width: 0, index: columns.indexOf(column) + 1 }))
    : placed
  const last = placed.findLast((one) => one.left !== undefined)
  const stays = 'sticky z-10 bg-surface'
  const unshown = columns.filter((column) => !shown.some((one) => one.column === column))
  const edge = (head: HTMLElement, { clientX }: At, column: Column<Row>) =>
    dragging(({ dragEdge }) => dragEdge(head, clientX, (width) => onResize?.(column.id, width)))
  const carry = (head: HTMLElement, { clientX }: At, column: Column<Row>) =>
    dragging(({ dragHead }) => dragHead(head, clientX, (before) => onMove?.(column.id, before)))
  return (
    <div role="rowgroup" className={cx('sticky top-0 z-20 bg-surface', narrow && 'narrow:hidden')} style={{ minWidth }}>
      <div
        ref={row}
        role="row"
        aria-rowindex={1}
        onKeyDown={keys}
        className="flex h-8 items-stretch border-b border-line text-meta text-muted group-focus-visible/grid:shadow-[inset_0_-2px_0_var(--accent)]"
      >
        {selectable && (
          <span role="columnheader" aria-colindex={1} className={cx('flex w-10 shrink-0', last && cx(stays, 'left-0'))}>
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
          {shown.map(({ column, width, index, left }) => {
            const sorted = sort?.column === column.id ? sort.direction : undefined
            const Arrow = sorted === 'desc' ? ArrowDown : ArrowUp
            return (
              <span
                key={column.id}
                id={`${gridId}-h-${column.id}`}
                data-head={column.id}
                role="columnheader"
                aria-colindex={index + offset}
                aria-sort={sorted ? (sorted === 'asc' ? 'ascending' : 'descending') : column.sortable ? 'none' : undefined}
                onPointerDown={
                  onMove && !narrow
                    ? (event) => event.button === 0 && event.pointerType === 'mouse' && carry(event.currentTarget, event, column)
                    : undefined
                }
                className={cx(
                  left === undefined ? 'relative' : cx(stays, column === last?.column && 'border-r border-line'),
                  'group/head flex min-w-0 shrink-0 items-center font-medium data-[drop=after]:shadow-[inset_-2px_0_0_var(--accent)] data-[drop=before]:shadow-[inset_2px_0_0_var(--accent)]',
                  !selectable && index === 1 && 'pl-2',
                )}
                style={narrow ? undefined : { width, left }}
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
                    <span className="relative flex min-w-0 items-center gap-1">
                      <span className="truncate">{column.header}</span>
                      {sorted && (
                        // In a right-aligned header the arrow may overlap the padding, so that the word isn't cut.
                        <Arrow
                          size={12}
                          aria-hidden="true"
                          className={cx('shrink-0', column.align === 'right' && 'absolute right-full')}
                        />
                      )}
                    </span>
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
                {onResize && !narrow && (
                  <span
                    data-edge=""
                    aria-hidden="true"
                    onPointerDown={(event) => {
                      if (event.button !== 0) return
                      event.stopPropagation()
                      event.preventDefault()
                      edge(event.currentTarget.parentElement!, event, column)
                    }}
                    onDoubleClick={() => onResize(column.id, null)}
                    className="-right-1 absolute inset-y-0 z-10 w-2 cursor-col-resize touch-none after:absolute after:inset-y-1.5 after:left-1/2 after:w-px after:bg-transparent after:content-[''] hover:after:bg-accent group-hover/head:after:bg-edge"
                  />
                )}
              </span>
            )
          })}
        </span>
        {/* As wide as some text: useNeeds watches it. */}
        <span data-probe="" aria-hidden="true" className="invisible absolute top-0 left-0 whitespace-pre">
          0000000000
        </span>
        {unshown.length > 0 && (
          // Rows refer to it for their accessible names, which include column headings.
          <span role="presentation" hidden>
            {unshown.map((column) => (
              <span key={column.id} id={`${gridId}-h-${column.id}`}>
                {column.header}
              </span>
            ))}
          </span>
        )}
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
