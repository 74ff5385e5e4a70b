import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import { PRESETS } from '../../../contract/dmaPresets.ts'
import { AnswerError } from '../../data/AnswerError.tsx'
import { cx } from '../../ui/cx.ts'
import { Digit } from '../../ui/Digit.tsx'
import { SearchInput } from '../../ui/SearchInput.tsx'
import { SelectionBox } from '../../ui/SelectionBox.tsx'
import { useField } from '../../ui/useField.ts'
import { type Dma, type Dmas, labelOfSet, presetCodes } from '../shared/dma.ts'

/**
 * Picks market areas by search and preset; one tab stop. Waits for the list: a preset of nothing selects nothing.
 * Arrows move, Space selects. From the search, Enter selects the first match once, and Down enters the list.
 */
export function DmaPicker({
  read,
  value,
  onChange,
}: {
  read: Dmas
  value: readonly string[]
  onChange: (codes: string[]) => void
}) {
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  /** The search whose first match Enter has selected; another Enter is for the form. */
  const [taken, setTaken] = useState('')
  const list = useRef<HTMLDivElement>(null)
  const dmas = read.data?.dmas ?? NONE
  const id = useId()
  const { id: _id, 'aria-required': _required, 'aria-invalid': _invalid, ...links } = useField()
  const ticked = useMemo(() => new Set(value), [value])
  const found = useMemo(() => {
    const words = text.trim().toLowerCase().split(/\s+/)
    return dmas.filter((dma) => words.every((word) => dma.dma_name.toLowerCase().includes(word) || String(dma.dma_code) === word))
  }, [dmas, text])
  const cursor = Math.min(at, found.length - 1)
  useEffect(() => {
    // Only the list scrolls, as the form around it has just opened in another field.
    const box = list.current
    const row = box?.querySelector(`[data-at="${cursor}"]`)
    if (!box || !row) return
    const [frame, at] = [box.getBoundingClientRect(), row.getBoundingClientRect()]
    if (at.top < frame.top) box.scrollTop -= frame.top - at.top
    else if (at.bottom > frame.bottom) box.scrollTop += at.bottom - frame.bottom
  }, [cursor])

  const toggle = (code: string) => onChange(ticked.has(code) ? value.filter((one) => one !== code) : [...value, code])
  const keys = (event: KeyboardEvent) => {
    const columns = columnsOf(list.current)
    const step = { ArrowDown: columns, ArrowUp: -columns, ArrowRight: 1, ArrowLeft: -1, Home: -found.length, End: found.length }[
      event.key
    ]
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (step !== undefined) setAt(Math.max(0, Math.min(cursor + step, found.length - 1)))
    else if (event.key === ' ' && found[cursor]) toggle(String(found[cursor].dma_code))
    else return
    event.preventDefault()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only hears the keys of the search inside
    <div
      className="flex flex-col gap-2"
      onKeyDown={(event) => {
        if (!(event.target instanceof HTMLInputElement)) return
        const { key, ctrlKey, metaKey, shiftKey } = event
        if (key === 'Enter' && !ctrlKey && !metaKey && !shiftKey && found[0] && text.trim() && text !== taken) {
          toggle(String(found[0].dma_code))
          setTaken(text)
          event.target.select()
        } else if (event.key === 'ArrowDown') list.current?.focus()
        else return
        event.preventDefault()
      }}
    >
      <div className="flex flex-wrap items-center gap-1.5">
        <SearchInput
          className="w-56 max-w-full"
          label="Search market areas"
          placeholder="Search 210 market areas"
          value={text}
          onChange={(next) => {
            setText(next)
            setAt(0)
            setTaken('')
          }}
        />
        {PRESETS.map((preset, at) => {
          const codes = presetCodes(dmas, preset)
          const is = labelOfSet(dmas, value) === preset.label
          return (
            <button
              key={preset.label}
              type="button"
              aria-pressed={is}
              disabled={!read.data}
              onClick={() => onChange(is ? [] : codes)}
              className={cx(
                'h-7 rounded-md border px-2 text-meta disabled:text-faint',
                is
                  ? 'border-accent bg-accent-wash font-medium text-accent-ink'
                  : 'border-edge text-muted hover:bg-hover hover:text-ink',
              )}
            >
              {preset.label}
              <Digit at={at} />
            </button>
          )
        })}
        <span className="ml-auto text-meta text-muted tabular-nums" aria-live="polite">
          {value.length ? (labelOfSet(dmas, value) ?? `${value.length} selected`) : 'none selected'}
        </span>
      </div>
      <div
        ref={list}
        role="listbox"
        aria-multiselectable="true"
        aria-busy={!read.data}
        tabIndex={0}
        {...links}
        aria-activedescendant={found[cursor] ? `${id}-${found[cursor].dma_code}` : undefined}
        onKeyDown={keys}
        className="group/list grid h-56 auto-rows-[28px] grid-cols-[repeat(auto-fill,minmax(180px,1fr))] content-start overflow-y-auto rounded-md border border-control bg-surface p-1"
      >
        {found.map((dma, index) => {
          const code = String(dma.dma_code)
          const is = ticked.has(code)
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the list hears the keys, as a listbox does
            // biome-ignore lint/a11y/useFocusableInteractive: named by aria-activedescendant, it never holds the focus
            <div
              key={code}
              id={`${id}-${code}`}
              data-at={index}
              role="option"
              aria-selected={is}
              onClick={() => {
                setAt(index)
                toggle(code)
              }}
              className={cx(
                'flex cursor-pointer items-center gap-2 rounded-sm px-1.5 hover:bg-hover',
                index === cursor &&
                  'group-focus-visible/list:bg-cursor group-focus-visible/list:shadow-[inset_2px_0_0_var(--accent)]',
              )}
            >
              <SelectionBox state={is} />
              <span className="truncate">{dma.dma_name}</span>
            </div>
          )
        })}
        {read.data ? (
          found.length === 0 && (
            <p className="col-span-full p-2 text-muted">
              {dmas.length ? `No market area is called “${text.trim()}”.` : 'There are no market areas to choose from yet.'}
            </p>
          )
        ) : read.error ? (
          <AnswerError
            slim
            what="The market areas"
            error={read.error}
            retry={() => {
              // The button disappears with the error, so the list takes the focus.
              list.current?.focus()
              read.retry()
            }}
            className="col-span-full row-span-4 items-start p-2"
          />
        ) : (
          <p className="col-span-full p-2 text-muted">Loading market areas</p>
        )}
      </div>
    </div>
  )
}

const NONE: readonly Dma[] = []

const columnsOf = (list: HTMLElement | null) => (list ? getComputedStyle(list).gridTemplateColumns.split(' ').length : 1)
