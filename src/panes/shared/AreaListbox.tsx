import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useId, useMemo, useState } from 'react'
import { foldedWords, hasWords } from '../../../contract/fold.ts'
import { AnswerError } from '../../data/AnswerError.tsx'
import { cx } from '../../ui/cx.ts'
import { SelectionBox } from '../../ui/SelectionBox.tsx'
import { useField } from '../../ui/useField.ts'
import type { Dma, Dmas } from './dma.ts'

const codeOf = (dma: Dma): string => String(dma.dma_code)

/** Returns areas whose name contains every word, or whose code is one of them. */
export function areasFound(areas: readonly Dma[], text: string): Dma[] {
  const words = foldedWords(text)
  return areas.filter((dma) => words.every((word) => hasWords(dma.dma_name, [word]) || codeOf(dma) === word))
}

/**
 * A listbox of market areas, one tab stop: arrows move by rows and columns, Space and click select.
 * A message instead of areas is drawn over the box, because a listbox may only contain options.
 */
export function AreaListbox({
  list,
  read,
  areas,
  search,
  chosen,
  onToggle,
  onOnly,
  down,
  row = (dma) => <span className="truncate">{dma.dma_name}</span>,
  label,
  style,
  className,
}: {
  list: RefObject<HTMLDivElement | null>
  read: Dmas
  /** The search results, in display order. */
  areas: readonly Dma[]
  search: string
  chosen: ReadonlySet<string>
  onToggle: (code: string) => void
  /** Selects only one area, by Enter or by "only" at the end of its row. */
  onOnly?: (code: string) => void
  /** Rows per column if areas run down columns; without it they run along rows. */
  down?: number
  /** Renders an area beside its checkbox. */
  row?: (dma: Dma) => ReactNode
  label?: string
  style?: { gridTemplateRows: string; gridTemplateColumns: string }
  className: string
}) {
  const [{ place, of }, setAt] = useState({ place: 0, of: search })
  const id = useId()
  const { id: _id, 'aria-required': _required, 'aria-invalid': _invalid, ...links } = useField()
  // A new search starts at its first area.
  const cursor = of === search ? Math.min(place, areas.length - 1) : areas.length ? 0 : -1
  const goTo = (next: number) => setAt({ place: next, of: search })
  const options = useMemo(() => areas.map((dma) => ({ dma, code: codeOf(dma) })), [areas])
  useEffect(() => {
    // Scrolls the list only, because the surrounding form may just have focused another field.
    const box = list.current
    const option = box?.querySelector(`[data-at="${cursor}"]`)
    if (!box || !option) return
    const [frame, at] = [box.getBoundingClientRect(), option.getBoundingClientRect()]
    if (at.top < frame.top) box.scrollTop -= frame.top - at.top
    else if (at.bottom > frame.bottom) box.scrollTop += at.bottom - frame.bottom
  }, [cursor, list])
  const keys = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const [vertical, horizontal] = down === undefined ? [columnsOf(list.current), 1] : [1, down]
    const steps: Record<string, number> = {
      ...{ ArrowDown: vertical, ArrowUp: -vertical, ArrowRight: horizontal, ArrowLeft: -horizontal },
      ...{ Home: -areas.length, End: areas.length },
    }
    const step = Object.hasOwn(steps, event.key) ? steps[event.key] : undefined
    if (step !== undefined) goTo(Math.max(0, Math.min(cursor + step, areas.length - 1)))
    else if (event.key === ' ' && options[cursor]) onToggle(options[cursor].code)
    else if (event.key === 'Enter' && onOnly && options[cursor]) onOnly(options[cursor].code)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const note = read.data ? (
    areas.length === 0 && (
      <p className="p-3 text-muted">
        {read.data.dmas.length ? `No results for “${search.trim()}”.` : 'There are no market areas yet.'}
      </p>
    )
  ) : read.error ? (
    <AnswerError
      slim
      what="The market areas"
      error={read.error}
      retry={() => {
        // The button disappears with the error, so the focus moves to the list.
        list.current?.focus()
        read.retry()
      }}
      className="p-3"
    />
  ) : (
    <p className="p-3 text-muted">Loading market areas…</p>
  )
  return (
    <div className="relative">
      <div
        ref={list}
        role="listbox"
        aria-multiselectable="true"
        aria-busy={!read.data}
        aria-label={label}
        tabIndex={0}
        {...links}
        aria-activedescendant={options[cursor] ? `${id}-${options[cursor].code}` : undefined}
        onKeyDown={keys}
        style={style}
        className={cx('group/list grid min-h-24 overflow-y-auto rounded-md border border-control bg-surface p-1', className)}
      >
        {options.map(({ dma, code }, index) => {
          const is = chosen.has(code)
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the listbox handles keys
            // biome-ignore lint/a11y/useFocusableInteractive: aria-activedescendant points to it, so it never has the focus
            <div
              key={code}
              id={`${id}-${code}`}
              data-at={index}
              role="option"
              aria-selected={is}
              onClick={() => {
                goTo(index)
                onToggle(code)
              }}
              className={cx(
                'flex min-w-0 cursor-pointer items-center gap-2 rounded-sm px-1.5 hover:bg-hover',
                index === cursor &&
                  'group-focus-visible/list:bg-cursor group-focus-visible/list:shadow-[inset_2px_0_0_var(--accent)]',
              )}
            >
              <span className="-order-2 inline-flex">
                <SelectionBox state={is} />
              </span>
              {row(dma)}
              {onOnly && (
                <span
                  aria-hidden="true"
                  data-only=""
                  onClick={(event) => {
                    event.stopPropagation()
                    goTo(index)
                    onOnly(code)
                  }}
                  className="shrink-0 rounded-sm px-1 text-meta text-faint hover:text-accent-ink hover:underline"
                >
                  only
                </span>
              )}
            </div>
          )
        })}
      </div>
      {note && (
        <div aria-live="polite" aria-atomic="true" className="absolute inset-x-0 top-0">
          {note}
        </div>
      )}
    </div>
  )
}

const columnsOf = (list: HTMLElement | null) => (list ? getComputedStyle(list).gridTemplateColumns.split(' ').length : 1)
