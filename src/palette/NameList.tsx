import { useRef } from 'react'
import { useVirtualRows } from '../ui/grid/useVirtualRows.ts'

interface Named {
  id: number
  name: string
  /** Why it is skipped; shown after its name. */
  reason?: string
}
const ROW = 28

/** Lists records by name, each with a remark; virtualized, because there may be 100,000. */
export function NameList({
  label,
  rows,
  onLeave,
}: {
  label: string
  rows: readonly Named[]
  /** Returns the focus; without it, keys only scroll the list. */
  onLeave?: () => void
}) {
  const box = useRef<HTMLDivElement>(null)
  const { rows: drawn } = useVirtualRows({ scroller: box, count: rows.length, height: ROW, head: 0, cursor: -1, startTop: 0 })
  return (
    <section
      ref={box}
      aria-label={label}
      data-names=""
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
      tabIndex={0}
      onKeyDown={
        onLeave &&
        ((event) => {
          event.stopPropagation()
          if (!/^(Escape|Tab|Enter|Arrow(Left|Right)|Backspace)$/.test(event.key)) return
          event.preventDefault()
          if (event.key !== 'Enter') onLeave()
        })
      }
      className="mt-2 max-h-56 overflow-y-auto rounded-md border border-line"
    >
      <ul className="relative" style={{ height: rows.length * ROW }}>
        {drawn.map(({ index, start }) => {
          const { id, name, reason } = rows[index]!
          return (
            <li
              key={id}
              aria-setsize={rows.length}
              aria-posinset={index + 1}
              className="absolute inset-x-0 flex items-center gap-4 border-b border-line px-2.5"
              style={{ height: ROW, transform: `translateY(${start}px)` }}
            >
              <span dir="auto" className="min-w-0 truncate font-medium">
                {name}
              </span>
              {reason && (
                <span className="ml-auto min-w-0 shrink-0 max-w-[60%] truncate text-muted" title={reason}>
                  {reason}
                </span>
              )}
            </li>
          )
        })}
      </ul>
    </section>
  )
}

/** Scrolls the list of names by a page while the focus stays in the field. */
export function pageNames(within: Element | null | undefined, by: 1 | -1): void {
  const box = within?.querySelector('[data-names]') ?? within?.querySelector('[data-review-text]')
  box?.scrollBy({ top: by * (box.clientHeight - ROW) })
}
