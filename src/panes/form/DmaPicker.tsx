import { useMemo, useRef, useState } from 'react'
import { PRESETS } from '../../../contract/dmaPresets.ts'
import { cx } from '../../ui/cx.ts'
import { Digit } from '../../ui/Digit.tsx'
import { RovingFocus } from '../../ui/RovingFocus.tsx'
import { SearchInput } from '../../ui/SearchInput.tsx'
import { AreaListbox, areasFound } from '../shared/AreaListbox.tsx'
import { type Dma, type Dmas, labelOfSet, presetCodes } from '../shared/dma.ts'
import { usePickKeys } from '../shared/usePickKeys.ts'

/**
 * Picks market areas by search and preset; the list is one tab stop. Presets wait for it, or they would select nothing.
 * Arrows move, Space selects; the search has the keys of `usePickKeys`.
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
  const list = useRef<HTMLDivElement>(null)
  const dmas = read.data?.dmas ?? NONE
  const ticked = useMemo(() => new Set(value), [value])
  const found = useMemo(() => areasFound(dmas, text), [dmas, text])
  const toggle = (code: string) => onChange(ticked.has(code) ? value.filter((one) => one !== code) : [...value, code])
  const pickKeys = usePickKeys({
    ...{ search: text, matches: found, all: dmas, onSearch: setText },
    isChosen: (dma) => ticked.has(String(dma.dma_code)),
    set(rows, on) {
      const codes = rows.map((dma) => String(dma.dma_code))
      onChange(on ? [...new Set([...value, ...codes])] : value.filter((code) => !codes.includes(code)))
    },
    focusList: () => list.current?.focus(),
  })
  return (
    <div className="flex flex-col gap-2" data-reading={read.data || read.error ? undefined : 'all'} onKeyDownCapture={pickKeys}>
      <div className="flex flex-wrap items-center gap-1.5">
        <SearchInput
          className="w-56 max-w-full"
          label="Search market areas"
          placeholder="Search 210 market areas"
          value={text}
          onChange={setText}
        />
        <RovingFocus label="Sets of market areas">
          {PRESETS.map((preset, at) => {
            const codes = presetCodes(dmas, preset)
            const is = labelOfSet(dmas, value) === preset.label
            return (
              <button
                key={preset.label}
                type="button"
                aria-pressed={is}
                aria-disabled={!read.data || undefined}
                onClick={() => read.data && onChange(is ? [] : codes)}
                className={cx(
                  'h-7 rounded-md border px-2 text-meta aria-disabled:text-faint',
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
        </RovingFocus>
        <span className="ml-auto text-meta text-muted tabular-nums" aria-live="polite" aria-atomic="true">
          {value.length ? (labelOfSet(dmas, value) ?? `${value.length} selected`) : 'none selected'}
        </span>
      </div>
      <p className="text-meta text-muted">DMA: designated market area.</p>
      <AreaListbox
        list={list}
        read={read}
        areas={found}
        search={text}
        chosen={ticked}
        onToggle={toggle}
        className="h-56 auto-rows-[28px] grid-cols-[repeat(auto-fill,minmax(180px,1fr))] content-start"
      />
    </div>
  )
}

const NONE: readonly Dma[] = []
