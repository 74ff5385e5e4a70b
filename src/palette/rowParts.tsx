import { Command } from 'cmdk'
import { memo, type ReactNode } from 'react'
import { stripBidi } from '../../contract/bidi.ts'
import { CommandIcon } from '../runner/icons.tsx'
import { cx } from '../ui/cx.ts'
import { ariaKeys, Kbd } from '../ui/Kbd.tsx'
import { SelectionBox } from '../ui/SelectionBox.tsx'
import type { Row } from './paletteRows.ts'

/** A title with its matched letters highlighted. */
export function Marked({ text, ranges }: { text: string; ranges: Row['ranges'] }) {
  const parts: ReactNode[] = []
  let at = 0
  for (const [start, end] of ranges) {
    if (start < at) continue
    parts.push(
      text.slice(at, start),
      <b key={parts.length} className="font-semibold text-accent-ink">
        {text.slice(start, end)}
      </b>,
    )
    at = end
  }
  parts.push(text.slice(at))
  return <>{parts}</>
}

/** A row's second text, with its matches highlighted. */
export function Detail({ row }: { row: Row }) {
  const text = stripBidi(row.detail)
  // If the text lost a character, the ranges don't fit.
  const ranges = text.length === row.detail.length ? (row.detailRanges ?? []) : []
  return (
    <span className="min-w-0 truncate text-meta text-muted">
      <Marked text={text} ranges={ranges} />
    </span>
  )
}

/** A palette row: icon, title, detail and keys. */
export function Item({ row, ticked, onSelect }: { row: Row; ticked?: boolean; onSelect: () => void }) {
  return (
    <Line
      value={row.key}
      icon={ticked === undefined ? <CommandIcon name={row.icon} /> : <SelectionBox state={ticked} />}
      ticked={ticked}
      off={row.reason !== null}
      keys={row.keys}
      onSelect={onSelect}
      command={row.act.type === 'command' ? row.act.id : undefined}
    >
      <span dir="auto" className={cx('shrink-0 truncate max-w-[70%]', row.reason && 'text-faint')}>
        <Marked text={row.title} ranges={row.ranges} />
      </span>
      <Detail row={row} />
    </Line>
  )
}

/** A selectable line; `off` greys it out but keeps it reachable, so that screen readers announce its reason. */
export function Line({
  value,
  icon,
  keys,
  off,
  command,
  ticked,
  onSelect,
  children,
}: {
  value: string
  icon?: ReactNode
  keys?: string | null
  off?: boolean
  command?: string
  /** In a multi-select: whether it is selected. */
  ticked?: boolean
  onSelect: () => void
  children: ReactNode
}) {
  return (
    <Command.Item
      value={value}
      onSelect={onSelect}
      data-row={value}
      data-command={command}
      data-off={off ? '' : undefined}
      aria-checked={ticked}
      aria-keyshortcuts={ariaKeys(keys)}
      className="flex min-h-8 cursor-default select-none items-center gap-2.5 rounded-md px-2.5 py-1 data-[selected=true]:bg-accent-wash"
    >
      <span className={cx('grid w-4 shrink-0 place-items-center', off ? 'text-faint' : 'text-muted')}>{icon}</span>
      <span className="flex min-w-0 flex-1 items-baseline gap-2.5">{children}</span>
      {keys && <Kbd mute keys={keys} className="shrink-0" />}
    </Command.Item>
  )
}

/** A titled group of rows. */
export function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Command.Group
      heading={title}
      className="px-1.5 pb-1.5 [&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-meta [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-faint"
    >
      {children}
    </Command.Group>
  )
}

/** The palette's key hints, in its footer. */
export const Foot = memo(function Foot({ hints }: { hints: readonly (readonly [keys: string, what: string])[] }) {
  return (
    <ul
      aria-label="Keys of the palette"
      className="flex flex-wrap gap-x-4 gap-y-1 border-t border-line px-4 py-2 text-meta text-muted max-sm:hidden"
    >
      {hints.map(([keys, what]) => (
        <li key={keys + what} className="flex items-center gap-1.5">
          <Kbd keys={keys} />
          {what}
        </li>
      ))}
    </ul>
  )
})
