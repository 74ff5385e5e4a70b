// biome-ignore-all lint/a11y/useSemanticElements: virtual rows are placed by hand, which table rows cannot be
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid holds the focus, aria-activedescendant names the row
// biome-ignore-all lint/a11y/useKeyWithClickEvents: keys reach rows through the dispatcher, by the grid's controlled props
// biome-ignore-all lint/a11y/useAriaPropsSupportedByRole: the role is grid or treegrid, both have these
// biome-ignore-all lint/a11y/noStaticElementInteractions: a double click is a short way to what a key does
import { ChevronRight } from 'lucide-react'
import { type CSSProperties, type MouseEvent, memo, type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { cx } from '../cx.ts'
import { loadable } from '../loadable.tsx'
import { SelectionBox } from '../SelectionBox.tsx'
import type { Column, Placed } from './columns.ts'

/** What rows call on their grid. It is one object for the grid's lifetime, so that rows stay memoized. */
export type RowActions<Row> = {
  click: (index: number, event: MouseEvent) => void
  select: (index: number, range: boolean) => void
  expand: (index: number) => void
  edit: (index: number, column: string | null) => void
  menu: (row: Row) => ReactNode
  /** The URL that the row's name links to; null for rows that don't open. */
  href: (row: Row) => string | null
  /** Opens the row in a background tab (middle button). */
  behind: (index: number) => void
  focus: () => void
  /** Called when an edited cell leaves the list with unsaved text. */
  lost: (typed: string) => void
}

/** Loaded on demand; the caller buffers keys until then. */
export const InlineEdit = loadable(() => import('../InlineEdit.tsx').then((module) => module.InlineEdit))

type Props<Row> = {
  id: string
  gridId: string
  /** The column of the cell under the cursor, in the cursor's row. */
  cell: string | null
  row: Row
  index: number
  ariaIndex: number
  top: number
  height: number
  placed: readonly Placed<Row>[]
  narrow: boolean
  columns: readonly Column<Row>[]
  isCursor: boolean
  isSelected: boolean
  selectable: boolean
  level: number | undefined
  expanded: boolean | undefined
  tree: boolean
  editing: string | null
  hasMenu: boolean
  actions: RowActions<Row>
}

const sides = { left: 'text-left', right: 'text-right tabular-nums', center: 'text-center' }

/** A cell that stays while the list scrolls sideways hides the cells that scroll below it. */
const STAYS = 'sticky z-10 bg-inherit'
/** The cursor's bar, on the cell that covers the row's own. */
const BAR = 'shadow-[inset_3px_0_0_var(--accent)]'

function GridRowInner<Row>(props: Props<Row>) {
  const { row, index, placed, narrow, actions, isCursor, isSelected, selectable, hasMenu, level = 1 } = props
  const offset = selectable ? 1 : 0
  const lead = narrow ? props.columns.find((column) => column.narrow === 'lead') : undefined
  const style: CSSProperties = { height: props.height, top: props.top }
  const stays = placed.some((one) => one.left !== undefined)
  const last = placed.findLast((one) => one.left !== undefined)
  const neighbour = (column: Column<Row>, step: 1 | -1) => {
    const visible = narrow ? [] : placed.map((one) => one.column).filter((one) => one.edit)
    return visible[visible.indexOf(column) + step]
  }
  const cell = (column: Column<Row>) =>
    props.editing === column.id && column.edit ? (
      <EditCell
        column={column}
        row={row}
        onLost={actions.lost}
        onDone={(_saved, step) => {
          const next = step && neighbour(column, step)
          actions.edit(index, next ? next.id : null)
          if (!next) actions.focus()
        }}
      />
    ) : (
      column.render(row)
    )
  const href = props.columns.some((column) => column.name) ? actions.href(row) : null
  const drawn = (column: Column<Row>) =>
    column.name && href && !column.linksItself?.(row) && props.editing !== column.id ? (
      <a
        href={href}
        tabIndex={-1}
        data-view=""
        // Lets a drag select the text.
        draggable={false}
        onClick={(event) => event.preventDefault()}
        onAuxClick={(event) => {
          if (event.button !== 1) return
          event.preventDefault()
          actions.behind(index)
        }}
        className="block w-fit max-w-full truncate decoration-edge underline-offset-4 hover:underline"
      >
        {cell(column)}
      </a>
    ) : (
      cell(column)
    )
  // Only the cursor's row has ids, because only its cells are named by the grid.
  const idOf = (column: Column<Row>) => (isCursor ? `${props.id}-${column.id}` : undefined)
  const textOf = (column: Column<Row>) => (isCursor ? `${props.id}-${column.id}-text` : undefined)
  const spoken = narrow ? narrowColumns(props.columns) : placed.map(({ column }) => column)
  const first = placed[0]
  // A cell is one element, unless its text is beside the tree's button or is being edited.
  const isSplit = (column: Column<Row>) => (props.tree && column === first?.column) || props.editing === column.id
  const named = isCursor
    ? spoken
        .flatMap((column) => [
          ...(column.name ? [] : [`${props.gridId}-h-${column.id}`]),
          narrow || isSplit(column) ? textOf(column)! : idOf(column)!,
        ])
        .join(' ')
    : undefined
  const whole = useRef<HTMLDivElement>(null)
  // A heading without a value tells nothing.
  useLayoutEffect(() => {
    if (!named || !whole.current) return
    const filled = named.split(' ').filter((id, at, all) => {
      const text = document.getElementById(id.includes('-h-') ? all[at + 1]! : id)?.textContent
      return text !== '' && text !== '–'
    })
    whole.current.setAttribute('aria-labelledby', filled.join(' '))
  })
  const editable = (column: Column<Row>) => (column.edit ? () => actions.edit(index, column.id) : undefined)
  const twist =
    props.tree &&
    (props.expanded === undefined ? (
      <span className="w-5 shrink-0" style={{ marginLeft: (level - 1) * 16 }} />
    ) : (
      <button
        type="button"
        tabIndex={-1}
        data-view=""
        aria-label={props.expanded ? 'Collapse' : 'Expand'}
        onClick={(event) => {
          event.stopPropagation()
          actions.expand(index)
        }}
        className="-ml-1 grid size-6 shrink-0 place-items-center rounded-sm text-muted hover:text-ink"
        style={{ marginLeft: (level - 1) * 16 - 4 }}
      >
        <ChevronRight size={14} aria-hidden="true" className={cx('transition-transform', props.expanded && 'rotate-90')} />
      </button>
    ))

  return (
    <div
      ref={whole}
      id={props.id}
      role="row"
      aria-rowindex={props.ariaIndex}
      aria-labelledby={named}
      aria-selected={selectable ? isSelected : undefined}
      aria-level={props.tree ? level : undefined}
      aria-expanded={props.expanded}
      data-cursor={isCursor || undefined}
      onClick={(event) => actions.click(index, event)}
      className={cx(
        'absolute inset-x-0 flex items-stretch border-b border-line',
        // `contain` limits layout and paint to the row; an editor may extend beyond it.
        props.editing ? 'z-10' : '[contain:strict]',
        isCursor
          ? 'bg-cursor before:absolute before:inset-y-0 before:left-0 before:w-[3px] before:bg-accent before:content-[""] forced-colors:outline'
          : isSelected
            ? 'bg-[color-mix(in_oklab,var(--cursor)_45%,var(--surface))] hover:bg-hover'
            : cx('hover:bg-hover', stays && 'bg-surface'),
      )}
      style={style}
    >
      {selectable && (
        <span
          role="gridcell"
          aria-colindex={1}
          className={cx('flex w-10 shrink-0', stays && cx(STAYS, 'left-0', isCursor && BAR))}
        >
          <button
            type="button"
            role="checkbox"
            tabIndex={-1}
            aria-checked={isSelected}
            aria-label="Select"
            onClick={(event) => {
              event.stopPropagation()
              actions.select(index, event.shiftKey)
            }}
            className="grid w-full place-items-center pl-1.5"
          >
            <SelectionBox state={isSelected} />
          </button>
        </span>
      )}
      {narrow ? (
        <span
          role="gridcell"
          data-narrow=""
          aria-colindex={1 + offset}
          className={cx(
            'flex min-w-0 flex-1 flex-col justify-center gap-0.5',
            selectable ? 'pl-0.5' : 'pl-4',
            !hasMenu && 'pr-3',
          )}
        >
          <span className="flex items-center gap-2">
            {twist}
            {first && (
              // A message about the edited cell extends beyond it.
              <span
                className={cx(lead ? 'shrink-0' : 'min-w-0 flex-1', props.editing !== first.column.id && 'truncate')}
                id={textOf(first.column)}
                onDoubleClick={editable(first.column)}
              >
                {drawn(first.column)}
              </span>
            )}
            {lead && (
              <span
                id={textOf(lead)}
                className={cx('min-w-0 flex-1', props.editing !== lead.id && 'truncate')}
                onDoubleClick={editable(lead)}
              >
                {drawn(lead)}
              </span>
            )}
            {props.columns
              .filter((column) => column.narrow === 'aside')
              .map((column) => (
                <span key={column.id} id={textOf(column)} className="shrink-0">
                  {cell(column)}
                </span>
              ))}
          </span>
          <span
            className={cx('flex items-center gap-3 overflow-hidden whitespace-nowrap text-meta text-muted', props.tree && 'pl-7')}
          >
            {metaColumns(props.columns).map((column) => (
              <span
                key={column.id}
                id={textOf(column)}
                ref={(meta) => fitMeta(meta)}
                className="min-w-0 shrink truncate not-first:last:max-w-2/3 not-first:last:shrink-0 has-data-whole:max-w-none has-data-whole:shrink-0 data-short:shrink-0 empty:hidden"
              >
                {cell(column)}
              </span>
            ))}
          </span>
        </span>
      ) : (
        placed.map(({ column, width, index: at, left }) => (
          <span
            key={column.id}
            role="gridcell"
            id={idOf(column)}
            aria-colindex={at + offset}
            data-cell={props.cell === column.id || undefined}
            data-of={column.id}
            data-editing={props.editing === column.id || undefined}
            onDoubleClick={editable(column)}
            // A long name is cut at its end, in whatever direction it is written.
            dir={isSplit(column) ? undefined : 'auto'}
            className={cx(
              'shrink-0 px-2',
              left !== undefined && cx(STAYS, column === last?.column && 'border-r border-line'),
              left === 0 && isCursor && BAR,
              isSplit(column) ? 'flex items-center' : 'content-center truncate',
              props.cell === column.id && 'rounded-sm shadow-[inset_0_0_0_1.5px_var(--accent)] forced-colors:outline',
              sides[column.align ?? 'left'],
              !selectable && column === first?.column && 'pl-4',
            )}
            style={{ width, left }}
          >
            {column === first?.column && twist}
            {isSplit(column) ? (
              <span
                id={textOf(column)}
                dir="auto"
                className={cx('min-w-0 max-w-full', props.editing === column.id ? 'flex-1' : 'truncate')}
              >
                {drawn(column)}
              </span>
            ) : (
              drawn(column)
            )}
          </span>
        ))
      )}
      {hasMenu && (
        <span
          role="gridcell"
          aria-colindex={props.columns.length + 1 + offset}
          onClick={(event) => event.stopPropagation()}
          className="grid w-10 shrink-0 place-items-center"
        >
          {actions.menu(row)}
        </span>
      )}
    </div>
  )
}

/** An edited cell; saves against the row as it was when editing began, so no other change is overwritten unseen. */
function EditCell<Row>({
  column,
  row,
  onDone,
  onLost,
}: {
  column: Column<Row>
  row: Row
  onDone: (saved: boolean, step?: 1 | -1) => void
  onLost: (typed: string) => void
}) {
  const [initial] = useState(row)
  const { kind, value, options, keeps, save } = column.edit!
  return (
    <InlineEdit
      kind={kind}
      initial={value(initial)}
      now={value(row)}
      options={options}
      label={column.header}
      {...(keeps ? { keeps } : {})}
      // Several lines hang down from the row, because the first row's would be behind the header.
      {...(kind === 'lines' ? { className: 'h-6' } : {})}
      save={(typed) => save(initial, typed)}
      onDone={onDone}
      onLost={onLost}
    />
  )
}

/** The columns shown in a two-line row, in order. */
export function narrowColumns<Row>(columns: readonly Column<Row>[]): readonly Column<Row>[] {
  const meta = metaColumns(columns)
  return columns.filter(
    (column, at) => at === 0 || column.narrow === 'lead' || column.narrow === 'aside' || meta.includes(column),
  )
}

/** A narrow row's second line: the columns marked `meta`, else the three of highest priority. */
function metaColumns<Row>(columns: readonly Column<Row>[]): readonly Column<Row>[] {
  const marked = columns.filter((column) => column.narrow === 'meta')
  if (marked.length) return marked
  return columns
    .slice(1)
    .filter((column) => column.narrow === undefined)
    .sort((a, b) => (b.priority ?? 0) - (a.priority ?? 0))
    .slice(0, 3)
}

/** A text of up to this many characters keeps its width beside longer ones. */
const SHORT = 10
/** Hides a dash, which tells nothing without its column's heading, and marks short texts, which aren't cut. */
function fitMeta(meta: HTMLElement | null): void {
  if (!meta) return
  meta.toggleAttribute('hidden', meta.textContent === '–')
  meta.toggleAttribute('data-short', meta.textContent.length <= SHORT)
}

/** A grid row: one line of cells, or two lines in a narrow list. */
export const GridRow = memo(GridRowInner) as typeof GridRowInner
