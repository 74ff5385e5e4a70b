import { type KeyboardEvent, type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react'
import { count } from '../../../contract/format.ts'
import { AnswerError } from '../../data/AnswerError.tsx'
import type { ApiError } from '../../data/api.ts'
import { cx } from '../../ui/cx.ts'
import { SearchInput } from '../../ui/SearchInput.tsx'
import { SelectionBox } from '../../ui/SelectionBox.tsx'
import { FieldContext, useField } from '../../ui/useField.ts'
import { type PickOption, pasted } from './recordPicking.ts'

/** As many rows as are drawn; a search finds the others. */
const MOST = 200

/**
 * Picks several records: a search that also takes pasted IDs, names or addresses, and one tab stop of rows.
 * Arrows move, Space selects. A row that can't be chosen says why.
 */
export function RecordPicker({
  options,
  error = null,
  retry,
  what,
  words,
  value,
  onChange,
  none,
  className,
}: {
  /** Undefined while they load. */
  options: readonly PickOption[] | undefined
  error?: ApiError | null | undefined
  retry?: () => void
  /** "The users", where they can't be read. */
  what: string
  /** "user", "users". */
  words: readonly [one: string, many: string]
  value: readonly number[]
  onChange: (ids: number[]) => void
  /** Shown when there is nothing to choose from. */
  none: ReactNode
  className?: string
}) {
  const id = useId()
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const [unknown, setUnknown] = useState<readonly string[]>([])
  const list = useRef<HTMLDivElement>(null)
  const box = useRef<HTMLInputElement>(null)
  const { id: _id, 'aria-required': _required, 'aria-invalid': _invalid, ...links } = useField()
  // Those chosen beforehand come first and stay there.
  const [first] = useState(() => new Set(value))
  const chosen = useMemo(() => new Set(value), [value])
  const found = useMemo(() => foundIn(options ?? [], text, first), [options, text, first])
  const shown = found.slice(0, MOST)
  const cursor = Math.min(at, shown.length - 1)
  useEffect(() => {
    const frame = list.current
    const row = frame?.querySelector<HTMLElement>(`[data-at="${cursor}"]`)
    if (!frame || !row) return
    const [outer, inner] = [frame.getBoundingClientRect(), row.getBoundingClientRect()]
    if (inner.top < outer.top) frame.scrollTop -= outer.top - inner.top
    else if (inner.bottom > outer.bottom) frame.scrollTop += inner.bottom - outer.bottom
  }, [cursor])
  const toggle = (option: PickOption | undefined) => {
    if (!option || option.off) return
    onChange(chosen.has(option.id) ? value.filter((one) => one !== option.id) : [...value, option.id])
  }
  const keys = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8, Home: -MOST, End: MOST }
    const step = Object.hasOwn(steps, event.key) ? steps[event.key] : undefined
    if (step !== undefined) {
      if (event.key === 'ArrowUp' && cursor <= 0) box.current?.focus()
      else setAt(Math.max(0, Math.min(shown.length - 1, cursor + step)))
    } else if (event.key === ' ') toggle(shown[cursor])
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const goDown = () => {
    setAt(0)
    list.current?.focus()
  }
  if (error && !options) return <AnswerError slim what={what} error={error} {...(retry ? { retry } : {})} className="py-2" />
  if (options?.length === 0) return <div className="rounded-md border border-dashed border-edge px-3 py-4 text-muted">{none}</div>
  let group: string | undefined
  return (
    <div
      className={cx('flex flex-col gap-2', className)}
      onPaste={(event) => {
        const given = event.clipboardData.getData('text')
        const read = pasted(given, options ?? [])
        if (!/[\n\r\t;,]/.test(given.trim()) && !read.ids.length) return
        event.preventDefault()
        onChange([...value, ...read.ids.filter((one) => !chosen.has(one))])
        setUnknown(read.unknown)
        setText('')
      }}
    >
      <div className="flex flex-wrap items-center gap-2">
        <FieldContext value={null}>
          <SearchInput
            ref={box}
            inForm
            className="w-72 max-w-full"
            label={`Search ${words[1]}`}
            placeholder={`Search ${words[1]}, or paste a list`}
            value={text}
            onChange={(next) => {
              setText(next)
              setAt(0)
            }}
            onEnter={goDown}
          />
        </FieldContext>
        <span className="ml-auto text-meta text-muted tabular-nums" aria-live="polite">
          {options ? `${count(value.length)} of ${count(options.length)} chosen` : ''}
        </span>
      </div>
      {unknown.length > 0 && (
        <p role="status" className="rounded-md bg-amber-wash px-2 py-1 text-amber-ink">
          Not found: {unknown.slice(0, 8).join(', ')}
          {unknown.length > 8 ? ` and ${count(unknown.length - 8)} more` : ''}.
        </p>
      )}
      <div className="relative">
        <div
          ref={list}
          role="listbox"
          aria-multiselectable="true"
          aria-busy={!options}
          tabIndex={0}
          {...links}
          aria-activedescendant={shown[cursor] ? `${id}-${shown[cursor].id}` : undefined}
          onKeyDown={keys}
          className="group/list max-h-72 min-h-24 overflow-y-auto rounded-md border border-control bg-surface p-1"
        >
          {shown.map((option, place) => {
            const head = option.group !== group && option.group
            group = option.group
            return (
              <PickRow
                key={option.id}
                id={`${id}-${option.id}`}
                option={option}
                head={head || null}
                place={place}
                here={place === cursor}
                is={chosen.has(option.id)}
                onClick={() => {
                  setAt(place)
                  toggle(option)
                }}
              />
            )
          })}
        </div>
        {(!options || !shown.length) && (
          <p aria-live="polite" className="absolute inset-x-0 top-0 p-3 text-muted">
            {options ? `No results for “${text.trim()}”.` : `Loading ${words[1]}`}
          </p>
        )}
      </div>
      {found.length > MOST && (
        <p className="text-meta text-faint">
          {count(MOST)} of {count(found.length)} {words[1]} are listed; search for the others.
        </p>
      )}
    </div>
  )
}

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
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the list hears the keys, as a listbox does */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: named by aria-activedescendant, it never holds the focus */}
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
        <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-2">
          <bdi className={cx('max-w-full truncate', !option.off && 'font-medium')}>{option.name}</bdi>
          {option.detail && <span className="min-w-0 truncate text-meta text-muted">{option.detail}</span>}
        </span>
        {option.mark}
        {(option.off || option.note) && (
          <span className="shrink-0 text-right text-meta text-muted @max-md:max-w-36 @max-md:truncate">
            {option.off ?? option.note}
          </span>
        )}
      </div>
    </>
  )
}

/** The options that have every word typed, those of `first` on top of their group. */
function foundIn(options: readonly PickOption[], text: string, first: ReadonlySet<number>): readonly PickOption[] {
  const words = text.trim().toLowerCase().split(/\s+/).filter(Boolean)
  const has = ({ name, detail = '', code = '' }: PickOption) => {
    const all = `${name} ${detail} ${code}`.toLowerCase()
    return words.every((word) => all.includes(word))
  }
  const found = words.length ? options.filter(has) : options
  if (!first.size) return found
  const groups = [...Map.groupBy(found, ({ group }) => group ?? '').values()]
  return groups.flatMap((group) => [...group].sort((a, b) => Number(first.has(b.id)) - Number(first.has(a.id))))
}
