import type { KeyboardEvent } from 'react'
import { useId } from 'react'

/**
 * The crosshair of a chart with labels: the highlighted label, and the callback for another one. Charts that share both
 * are highlighted together.
 */
export interface Lit {
  label: string | null
  set: (label: string | null) => void
}

/**
 * Makes rows with labels a list box that arrows and the pointer walk; the lit one is the selected option. Without `lit` nothing is added: a
 * chart that shares its crosshair with no other is just read.
 */
export function useLit(labels: readonly string[], lit: Lit | undefined) {
  const base = useId()
  const at = lit?.label == null ? -1 : labels.indexOf(lit.label)
  if (!lit) return { list: {}, row: () => ({}) }
  const walk = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
    const last = labels.length - 1
    const next = { ArrowDown: Math.min(last, at + 1), ArrowUp: Math.max(0, at < 0 ? last : at - 1), Home: 0, End: last }[
      event.key
    ]
    if (next === undefined) {
      if (event.key === 'Escape' && at >= 0) {
        event.stopPropagation()
        lit.set(null)
      }
      return
    }
    event.preventDefault()
    event.stopPropagation()
    lit.set(labels[next] ?? null)
  }
  return {
    list: {
      role: 'listbox',
      tabIndex: 0,
      'aria-activedescendant': at >= 0 ? `${base}-${at}` : undefined,
      onKeyDown: walk,
      onBlur: () => lit.set(null),
      onPointerLeave: () => lit.set(null),
    } as const,
    row: (label: string) => {
      const mine = labels.indexOf(label)
      return {
        role: 'option',
        id: `${base}-${mine}`,
        'aria-selected': mine === at,
        'data-lit': mine === at || undefined,
        onPointerEnter: () => lit.set(label),
      } as const
    },
  }
}
