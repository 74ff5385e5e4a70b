import { X } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { count } from '../../../contract/format.ts'
import { IconButton } from '../../ui/Button.tsx'
import { cx } from '../../ui/cx.ts'
import { SearchInput } from '../../ui/SearchInput.tsx'
import { SelectionBox } from '../../ui/SelectionBox.tsx'
import { FieldContext, useField } from '../../ui/useField.ts'

/** A record to choose; `off` says why it can't be. */
export interface Pick {
  id: number
  name: string
  detail?: string
  note?: string | undefined
  off?: string | undefined
}
/** What a search finds, first of all without one: its first rows, and how many there are. */
export interface Found {
  rows: readonly Pick[] | undefined
  count: number
}

/**
 * Picks several of very many records: the server searches, one tab stop of rows, arrows move, Space selects.
 * What is chosen stays above, whatever the search.
 */
export function SearchPicker({
  words,
  found: { rows, count: all },
  search: text,
  onSearch: setText,
  value,
  onChange,
  none,
  onPasted,
}: {
  /** "location", "locations". */
  words: readonly [one: string, many: string]
  /** What the search finds. */
  found: Found
  search: string
  onSearch(text: string): void
  value: readonly Pick[]
  onChange(value: readonly Pick[]): void
  none: ReactNode
  /** Takes pasted lines; returns true for what it took. */
  onPasted?(text: string): boolean
}) {
  const id = useId()
  const [at, setAt] = useState(0)
  const list = useRef<HTMLDivElement>(null)
  const box = useRef<HTMLInputElement>(null)
  const { id: _id, 'aria-required': _required, 'aria-invalid': _invalid, ...links } = useField()
  const chosen = new Set(value.map((one) => one.id))
  const shown = rows ?? []
  const cursor = Math.min(at, shown.length - 1)
  useEffect(() => {
    list.current?.querySelector(`[data-at="${cursor}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [cursor])
  const toggle = (one: Pick | undefined) => {
    if (!one || one.off) return
    onChange(chosen.has(one.id) ? value.filter((other) => other.id !== one.id) : [...value, one])
  }
  const keys = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 6, PageUp: -6, Home: -1e6, End: 1e6 }[event.key]
    if (step !== undefined) {
      if (event.key === 'ArrowUp' && cursor <= 0) box.current?.focus()
      else setAt(Math.max(0, Math.min(shown.length - 1, cursor + step)))
    } else if (event.key === ' ') toggle(shown[cursor])
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div
      className="flex flex-col gap-2"
      onPaste={(event) => {
        if (!onPasted?.(event.clipboardData.getData('text/plain'))) return
        event.preventDefault()
        setText('')
      }}
    >
      {value.length > 0 && (
        <ul className="flex max-h-28 flex-wrap gap-1.5 overflow-y-auto">
          {value.map((one) => (
            <li
              key={one.id}
              className="inline-flex max-w-full items-center gap-1 rounded-md bg-accent-wash py-0.5 pr-0.5 pl-2 text-meta text-accent-ink"
            >
              <bdi className="truncate">{one.name}</bdi>
              <IconButton label={`Take off ${one.name}`} onClick={() => toggle(one)}>
                <X size={12} aria-hidden="true" />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      <div className="flex flex-wrap items-center gap-2">
        <FieldContext value={null}>
          <SearchInput
            inForm
            ref={box}
            className="w-72 max-w-full"
            label={`Search ${words[1]}`}
            placeholder={`Search ${words[1]}${onPasted ? ', or paste addresses' : ''}`}
            value={text}
            onChange={(next) => {
              setText(next)
              setAt(0)
            }}
            onEnter={() => {
              setAt(0)
              list.current?.focus()
            }}
          />
        </FieldContext>
        <span className="ml-auto text-meta text-muted tabular-nums" aria-live="polite">
          {count(value.length)} chosen
        </span>
      </div>
      {rows?.length === 0 && !text.trim() ? (
        <div className="rounded-md border border-dashed border-edge px-3 py-4 text-muted">{none}</div>
      ) : (
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
            className="group/list max-h-64 min-h-16 overflow-y-auto rounded-md border border-control bg-surface p-1"
          >
            {shown.map((one, place) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the list hears the keys, as a listbox does
              // biome-ignore lint/a11y/useFocusableInteractive: named by aria-activedescendant, it never holds the focus
              <div
                key={one.id}
                id={`${id}-${one.id}`}
                data-at={place}
                role="option"
                aria-selected={chosen.has(one.id)}
                aria-disabled={one.off ? true : undefined}
                onClick={() => {
                  setAt(place)
                  toggle(one)
                }}
                className={cx(
                  'flex min-h-7 min-w-0 items-center gap-2 rounded-sm px-1.5 py-0.5 hover:bg-hover',
                  one.off ? 'text-faint' : 'cursor-pointer',
                  place === cursor &&
                    'group-focus-visible/list:bg-cursor group-focus-visible/list:shadow-[inset_2px_0_0_var(--accent)]',
                )}
              >
                <SelectionBox state={chosen.has(one.id)} />
                <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-2">
                  <bdi className={cx('max-w-full truncate', !one.off && 'font-medium')}>{one.name}</bdi>
                  {one.detail && <span className="min-w-0 truncate text-meta text-muted">{one.detail}</span>}
                </span>
                {(one.off ?? one.note) && <span className="shrink-0 text-meta text-muted">{one.off ?? one.note}</span>}
              </div>
            ))}
          </div>
          {!shown.length && (
            <p aria-live="polite" className="absolute inset-x-0 top-0 p-3 text-muted">
              {rows ? `No results for “${text.trim()}”.` : `Loading ${words[1]}`}
            </p>
          )}
        </div>
      )}
      {all > shown.length && (
        <p className="text-meta text-faint">
          {count(shown.length)} of {count(all)} {words[1]} are listed; search for the others.
        </p>
      )}
    </div>
  )
}
