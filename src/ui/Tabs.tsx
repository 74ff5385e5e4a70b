import type { ReactNode } from 'react'
import { useEffect, useRef } from 'react'
import { cx } from './cx.ts'
import { Kbd } from './Kbd.tsx'

/** One tab of a row. `controls` is the id of the panel it shows, when that is on the page; `domId` names the tab to its panel. */
export type TabItem = { id: string; label: ReactNode; kbd?: string; controls?: string; domId?: string; badge?: ReactNode }

/** A row of tabs with their digits. The caller decides what selecting does; arrows move and select, as the ARIA practice has it. */
export function Tabs({
  items,
  selected,
  onSelect,
  label,
  className,
}: {
  items: readonly TabItem[]
  selected: string
  onSelect: (id: string) => void
  label: string
  className?: string
}) {
  const list = useRef<HTMLDivElement>(null)
  // Rows too narrow for all tabs scroll; the chosen one is never out of sight.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it follows the choice
  useEffect(() => {
    const tab = list.current?.querySelector<HTMLElement>('[aria-selected=true]')
    // A row that is not on the page yet has no width, and nothing of it is out of sight.
    if (!tab || !list.current?.clientWidth) return
    const { offsetLeft, offsetWidth } = tab
    const { scrollLeft, clientWidth } = list.current
    if (offsetLeft < scrollLeft || offsetLeft + offsetWidth > scrollLeft + clientWidth) list.current.scrollLeft = offsetLeft - 24
  }, [selected])
  return (
    <div className={cx('shrink-0 border-b border-line', className)}>
      <div
        ref={list}
        role="tablist"
        aria-label={label}
        // What goes on to the right fades, so that a cut word is not read on in the next column.
        className="relative flex gap-0.5 overflow-x-auto pr-4 [mask-image:linear-gradient(to_right,#000_calc(100%-1rem),transparent)] [scrollbar-width:none]"
      >
        {items.map((item, at) => (
          <button
            key={item.id}
            type="button"
            role="tab"
            id={item.domId}
            aria-selected={item.id === selected}
            aria-controls={item.controls}
            tabIndex={item.id === selected ? 0 : -1}
            onClick={() => onSelect(item.id)}
            onKeyDown={(event) => {
              const step = { ArrowRight: at + 1, ArrowLeft: at - 1 + items.length, Home: 0, End: items.length - 1 }[event.key]
              if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return
              event.preventDefault()
              const next = items[step % items.length]!
              onSelect(next.id)
              list.current?.querySelectorAll<HTMLElement>('[role=tab]')[step % items.length]?.focus()
            }}
            className={cx(
              'flex h-8 shrink-0 items-center gap-1.5 whitespace-nowrap px-2 -outline-offset-2',
              item.id === selected ? 'font-medium text-ink shadow-[inset_0_-2px_var(--accent)]' : 'text-muted hover:text-ink',
            )}
          >
            {item.kbd && <Kbd keys={item.kbd} plain className="font-normal max-sm:hidden" />}
            {item.label}
            {item.badge}
          </button>
        ))}
      </div>
    </div>
  )
}
