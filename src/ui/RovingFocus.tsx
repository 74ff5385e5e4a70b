import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef } from 'react'

const STEPS: Readonly<Record<string, 1 | -1>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }

/** Buttons in a row that share one tab stop; arrows move between them. */
export function RovingFocus({ label, children }: { label: string; children: ReactNode }) {
  const row = useRef<HTMLDivElement>(null)
  const at = useRef(0)
  const buttons = () => [...(row.current?.querySelectorAll<HTMLButtonElement>('button:not(:disabled)') ?? [])]
  const settle = () => {
    for (const [place, button] of buttons().entries())
      button.tabIndex = place === Math.min(at.current, buttons().length - 1) ? 0 : -1
  }
  // Runs after every render, because buttons come and go.
  useLayoutEffect(settle)
  const keys = (event: KeyboardEvent) => {
    const by = STEPS[event.key]
    if (!by || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
    const all = buttons()
    at.current = Math.max(0, Math.min(all.indexOf(event.target as HTMLButtonElement) + by, all.length - 1))
    settle()
    all[at.current]?.focus()
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would want a legend of its own
    <div ref={row} role="group" aria-label={label} onKeyDown={keys} className="flex flex-wrap items-center gap-1.5">
      {children}
    </div>
  )
}
