import { useMemo, useRef, useState } from 'react'
import { PRESETS } from '../../../contract/dmaPresets.ts'
import { count } from '../../../contract/format.ts'
import { marketFields } from '../../../contract/targetFields.ts'
import { cx } from '../../ui/cx.ts'
import { RadioGroup } from '../../ui/RadioGroup.tsx'
import { SearchInput } from '../../ui/SearchInput.tsx'
import { FieldContext } from '../../ui/useField.ts'
import { useWidth } from '../../ui/useWidth.ts'
import { AreaListbox, areasFound } from './AreaListbox.tsx'
import { type Dma, type Dmas, labelOfSet, presetCodes } from './dma.ts'
import { byRank, columnsAt, readAreas, rowsFor } from './marketAreas.ts'
import { usePickKeys } from './usePickKeys.ts'

const NONE: readonly Dma[] = []
const PRESET_OPTIONS = PRESETS.map(({ label }) => ({ value: label, label }))

/**
 * Picks market areas: presets as a radio group, a search that accepts a pasted list, and three columns of 70.
 * The list is one tab stop: arrows move, Space selects; the search has the keys of `usePickKeys`.
 */
export function AreaPicker({
  read,
  value,
  onChange,
  onOnly,
  completes,
}: {
  read: Dmas
  value: readonly string[]
  onChange: (codes: string[]) => void
  /** Selects only one area; without it that isn't offered. */
  onOnly?: (code: string) => void
  /** Completes by area; undefined while they load. */
  completes?: ReadonlyMap<number, number> | undefined
}) {
  const [text, setText] = useState('')
  const [unknown, setUnknown] = useState<readonly string[]>([])
  const list = useRef<HTMLDivElement>(null)
  const width = useWidth(list)
  const dmas = read.data?.dmas ?? NONE
  const all = useMemo(() => byRank(dmas), [dmas])
  const ticked = useMemo(() => new Set(value), [value])
  const found = useMemo(() => areasFound(all, text), [all, text])
  const columns = columnsAt(width)
  const rows = rowsFor(found.length, columns)
  // Sorted by code, as the server stores them, so that toggling back leaves no change.
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
    const areas = readAreas(pasted, dmas)
    const several = /[\n\r\t;,]/.test(pasted.trim())
    if (!several && !areas.codes.length) return false
    onChange(inOrder(new Set([...ticked, ...areas.codes])))
    setUnknown(areas.unknown)
    setText('')
    return true
  }
  const pickKeys = usePickKeys({
    ...{ search: text, matches: found, all, onSearch: setText },
    isChosen: (dma) => ticked.has(String(dma.dma_code)),
    set(rows, on) {
      const next = new Set(ticked)
      for (const dma of rows) on ? next.add(String(dma.dma_code)) : next.delete(String(dma.dma_code))
      onChange(inOrder(next))
    },
    focusList: () => list.current?.focus(),
  })
  return (
    <div
      className="flex flex-col gap-2"
      data-reading={read.data || read.error ? undefined : 'all'}
      onPaste={(event) => {
        if (paste(event.clipboardData.getData('text'))) event.preventDefault()
      }}
      onKeyDownCapture={pickKeys}
    >
      {/* The presets are labelled by themselves, not by the field around them. */}
      <FieldContext value={null}>
        <RadioGroup
          label="Presets"
          value={(labelOfSet(dmas, value) ?? '') as (typeof PRESETS)[number]['label'] | ''}
          disabled={!read.data}
          options={PRESET_OPTIONS}
          onChange={(label) => onChange(inOrder(new Set(presetCodes(dmas, PRESETS.find((preset) => preset.label === label)!))))}
        />
      </FieldContext>
      <p className="text-meta text-muted">DMA: designated market area.</p>
      <div className="flex flex-wrap items-center gap-2">
        <SearchInput
          className="w-72 max-w-full"
          label="Search market areas"
          placeholder="Search, or paste codes or names"
          value={text}
          onChange={setText}
        />
        <span className="ml-auto text-meta text-muted tabular-nums" aria-live="polite" aria-atomic="true">
          {count(value.length)} of {count(dmas.length)} selected
        </span>
      </div>
      {unknown.length > 0 && (
        <p role="status" className="rounded-md bg-amber-wash px-2 py-1 text-amber-ink">
          Not a market area: {unknown.slice(0, 8).join(', ')}
          {unknown.length > 8 ? ` and ${count(unknown.length - 8)} more` : ''}.
        </p>
      )}
      <AreaListbox
        list={list}
        read={read}
        areas={found}
        search={text}
        chosen={ticked}
        onToggle={toggle}
        onOnly={onOnly}
        down={rows}
        label={marketFields.targeted_locations.label}
        style={{ gridTemplateRows: `repeat(${rows}, 28px)`, gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}
        className="max-h-[420px] grid-flow-col gap-x-3"
        row={(dma) => (
          <AreaRow dma={dma} shows={onOnly === undefined} completes={completes && (completes.get(dma.dma_code) ?? 0)} />
        )}
      />
    </div>
  )
}

/** An area's rank, name, code and completes. */
function AreaRow({ dma, shows, completes }: { dma: Dma; shows: boolean; completes: number | undefined }) {
  return (
    <>
      {/* The name comes first in the DOM, for screen readers, though the rank is drawn before it. */}
      <span className="min-w-0 flex-1 truncate">{dma.dma_name}</span>
      <span className="shrink-0 font-mono text-meta text-faint">{dma.dma_code}</span>
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
      {shows && (
        <span className={cx('w-10 shrink-0 text-right text-meta tabular-nums', completes ? 'text-muted' : 'text-faint')}>
          {completes !== undefined && (
            <>
              {count(completes)}
              <span className="sr-only"> {completes === 1 ? 'complete' : 'completes'}</span>
            </>
          )}
        </span>
      )}
    </>
  )
}
