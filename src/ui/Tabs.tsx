import * as Radix from '@radix-ui/react-tabs'
import type { ComponentProps, KeyboardEvent, ReactNode } from 'react'
import { useEffect, useRef } from 'react'
import { cx } from './cx.ts'
import { Kbd } from './Kbd.tsx'

/** One tab of a row. `controls` is the id of its panel, if that is on the page; `domId` names the tab to its panel. */
export type TabItem = { id: string; label: ReactNode; kbd?: string; controls?: string; domId?: string; badge?: ReactNode }

/** A row of tabs with their digits. The caller decides what selecting does; arrows move and select, as in the ARIA pattern. */
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
  const walk = (event: KeyboardEvent, at: number) => {
    const step = { ArrowRight: at + 1, ArrowLeft: at - 1 + items.length, Home: 0, End: items.length - 1 }[event.key]
    if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    onSelect(items[step % items.length]!.id)
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[step % items.length]?.focus()
  }
  return (
    <Radix.Root
      value={selected}
      // Focus alone selects nothing: a pane gives it back to the tab that had it, which may not be the one that shows.
      activationMode="manual"
      className={cx('shrink-0 border-b border-line', className)}
    >
      <Radix.List
        ref={list}
        aria-label={label}
        // The tab that shows is the stop of the row; a stop of the row itself would be one more.
        tabIndex={undefined}
        // What goes on to the right fades, so that a cut word is not read on in the next column.
        className="relative flex gap-0.5 overflow-x-auto pr-4 [mask-image:linear-gradient(to_right,#000_calc(100%-1rem),transparent)] [scrollbar-width:none]"
      >
        {items.map((item, at) => (
          <Radix.Trigger key={item.id} value={item.id} asChild>
            <Tab
              id={item.domId}
              aria-controls={item.controls}
              tabIndex={item.id === selected ? 0 : -1}
              onClick={() => onSelect(item.id)}
              onWalk={(event) => walk(event, at)}
              className={cx(
                'flex h-8 shrink-0 items-center gap-1.5 whitespace-nowrap px-2 -outline-offset-2',
                item.id === selected ? 'font-medium text-ink shadow-[inset_0_-2px_var(--accent)]' : 'text-muted hover:text-ink',
              )}
            >
              {item.kbd && <Kbd keys={item.kbd} plain className="font-normal max-sm:hidden" />}
              {item.label}
              {item.badge}
            </Tab>
          </Radix.Trigger>
        ))}
      </Radix.List>
    </Radix.Root>
  )
}

/**
 * A tab as Radix makes it, without Radix's handlers. They select when the mouse is pressed, take PageUp and PageDown from the
 * list below, and move the focus a task after an arrow, so that the second of two quick ones starts from the wrong tab.
 */
function Tab({
  onWalk,
  onKeyDown: _keys,
  onMouseDown: _press,
  ...rest
}: ComponentProps<'button'> & { onWalk: (event: KeyboardEvent) => void }) {
  return <button type="button" {...rest} onKeyDown={onWalk} />
}
