import { type RefObject, useLayoutEffect, useState } from 'react'
import type { Needs } from './columns.ts'

/** What the columns of the lists shown last need, by the lists' labels: the next one with a label starts with it. */
const shown = new Map<string, Needs>()
const NONE: Needs = new Map()
/** Cells of a table that show no editor. */
const CELLS = '[data-head], [data-of]:not([data-editing])'

/**
 * The widths that a list's columns need for the content that is drawn. They only grow, so that columns rarely move:
 * they are read when `of` changes (other columns, another first row), not while rows scroll by.
 */
export function useNeeds(scroller: RefObject<HTMLElement | null>, label: string, isTable: boolean, of: string): Needs {
  const [needs, setNeeds] = useState(() => shown.get(label) ?? NONE)
  const [spacing, setSpacing] = useState(0)
  useLayoutEffect(() => {
    const probe = scroller.current?.querySelector('[data-probe]')
    if (!probe) return
    let last = 0
    // Another font, text size or text spacing: everything needs another width.
    const observer = new ResizeObserver(() => {
      const width = Math.round(probe.getBoundingClientRect().width)
      if (last && width !== last) {
        shown.delete(label)
        setNeeds(NONE)
        setSpacing(width)
      }
      last = width
    })
    observer.observe(probe)
    return () => observer.disconnect()
  }, [scroller, label])
  // biome-ignore lint/correctness/useExhaustiveDependencies: `of` and `spacing` say when there is something to read
  useLayoutEffect(() => {
    if (!isTable || !scroller.current) return
    const read = widths(scroller.current)
    setNeeds((before) => {
      const grown = [...read].filter(([id, width]) => width > (before.get(id) ?? 0))
      if (grown.length === 0) return before
      const next = new Map([...before, ...grown])
      shown.set(label, next)
      return next
    })
  }, [scroller, label, isTable, of, spacing])
  return needs
}

/** Reads the widths of the content: one layout without the columns' widths, which isn't painted. */
function widths(scroller: HTMLElement): Map<string, number> {
  const read = new Map<string, number>()
  scroller.toggleAttribute('data-measuring', true)
  for (const cell of scroller.querySelectorAll<HTMLElement>(CELLS)) {
    const id = cell.dataset.head ?? cell.dataset.of!
    read.set(id, Math.max(read.get(id) ?? 0, Math.ceil(cell.getBoundingClientRect().width)))
  }
  scroller.toggleAttribute('data-measuring', false)
  return read
}
