import { type ReactNode, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { count } from '../../../contract/format.ts'
import { AnswerError } from '../../data/AnswerError.tsx'
import type { ApiError } from '../../data/api.ts'
import { cx } from '../../ui/cx.ts'
import { NothingToPick, PickList } from './PickList.tsx'
import { type PickOption, pasted } from './recordPicking.ts'

/** The most rows rendered; a search finds the others. */
const MOST = 200

/** Picks several of the loaded records; the search also accepts pasted IDs, names and addresses. */
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
  /** Names the records in an error: "The users". */
  what: string
  /** Singular and plural: "user", "users". */
  words: readonly [one: string, many: string]
  value: readonly number[]
  onChange: (ids: number[]) => void
  /** Shown if there is nothing to pick. */
  none: ReactNode
  className?: string
}) {
  const [text, setText] = useState('')
  const [unknown, setUnknown] = useState<readonly string[]>([])
  // Preselected records are listed first and keep their place.
  const [first] = useState(() => new Set(value))
  const chosen = useMemo(() => new Set(value), [value])
  const found = useMemo(() => foundIn(options ?? [], text, first), [options, text, first])
  const frame = useRef<HTMLDivElement>(null)
  const hasFocus = useRef(false)
  const instead =
    error && !options ? (
      <AnswerError slim what={what} error={error} retry={retry} className="py-2" />
    ) : options?.length === 0 ? (
      <NothingToPick>{none}</NothingToPick>
    ) : null
  // What takes the place of the search field takes the focus, too; keys would act on the pane otherwise.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the change that takes the focus
  useLayoutEffect(() => {
    if (hasFocus.current && document.activeElement === document.body) frame.current?.focus({ preventScroll: true })
  }, [instead === null])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it has the focus only in place of its search field
    <div
      ref={frame}
      tabIndex={-1}
      className={cx('flex flex-col gap-2 outline-none', className)}
      onFocus={() => {
        hasFocus.current = true
      }}
      onBlur={(event) => {
        hasFocus.current = event.currentTarget.contains(event.relatedTarget)
      }}
      onPaste={(event) => {
        const clipboard = event.clipboardData.getData('text')
        const read = pasted(clipboard, options ?? [])
        if (!/[\n\r\t;,]/.test(clipboard.trim()) && !read.ids.length) return
        event.preventDefault()
        onChange([...value, ...read.ids.filter((one) => !chosen.has(one))])
        setUnknown(read.unknown)
        setText('')
      }}
    >
      {instead ?? (
        <PickList
          words={words}
          placeholder={`Search ${words[1]}, or paste a list`}
          summary={options ? `${count(value.length)} of ${count(options.length)} selected` : ''}
          search={text}
          onSearch={setText}
          rows={options && found.slice(0, MOST)}
          count={found.length}
          chosen={chosen}
          onToggle={({ id }) => onChange(chosen.has(id) ? value.filter((one) => one !== id) : [...value, id])}
          onSet={(rows, on) => {
            const ids = new Set(rows.map(({ id }) => id))
            onChange(on ? [...new Set([...value, ...ids])] : value.filter((id) => !ids.has(id)))
          }}
          matches={found}
          all={options}
        >
          {unknown.length > 0 && (
            <p role="status" className="rounded-md bg-amber-wash px-2 py-1 text-amber-ink">
              Not found: {unknown.slice(0, 8).join(', ')}
              {unknown.length > 8 ? ` and ${count(unknown.length - 8)} more` : ''}.
            </p>
          )}
        </PickList>
      )}
    </div>
  )
}

/** Returns options that contain every word; `first` come on top of their group. */
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
