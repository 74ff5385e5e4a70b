// biome-ignore-all lint/a11y/useSemanticElements: fieldsets are for form controls, and these rows take the focus
import { Fragment, type ReactNode, useCallback, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { type Field, type Fields, shortLabelOf, textOf, textsOf, wordsOf } from '../../../contract/fieldKinds.ts'
import { count, longDate } from '../../../contract/format.ts'
import type { ListController } from '../../commands/workspaceApi.ts'
import { saveCell } from '../../list/gridColumns.tsx'
import { toast } from '../../runner/toast.tsx'
import { cx } from '../../ui/cx.ts'
import type { Column } from '../../ui/grid/columns.ts'
import { InlineEdit } from '../../ui/grid/GridRow.tsx'
import { WebLink } from '../../ui/WebLink.tsx'
import { workspace } from '../../workspace/currentWorkspace.ts'
import { bufferKeys } from '../../workspace/keys/typeahead.ts'
import { PaneLink } from '../../workspace/PaneLink.tsx'
import { usePane } from '../../workspace/pane.tsx'
import { useFocusOnArrival } from '../../workspace/useFocusOnArrival.ts'

/** How a field is edited in place, like a list's cell; `lines` grows with its text. */
export type RowEdit<Row> = Omit<NonNullable<Column<Row>['edit']>, 'kind'> & { kind?: 'text' | 'lines' | 'select' | 'date' }
/** A record's field: its label, and its value, edited in place or linked to where it can be changed. */
export interface EditRow<Row> {
  id: string
  label: string
  /** The displayed value; an empty one is muted. */
  shown: ReactNode
  edit?: RowEdit<Row>
  to?: string
}

/** How a field is shown or changed otherwise than its kind is; one that leads elsewhere isn't edited here. */
interface Special {
  shown?: ReactNode
  to?: string
  fixed?: boolean
}
/** A record's fields as rows, each edited in place; one that doesn't apply is only shown, if it has a value. */
export const fieldRows = <F extends Fields, Row extends object>(
  fields: F,
  record: Row,
  edit: (name: keyof F & string) => RowEdit<Row>,
  special: { readonly [K in keyof F]?: Special } = {},
): EditRow<Row>[] =>
  Object.entries(fields).flatMap(([id, field]) => {
    const applies = field.when?.(textsOf(fields, record)) ?? true
    const words = wordsOf(field, textOf(field, id, record))
    const { to, fixed, ...own }: Special = special[id] ?? {}
    if (!applies && !words) return []
    const row = { id, label: shortLabelOf(field), shown: words && shownAs(field, words), ...own }
    if (to) return [{ ...row, to }]
    const lines = field.kind === 'text' && field.lines ? { kind: 'lines' as const } : {}
    return [fixed || !applies ? row : { ...row, edit: { ...edit(id), ...lines } }]
  })

function shownAs(field: Field, words: string): ReactNode {
  if (field.kind === 'url') return <WebLink url={words} className="min-w-0 break-all" />
  if (field.kind === 'integer') return count(Number(words))
  if (field.kind === 'day') return longDate(words)
  if (field.kind !== 'text') return <bdi>{words}</bdi>
  if (field.code) return <span className="font-mono">{words}</span>
  return (
    <span dir="auto" className="whitespace-pre-wrap">
      {words}
    </span>
  )
}

const nothing = () => {}

const refuse = () => void toast('Fields can’t be selected, filtered or sorted: e edits one.')

/**
 * A record's fields as rows: j and k move, `e` or Enter edits, Enter saves, Escape cancels.
 * A row being edited isn't overwritten by a remote change; it shows the new value beside.
 */
export function EditRows<Row>({ label, record, rows }: { label: string; record: Row; rows: readonly EditRow<Row>[] }) {
  const pane = usePane()
  const id = useId()
  const whole = useRef<HTMLDivElement>(null)
  const [at, setAt] = useState(0)
  const [editing, setEditing] = useState<{ id: string; original: Row } | null>(null)
  const latest = useRef({ rows, record, at, go: pane.go })
  latest.current = { rows, record, at, go: pane.go }
  const focus = useCallback((place: number) => {
    setAt(place)
    const row = whole.current?.querySelectorAll<HTMLElement>('[data-row]')[place]
    row?.focus({ preventScroll: true })
    row?.scrollIntoView({ block: 'nearest' })
  }, [])
  const { pin } = pane
  const edit = useCallback(
    (place: number) => {
      const row = latest.current.rows[place]
      if (!row?.edit) return
      pin()
      bufferKeys()
      setAt(place)
      setEditing({ id: row.id, original: latest.current.record })
    },
    [pin],
  )
  const controller = useMemo<ListController>(() => {
    const move = (by: number) => {
      const { rows, at } = latest.current
      const to = Math.max(0, Math.min(rows.length - 1, at + by))
      // Past the last field, the page scrolls on.
      if (to === at) workspace.layout.scroll(by > 0 ? 'down' : 'up')
      else focus(to)
    }
    return {
      fields: true,
      cursor: null,
      loading: null,
      selected: [],
      exportable: null,
      views: null,
      columns: () => [],
      move,
      screen: (by, count = 1) => workspace.layout.scroll(by > 0 ? 'screenDown' : 'screenUp', count),
      end: (which) => {
        focus(which === 'first' ? 0 : latest.current.rows.length - 1)
        workspace.layout.scroll(which === 'first' ? 'top' : 'bottom')
      },
      open: (where) => {
        // Space scrolls if there is nothing to preview.
        if (where === 'glance') return workspace.layout.scroll('screenDown')
        const { rows, at, go } = latest.current
        const row = rows[at]
        if (row?.to) go(row.to, where)
        else edit(at)
      },
      edit: () => edit(latest.current.at),
      select: refuse,
      selectRange: refuse,
      selectAll: refuse,
      clearSelection: () => false,
      filter: refuse,
      sort: refuse,
      page: nothing,
      expand: nothing,
      menu: nothing,
    }
  }, [edit, focus])
  const { setList } = pane
  useLayoutEffect(() => setList(controller), [controller, setList])
  useEffect(() => () => setList(null), [setList])
  useFocusOnArrival(pane, () => focus(at))

  const done = (place: number, step?: 1 | -1) => {
    setEditing(null)
    // If the user has moved on, the focus stays there.
    if (document.activeElement === document.body || whole.current?.contains(document.activeElement)) {
      const next = step ? nextEditable(rows, place, step) : place
      focus(next)
      if (step && next !== place) edit(next)
    }
  }
  return (
    <div
      ref={whole}
      role="group"
      aria-label={label}
      // Two columns where they fit, each read downwards; a grid, because an editor that grows must move no other row.
      className="divide-y divide-line @4xl:grid @4xl:grid-flow-col @4xl:grid-cols-2 @4xl:gap-x-8"
      style={{ gridTemplateRows: `repeat(${Math.ceil(rows.length / 2)}, auto)` }}
    >
      {rows.map((row, place) => (
        <div
          key={row.id}
          role="group"
          aria-labelledby={`${id}${row.id} ${id}${row.id}-value`}
          data-row={row.id}
          data-anchor={row.id}
          tabIndex={place === at ? 0 : -1}
          onFocus={(event) => event.target === event.currentTarget && setAt(place)}
          onDoubleClick={() => edit(place)}
          className={cx(
            'group/row grid min-h-9 grid-cols-1 items-baseline gap-x-4 px-4 py-1.5 @md:grid-cols-[160px_minmax(0,1fr)]',
            'outline-offset-[-2px] hover:bg-hover focus:bg-accent-wash',
          )}
        >
          <div id={`${id}${row.id}`} className="text-meta text-muted @md:text-body">
            {row.label}
          </div>
          <div id={`${id}${row.id}-value`} className="flex min-w-0 items-baseline gap-2 break-words">
            {editing?.id === row.id && row.edit ? (
              <Editor
                label={row.label}
                edit={row.edit}
                original={editing.original}
                now={record}
                onDone={(_saved, step) => done(place, step)}
              />
            ) : (
              <Fragment>
                <span className="min-w-0 flex-1">
                  {row.shown === '' || row.shown === null || row.shown === undefined ? (
                    <span className="text-faint">–</span>
                  ) : row.to ? (
                    <PaneLink to={row.to} className="rounded-sm hover:text-accent-ink hover:underline">
                      {row.shown}
                    </PaneLink>
                  ) : (
                    row.shown
                  )}
                </span>
                {row.edit && (
                  <button
                    type="button"
                    data-view=""
                    aria-label={`Edit ${row.label}`}
                    onClick={() => edit(place)}
                    className="shrink-0 rounded-sm px-1.5 text-meta text-muted opacity-0 group-hover/row:opacity-100 group-focus/row:opacity-100 hover:text-ink focus:opacity-100 pointer-coarse:opacity-100"
                  >
                    Edit
                  </button>
                )}
              </Fragment>
            )}
          </div>
        </div>
      ))}
    </div>
  )
}

function Editor<Row>({
  label,
  edit,
  original,
  now,
  onDone,
}: {
  label: string
  edit: RowEdit<Row>
  original: Row
  now: Row
  onDone: (saved: boolean, step?: 1 | -1) => void
}) {
  const { kind, value, options, keeps, save } = edit
  return (
    <InlineEdit
      kind={kind ?? 'text'}
      initial={value(original)}
      now={value(now)}
      label={label}
      options={options}
      keeps={keeps}
      save={(typed) => saveCell({ value, save }, original, typed)}
      onDone={onDone}
      onLost={(typed) => void toast(`${label} wasn’t saved: “${typed}”`)}
    />
  )
}

/** Returns the next editable row; the same one if there is none. */
function nextEditable(rows: readonly EditRow<never>[], from: number, step: 1 | -1): number {
  for (let at = from + step; at >= 0 && at < rows.length; at += step) if (rows[at]!.edit) return at
  return from
}
