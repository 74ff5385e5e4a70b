import type { KeyboardEvent } from 'react'
import { useId } from 'react'

/** The crosshair of a labeled chart: the highlighted label and its setter. Charts that share both move together. */
export interface Hover {
  label: string | null
  set: (label: string | null) => void
}

/**
 * Makes labeled rows a listbox for arrow keys and pointer; the row at the crosshair is selected.
 * Does nothing without `hover`, for a chart that has no shared crosshair.
 */
export function useHover(labels: readonly string[], hover: Hover | undefined) {
  const base = useId()
  const at = hover?.label == null ? -1 : labels.indexOf(hover.label)
  if (!hover) return { list: {}, row: () => ({}) }
  const walk = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
    const last = labels.length - 1
    const next = { ArrowDown: Math.min(last, at + 1), ArrowUp: Math.max(0, at < 0 ? last : at - 1), Home: 0, End: last }[
      event.key
    ]
    if (next === undefined) {
      if (event.key === 'Escape' && at >= 0) {
        event.stopPropagation()
        hover.set(null)
      }
      return
    }
    event.preventDefault()
    event.stopPropagation()
    hover.set(labels[next] ?? null)
  }
  return {
    list: {
      role: 'listbox',
      tabIndex: 0,
      'aria-activedescendant': at >= 0 ? `${base}-${at}` : undefined,
      onKeyDown: walk,
      onBlur: () => hover.set(null),
      onPointerLeave: () => hover.set(null),
    } as const,
    row: (label: string) => {
      const mine = labels.indexOf(label)
      return {
        role: 'option',
        id: `${base}-${mine}`,
        'aria-selected': mine === at,
        'data-hovered': mine === at || undefined,
        onPointerEnter: () => hover.set(label),
      } as const
    },
  }
}
