import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { cx } from './cx.ts'
import { SelectionBox } from './SelectionBox.tsx'
import { useField } from './useField.ts'

/** A checkbox that sets several values: "18+", "All". It isn't a value itself (decisions.md 9). */
export interface GroupShortcut<V> {
  label: string
  values: readonly V[]
}

/**
 * Checkboxes of one question as one tab stop: arrows move, Space toggles, Mod+A toggles all.
 * A shortcut selects its values, and is unchecked when one of them is.
 */
export function RovingFocusGroup<V extends string | number>({
  options,
  shortcuts,
  value,
  onChange,
  beside,
}: {
  options: readonly { value: V; label: string }[]
  shortcuts: readonly GroupShortcut<V>[]
  value: readonly V[]
  onChange: (value: V[]) => void
  /** Content next to an option, such as a figure. */
  beside?: (value: V) => ReactNode
}) {
  const { 'aria-invalid': _invalid, 'aria-required': _required, ...links } = useField()
  const boxes = useRef<HTMLDivElement>(null)
  const [at, setAt] = useState(0)
  const ticked = new Set(value)
  const keep = (next: ReadonlySet<V>) => onChange(options.map((option) => option.value).filter((each) => next.has(each)))
  const toggleAll = (values: readonly V[]) => {
    const every = values.every((each) => ticked.has(each))
    const next = new Set(ticked)
    for (const each of values) every ? next.delete(each) : next.add(each)
    keep(next)
  }
  const rows = [
    ...shortcuts.map((shortcut) => {
      const held = shortcut.values.filter((each) => ticked.has(each)).length
      const state: boolean | 'some' = held === shortcut.values.length ? true : held > 0 ? 'some' : false
      return {
        key: shortcut.label,
        label: shortcut.label,
        state,
        strong: true,
        figure: null,
        toggle: () => toggleAll(shortcut.values),
      }
    }),
    ...options.map((option) => ({
      key: String(option.value),
      label: option.label,
      state: ticked.has(option.value),
      strong: false,
      figure: beside?.(option.value) ?? null,
      toggle: () => toggleAll([option.value]),
    })),
  ]
  const go = (next: number) => {
    const to = Math.max(0, Math.min(next, rows.length - 1))
    setAt(to)
    boxes.current?.querySelectorAll<HTMLElement>('[role=checkbox]')[to]?.focus()
  }
  const keys = (event: KeyboardEvent) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'a') toggleAll(options.map((option) => option.value))
    else if (event.ctrlKey || event.metaKey || event.altKey) return
    else if (event.key === 'ArrowDown' || event.key === 'ArrowRight') go(at + 1)
    else if (event.key === 'ArrowUp' || event.key === 'ArrowLeft') go(at - 1)
    else if (event.key === 'Home') go(0)
    else if (event.key === 'End') go(rows.length - 1)
    else if (event.key === ' ') rows[at]?.toggle()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: the field's label names the group; a fieldset would want a legend of its own
    <div ref={boxes} role="group" {...links} className="flex flex-col gap-px">
      {rows.map((row, index) => (
        // biome-ignore lint/a11y/useSemanticElements: only one box of the group takes part in Tab, which an input can't say alone
        <div
          key={row.key}
          role="checkbox"
          aria-checked={row.state === 'some' ? 'mixed' : row.state}
          aria-label={row.label}
          tabIndex={index === at ? 0 : -1}
          onKeyDown={keys}
          onFocus={() => setAt(index)}
          onClick={row.toggle}
          className={cx(
            'flex min-h-7 cursor-pointer items-center gap-2 rounded-sm px-1.5 hover:bg-hover focus-visible:outline-2 focus-visible:outline-offset-[-2px] focus-visible:outline-accent',
            row.strong && 'font-medium',
          )}
        >
          <SelectionBox state={row.state} />
          <span className="min-w-0 truncate">{row.label}</span>
          {row.figure !== null && <span className="ml-auto shrink-0 text-meta text-muted tabular-nums">{row.figure}</span>}
        </div>
      ))}
    </div>
  )
}
