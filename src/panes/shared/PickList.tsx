import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { count } from '../../../contract/format.ts'
import { cx } from '../../ui/cx.ts'
import { SearchInput } from '../../ui/SearchInput.tsx'
import { SelectionBox } from '../../ui/SelectionBox.tsx'
import { FieldContext, useField } from '../../ui/useField.ts'
import type { PickOption } from './recordPicking.ts'
import { usePickKeys } from './usePickKeys.ts'

/** How many rows PageDown and PageUp move. */
const PAGE = 8

/**
 * A search field above selectable rows, as one tab stop: arrows move, Space selects, Ctrl+A selects all that match.
 * The caller supplies the rows and runs the search.
 */
export function PickList({
  words,
  placeholder,
  summary,
  search,
  onSearch,
  rows,
  count: all,
  chosen,
  onToggle,
  onSet,
  matches = rows,
  all: every = rows,
  children,
}: {
  /** Singular and plural: "user", "users". */
  words: readonly [one: string, many: string]
  placeholder: string
  /** "3 of 40 selected". */
  summary: string
  search: string
  onSearch(text: string): void
  /** Undefined while they load. */
  rows: readonly PickOption[] | undefined
  /** The number of matches, rendered or not. */
  count: number
  chosen: ReadonlySet<number>
  /** Only called for rows that can be selected. */
  onToggle(row: PickOption): void
  /** Selects or deselects rows. */
  onSet(rows: readonly PickOption[], on: boolean): void
  /** All rows that match, and all there are without a search; the rows that are shown, if the server searches. */
  matches?: readonly PickOption[]
  all?: readonly PickOption[]
  /** Between the search field and the rows. */
  children?: ReactNode
}) {
  const id = useId()
  const [at, setAt] = useState(0)
  const list = useRef<HTMLDivElement>(null)
  const box = useRef<HTMLInputElement>(null)
  const { id: _id, 'aria-required': _required, 'aria-invalid': _invalid, ...links } = useField()
  const shown = rows ?? []
  const cursor = Math.min(at, shown.length - 1)
  useEffect(() => {
    const frame = list.current
    const row = frame?.querySelector<HTMLElement>(`[data-at="${cursor}"]`)
    if (!frame || !row) return
    // Scrolls the list only; scrollIntoView would also scroll the form.
    const [outer, inner] = [frame.getBoundingClientRect(), row.getBoundingClientRect()]
    if (inner.top < outer.top) frame.scrollTop -= outer.top - inner.top
    else if (inner.bottom > outer.bottom) frame.scrollTop += inner.bottom - outer.bottom
  }, [cursor])
  const toggle = (row: PickOption | undefined) => {
    if (row && !row.off) onToggle(row)
  }
  const keys = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const end = shown.length
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: PAGE,
      PageUp: -PAGE,
      Home: -end,
      End: end,
    }
    const step = Object.hasOwn(steps, event.key) ? steps[event.key] : undefined
    if (step !== undefined) {
      if (event.key === 'ArrowUp' && cursor <= 0) box.current?.focus()
      else setAt(Math.max(0, Math.min(end - 1, cursor + step)))
    } else if (event.key === ' ') toggle(shown[cursor])
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const free = (some: readonly PickOption[] | undefined) => (some ?? []).filter(({ off }) => !off)
  const pickKeys = usePickKeys({
    ...{ search, onSearch, matches: free(matches), all: free(every), set: onSet },
    isChosen: ({ id }) => chosen.has(id),
    focusList() {
      setAt(0)
      list.current?.focus()
    },
  })
  let group: string | undefined
  return (
    <div
      className="flex flex-col gap-2"
      // Keys wait for the rows that they select, and the one that sends the form for them.
      data-reading={rows ? undefined : search ? '' : 'all'}
      onKeyDownCapture={pickKeys}
    >
      <div className="flex flex-wrap items-center gap-2">
        <FieldContext value={null}>
          <SearchInput
            ref={box}
            inForm
            className="w-72 max-w-full"
            label={`Search ${words[1]}`}
            placeholder={placeholder}
            value={search}
            onChange={(next) => {
              onSearch(next)
              setAt(0)
            }}
          />
        </FieldContext>
        <span className="ml-auto text-meta text-muted tabular-nums" aria-live="polite" aria-atomic="true">
          {summary}
        </span>
      </div>
      {children}
      <div className="relative">
        <div
          ref={list}
          role="listbox"
          aria-multiselectable="true"
          aria-busy={!rows}
          tabIndex={0}
          {...links}
          aria-activedescendant={shown[cursor] ? `${id}-${shown[cursor].id}` : undefined}
          onKeyDown={keys}
          className="group/list max-h-72 min-h-24 overflow-y-auto rounded-md border border-control bg-surface p-1"
        >
          {shown.map((row, place) => {
            const head = row.group !== group && row.group
            group = row.group
            return (
              <PickRow
                key={row.id}
                id={`${id}-${row.id}`}
                option={row}
                head={head || null}
                place={place}
                here={place === cursor}
                is={chosen.has(row.id)}
                onClick={() => {
                  setAt(place)
                  toggle(row)
                }}
              />
            )
          })}
        </div>
        {!shown.length && (
          <p aria-live="polite" aria-atomic="true" className="absolute inset-x-0 top-0 p-3 text-muted">
            {rows ? `No results for “${search.trim()}”.` : `Loading ${words[1]}…`}
          </p>
        )}
      </div>
      {all > shown.length && (
        <p className="text-meta text-faint">
          {count(shown.length)} of {count(all)} {words[1]} are shown. Search to find the others.
        </p>
      )}
    </div>
  )
}

/** An empty state in place of the list. */
export const NothingToPick = ({ children }: { children: ReactNode }) => (
  <div className="rounded-md border border-dashed border-edge px-3 py-4 text-muted">{children}</div>
)

function PickRow({
  id,
  option,
  head,
  place,
  here,
  is,
  onClick,
}: {
  id: string
  option: PickOption
  head: string | null
  place: number
  here: boolean
  is: boolean
  onClick: () => void
}) {
  return (
    <>
      {head && (
        <div role="presentation" className="px-1.5 pt-2 pb-0.5 text-meta font-medium text-muted first:pt-0.5">
          {head}
        </div>
      )}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the listbox handles keys */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: aria-activedescendant points to it, so it never has the focus */}
      <div
        id={id}
        data-at={place}
        role="option"
        aria-selected={is}
        aria-disabled={option.off ? true : undefined}
        onClick={onClick}
        className={cx(
          'flex min-h-7 min-w-0 items-center gap-2 rounded-sm px-1.5 py-0.5 hover:bg-hover',
          option.off ? 'text-faint' : 'cursor-pointer',
          here && 'group-focus-visible/list:bg-cursor group-focus-visible/list:shadow-[inset_2px_0_0_var(--accent)]',
        )}
      >
        <SelectionBox state={is} />
        {/* On a phone a note that doesn't fit beside the name goes below it. */}
        <span className="flex min-w-0 flex-1 items-center gap-x-2 @max-md:flex-wrap">
          <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-2 @max-md:flex-auto">
            <bdi className={cx('max-w-full truncate', !option.off && 'font-medium')}>{option.name}</bdi>
            {option.detail && <span className="min-w-0 truncate text-meta text-muted">{option.detail}</span>}
          </span>
          {option.mark}
          {(option.off || option.note) && (
            <span className="shrink-0 text-right text-meta text-muted @max-md:max-w-full @max-md:truncate">
              {option.off ?? option.note}
            </span>
          )}
        </span>
      </div>
    </>
  )
}
