import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import { PRESETS } from '../../../contract/dmaPresets.ts'
import { count } from '../../../contract/format.ts'
import { AnswerError } from '../../data/AnswerError.tsx'
import { cx } from '../../ui/cx.ts'
import { RadioGroup } from '../../ui/RadioGroup.tsx'
import { SearchInput } from '../../ui/SearchInput.tsx'
import { SelectionBox } from '../../ui/SelectionBox.tsx'
import { FieldContext, useField } from '../../ui/useField.ts'
import { useWidth } from '../../ui/useWidth.ts'
import { type Dma, type Dmas, labelOfSet, presetCodes } from '../shared/dma.ts'
import { byRank, columnsAt, readAreas, rowsFor } from './areas.ts'

const NONE: readonly Dma[] = []
const PRESET_OPTIONS = PRESETS.map(({ label }) => ({ value: label, label }))

/**
 * Picks market areas: presets as one radio group, a search that takes a pasted list, and three columns of 70.
 * The list is one tab stop: arrows move, Space selects.
 */
export function AreaPicker({
  read,
  value,
  onChange,
  completes,
}: {
  read: Dmas
  value: readonly string[]
  onChange: (codes: string[]) => void
  /** Completes by area; undefined while they load. */
  completes: ReadonlyMap<number, number> | undefined
}) {
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const [unknown, setUnknown] = useState<readonly string[]>([])
  const list = useRef<HTMLDivElement>(null)
  const width = useWidth(list)
  const id = useId()
  const { id: _id, 'aria-required': _required, 'aria-invalid': _invalid, ...links } = useField()
  const dmas = read.data?.dmas ?? NONE
  const all = useMemo(() => byRank(dmas), [dmas])
  const ticked = useMemo(() => new Set(value), [value])
  const found = useMemo(() => {
    const words = text.trim().toLowerCase().split(/\s+/)
    return all.filter((dma) => words.every((word) => dma.dma_name.toLowerCase().includes(word) || String(dma.dma_code) === word))
  }, [all, text])
  const columns = columnsAt(width)
  const rows = rowsFor(found.length, columns)
  const cursor = Math.min(at, found.length - 1)
  useEffect(() => {
    list.current?.querySelector(`[data-at="${cursor}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [cursor])
  // By code, as the server keeps them: areas toggled back to what is stored are no change.
  const inOrder = (codes: ReadonlySet<string>) =>
    all
      .map((dma) => String(dma.dma_code))
      .filter((code) => codes.has(code))
      .sort()
  const toggle = (code: string) => {
    const next = new Set(ticked)
    next.has(code) ? next.delete(code) : next.add(code)
    onChange(inOrder(next))
  }
  const paste = (pasted: string): boolean => {
    const given = readAreas(pasted, dmas)
    const several = /[\n\r\t;,]/.test(pasted.trim())
    if (!several && !given.codes.length) return false
    onChange(inOrder(new Set([...ticked, ...given.codes])))
    setUnknown(given.unknown)
    setText('')
    return true
  }
  const keys = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const step = { ArrowDown: 1, ArrowUp: -1, ArrowRight: rows, ArrowLeft: -rows, Home: -found.length, End: found.length }[
      event.key
    ]
    if (step !== undefined) setAt(Math.max(0, Math.min(cursor + step, found.length - 1)))
    else if (event.key === ' ' && found[cursor]) toggle(String(found[cursor].dma_code))
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it hears a paste and the keys of the search inside
    <div
      className="flex flex-col gap-2"
      onPaste={(event) => {
        if (paste(event.clipboardData.getData('text'))) event.preventDefault()
      }}
      onKeyDown={(event) => {
        if (event.target instanceof HTMLInputElement && event.target.type === 'search' && event.key === 'ArrowDown') {
          list.current?.focus()
          event.preventDefault()
        }
      }}
    >
      {/* The presets have a name of their own, not the field's. */}
      <FieldContext value={null}>
        <RadioGroup
          label="Presets"
          value={(labelOfSet(dmas, value) ?? '') as (typeof PRESETS)[number]['label'] | ''}
          disabled={!read.data}
          options={PRESET_OPTIONS}
          onChange={(label) => onChange(inOrder(new Set(presetCodes(dmas, PRESETS.find((preset) => preset.label === label)!))))}
        />
      </FieldContext>
      <div className="flex flex-wrap items-center gap-2">
        <SearchInput
          className="w-72 max-w-full"
          label="Search market areas"
          placeholder="Search, or paste codes or names"
          value={text}
          onChange={(next) => {
            setText(next)
            setAt(0)
          }}
        />
        <span className="ml-auto text-meta text-muted tabular-nums" aria-live="polite">
          {count(value.length)} of {count(dmas.length)} chosen
        </span>
      </div>
      {unknown.length > 0 && (
        <p role="status" className="rounded-md bg-amber-wash px-2 py-1 text-amber-ink">
          Not a market area: {unknown.slice(0, 8).join(', ')}
          {unknown.length > 8 ? ` and ${count(unknown.length - 8)} more` : ''}.
        </p>
      )}
      <div
        ref={list}
        role="listbox"
        aria-multiselectable="true"
        aria-busy={!read.data}
        aria-label="Market areas"
        tabIndex={0}
        {...links}
        aria-activedescendant={found[cursor] ? `${id}-${found[cursor].dma_code}` : undefined}
        onKeyDown={keys}
        style={{ gridTemplateRows: `repeat(${rows}, 28px)`, gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}
        className="group/list grid max-h-[420px] grid-flow-col gap-x-3 overflow-y-auto rounded-md border border-control bg-surface p-1"
      >
        {found.map((dma, index) => {
          const code = String(dma.dma_code)
          const is = ticked.has(code)
          const here = completes?.get(dma.dma_code) ?? 0
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
                'flex min-w-0 cursor-pointer items-center gap-2 rounded-sm px-1.5 hover:bg-hover',
                index === cursor &&
                  'group-focus-visible/list:bg-cursor group-focus-visible/list:shadow-[inset_2px_0_0_var(--accent)]',
              )}
            >
              {/* Screen readers hear the name first, though the rank is drawn before it. */}
              <span className="min-w-0 flex-1 truncate">{dma.dma_name}</span>
              <span className="shrink-0 font-mono text-meta text-faint">{code}</span>
              <span className="-order-1 w-7 shrink-0 text-right text-meta text-faint tabular-nums">
                {dma.rank ? (
                  <>
                    <span className="sr-only">rank </span>
                    {dma.rank}
                  </>
                ) : (
                  <span aria-hidden="true">–</span>
                )}
              </span>
              <span className="-order-2 inline-flex">
                <SelectionBox state={is} />
              </span>
              <span className={cx('w-10 shrink-0 text-right text-meta tabular-nums', here ? 'text-muted' : 'text-faint')}>
                {completes ? (
                  <>
                    {count(here)}
                    <span className="sr-only"> {here === 1 ? 'complete' : 'completes'}</span>
                  </>
                ) : (
                  ''
                )}
              </span>
            </div>
          )
        })}
        {!read.data && read.error && (
          <AnswerError slim what="The market areas" error={read.error} retry={read.retry} className="p-2" />
        )}
        {!read.data && !read.error && <p className="p-2 text-muted">Loading market areas</p>}
        {read.data && found.length === 0 && <p className="p-2 text-muted">No market area is called “{text.trim()}”.</p>}
      </div>
    </div>
  )
}
