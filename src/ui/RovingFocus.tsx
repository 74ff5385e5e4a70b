import { type KeyboardEvent, type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react'

const STEPS: Readonly<Record<string, 1 | -1>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }

/** Gives the buttons in a row one tab stop; the returned handler moves between them by arrows, or by `steps`. */
export function useRovingFocus(row: RefObject<HTMLElement | null>, of = 'button:not(:disabled)', steps = STEPS) {
  const at = useRef(0)
  const buttons = () => [...(row.current?.querySelectorAll<HTMLElement>(of) ?? [])]
  const settle = () => {
    const all = buttons()
    for (const [place, button] of all.entries()) button.tabIndex = place === Math.min(at.current, all.length - 1) ? 0 : -1
  }
  // Runs after every render, because buttons come and go.
  useLayoutEffect(settle)
  return (event: KeyboardEvent) => {
    const by = steps[event.key]
    const all = buttons()
    const from = all.indexOf(event.target as HTMLElement)
    if (!by || from < 0 || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
    at.current = Math.max(0, Math.min(from + by, all.length - 1))
    settle()
    all[at.current]?.focus()
    event.preventDefault()
    event.stopPropagation()
  }
}

/** Buttons in a row that share one tab stop; arrows move between them. */
export function RovingFocus({ label, children }: { label: string; children: ReactNode }) {
  const row = useRef<HTMLDivElement>(null)
  const keys = useRovingFocus(row)
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would want a legend of its own
    <div ref={row} role="group" aria-label={label} onKeyDown={keys} className="flex flex-wrap items-center gap-1.5">
      {children}
    </div>
  )
}
