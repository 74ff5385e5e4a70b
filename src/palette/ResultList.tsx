// biome-ignore-all lint/a11y/useFocusableInteractive: the field holds the focus, aria-activedescendant names the row
// biome-ignore-all lint/a11y/useKeyWithClickEvents: keys come through the field
// biome-ignore-all lint/a11y/useSemanticElements: a listbox of rows is no select
import { memo, type PointerEvent, useLayoutEffect, useRef } from 'react'
import { CommandIcon } from '../runner/icons.tsx'
import { cx } from '../ui/cx.ts'
import { ariaKeys, Kbd } from '../ui/Kbd.tsx'
import type { Row, Section } from './paletteRows.ts'
import { Detail, Marked } from './rowParts.tsx'

interface Props {
  id: string
  /** The typed text; when it changes, the list scrolls to the top. */
  text: string
  sections: readonly Section[]
  /** The selected row's index among all; -1 for none. */
  selected: number
  /** Changes when a key moves the selection, to scroll the row into view. */
  moved: number
  onSelect(at: number): void
  onChoose(at: number): void
}

/** Returns the id of the row at an index, for aria-activedescendant. */
export const rowIdAt = (list: string, at: number): string => `${list}-${at}`

const placeOf = (event: { target: EventTarget | null }): number => {
  const row = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-row]') : null
  return row ? Number(row.id.slice(row.id.lastIndexOf('-') + 1)) : -1
}

/**
 * The palette's results. Rows keep their elements from letter to letter and only change their text:
 * cmdk creates twenty new ones instead, which is most of a keystroke's cost.
 */
export const ResultList = memo(function ResultList({ id, text, sections, selected, moved, onSelect, onChoose }: Props) {
  const list = useRef<HTMLDivElement>(null)
  const scrolled = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text alone
  useLayoutEffect(() => {
    // Only after scrolling, because setting it forces a layout.
    if (scrolled.current && list.current) list.current.scrollTop = 0
    scrolled.current = false
  }, [text])
  // biome-ignore lint/correctness/useExhaustiveDependencies: it follows the keys alone
  useLayoutEffect(() => {
    if (!moved) return
    const row = document.getElementById(rowIdAt(id, selected))
    // Scrolls to the heading above a section's first row.
    if (row?.previousElementSibling?.hasAttribute('data-heading')) row.previousElementSibling.scrollIntoView({ block: 'nearest' })
    row?.scrollIntoView({ block: 'nearest' })
  }, [moved])
  const follow = (event: PointerEvent) => {
    const at = placeOf(event)
    if (at >= 0 && at !== selected) onSelect(at)
  }
  let before = 0
  return (
    <div
      ref={list}
      id={id}
      role="listbox"
      aria-label="Suggestions"
      tabIndex={-1}
      onPointerMove={follow}
      onScroll={() => {
        scrolled.current = true
      }}
      onClick={(event) => {
        const at = placeOf(event)
        if (at >= 0) onChoose(at)
      }}
      className="min-h-0 overflow-y-auto border-t border-line pb-1"
    >
      {sections.map((section, place) => {
        const first = before
        before += section.rows.length
        return (
          <div key={place} role="group" aria-labelledby={`${id}-of-${place}`} className="px-1.5 pb-1.5">
            <div
              id={`${id}-of-${place}`}
              aria-hidden="true"
              data-heading=""
              className="px-2.5 pt-2 pb-1 text-meta font-medium text-faint"
            >
              {section.title}
            </div>
            {section.rows.map((row, at) => (
              <ResultRow key={at} id={rowIdAt(id, first + at)} row={row} selected={first + at === selected} />
            ))}
          </div>
        )
      })}
    </div>
  )
})

interface RowProps {
  id: string
  row: Row
  selected: boolean
}

/** A row: icon, title, detail and keys. A disabled command can be reached, so screen readers announce its reason. */
const ResultRow = memo(function ResultRow({ id, row, selected }: RowProps) {
  const off = row.reason !== null
  return (
    <div
      id={id}
      role="option"
      aria-selected={selected}
      aria-disabled={off || undefined}
      data-selected={selected}
      data-row={row.key}
      data-command={row.act.type === 'command' ? row.act.id : undefined}
      data-off={off ? '' : undefined}
      aria-keyshortcuts={ariaKeys(row.keys)}
      className="flex min-h-8 cursor-default select-none items-center gap-2.5 rounded-md px-2.5 py-1 [contain:content] data-[selected=true]:bg-accent-wash"
    >
      <span className={cx('grid w-4 shrink-0 place-items-center', off ? 'text-faint' : 'text-muted')}>
        <CommandIcon name={row.icon} />
      </span>
      <span className="flex min-w-0 flex-1 items-baseline gap-2.5">
        <span dir="auto" className={cx('shrink-0 truncate max-w-[70%]', off && 'text-faint')}>
          <Marked text={row.title} ranges={row.ranges} />
        </span>
        <Detail row={row} />
      </span>
      {row.keys && <Kbd mute keys={row.keys} className="shrink-0" />}
    </div>
  )
}, alike)

const sameRanges = (some: Row['ranges'], others: Row['ranges']): boolean =>
  some.length === others.length && some.every(([start, end], at) => start === others[at]![0] && end === others[at]![1])

function alike(a: RowProps, b: RowProps): boolean {
  const [one, other] = [a.row, b.row]
  return (
    a.id === b.id &&
    a.selected === b.selected &&
    (one === other ||
      (one.key === other.key &&
        one.title === other.title &&
        one.detail === other.detail &&
        one.icon === other.icon &&
        one.keys === other.keys &&
        one.reason === other.reason &&
        sameRanges(one.ranges, other.ranges) &&
        sameRanges(one.detailRanges ?? [], other.detailRanges ?? [])))
  )
}

/** Returns where a key moves the selection: by row, section (Alt) or to the ends (⌘, Home, End); null for others. */
export function moveBy(
  event: { key: string; altKey: boolean; metaKey: boolean },
  selected: number,
  sections: readonly Section[],
): number | null {
  const count = sections.reduce((sum, section) => sum + section.rows.length, 0)
  const way = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  if (event.key === 'Home' || (event.metaKey && way < 0)) return 0
  if (event.key === 'End' || (event.metaKey && way > 0)) return count - 1
  if (!way) return null
  if (!event.altKey) return Math.max(0, Math.min(count - 1, selected + way))
  const starts = sections.map((_, at) => sections.slice(0, at).reduce((sum, section) => sum + section.rows.length, 0))
  const now = starts.findLastIndex((start) => start <= selected)
  return starts[now + way] ?? selected
}
