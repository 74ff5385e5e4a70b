import * as Radix from '@radix-ui/react-tabs'
import type { ComponentProps, KeyboardEvent, MouseEvent, ReactNode } from 'react'
import { useEffect, useRef } from 'react'
import { cx } from './cx.ts'
import { ariaKeys, Kbd } from './Kbd.tsx'
import { scrollToTab } from './scrollToTab.ts'

/** A tab. `controls` is the id of its panel, if rendered; `domId` is the tab's own id, for its panel. */
export type TabItem = {
  id: string
  label: ReactNode
  kbd?: string
  controls?: string
  domId?: string
  badge?: ReactNode
  /** If set, the tab is a link to this URL. */
  href?: string
}

/** A row of tabs with their digits. Arrows move and select, as in the ARIA pattern; the caller handles selection. */
export function Tabs({
  items,
  selected,
  onSelect,
  onOpen,
  onMenu,
  onMenuKey,
  label,
  className,
}: {
  items: readonly TabItem[]
  selected: string
  onSelect: (id: string) => void
  /** A click on a link tab with a modifier key or the middle button; returns false to only select the tab. */
  onOpen?: (id: string, event: MouseEvent) => boolean
  onMenu?: (id: string, event: MouseEvent<HTMLElement>) => void
  onMenuKey?: (event: KeyboardEvent<HTMLElement>) => boolean
  label: string
  className?: string
}) {
  const list = useRef<HTMLDivElement>(null)
  // A row too narrow for its tabs scrolls to keep the selected one visible.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it follows the choice
  useEffect(() => {
    const row = list.current!
    // The last 16 px are faded.
    const show = () => scrollToTab(row, 16)
    show()
    // Resizing cuts off another end, and a count that loads later moves the tabs behind it.
    const observer = new ResizeObserver(show)
    for (const one of [row, ...[...row.children].slice(0, -1)]) observer.observe(one)
    return () => observer.disconnect()
  }, [selected, items.length])
  const walk = (event: KeyboardEvent<HTMLElement>, at: number) => {
    if (onMenuKey?.(event)) return
    if (event.key === ' ' && items[at]!.href) {
      event.preventDefault()
      return onSelect(items[at]!.id)
    }
    const step = { ArrowRight: at + 1, ArrowLeft: at - 1 + items.length, Home: 0, End: items.length - 1 }[event.key]
    if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    onSelect(items[step % items.length]!.id)
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[step % items.length]?.focus()
  }
  return (
    <Radix.Root
      value={selected}
      // Focus alone doesn't select: a pane restores it to the last focused tab, which may not be the one shown.
      activationMode="manual"
      className={cx('shrink-0 border-b border-line', className)}
    >
      <Radix.List
        ref={list}
        aria-label={label}
        // The selected tab is the row's tab stop; the row itself would be a second one.
        tabIndex={undefined}
        // Fades the right edge, so a cut word doesn't seem to continue in the next column.
        className="relative flex gap-0.5 overflow-x-auto pr-4 [mask-image:linear-gradient(to_right,#000_calc(100%-1rem),transparent)] [scrollbar-width:none]"
      >
        {items.map((item, at) => (
          <Radix.Trigger key={item.id} value={item.id} asChild>
            <Tab
              id={item.domId}
              aria-controls={item.controls}
              aria-keyshortcuts={ariaKeys(item.kbd)}
              tabIndex={item.id === selected ? 0 : -1}
              href={item.href}
              onClick={(event) => {
                event.preventDefault()
                if (!onOpen?.(item.id, event)) onSelect(item.id)
              }}
              onAuxClick={(event) => event.button === 1 && onOpen?.(item.id, event) && event.preventDefault()}
              onContextMenu={onMenu && ((event) => onMenu(item.id, event))}
              onWalk={(event) => walk(event, at)}
              className={cx(
                'flex h-8 shrink-0 items-center gap-1.5 whitespace-nowrap px-2 -outline-offset-2',
                item.id === selected ? 'font-medium text-ink shadow-[inset_0_-2px_var(--accent)]' : 'text-muted hover:text-ink',
              )}
            >
              {item.kbd && <Kbd mute keys={item.kbd} plain className="font-normal max-sm:hidden" />}
              <span data-tab-name="">{item.label}</span>
              {item.badge}
            </Tab>
          </Radix.Trigger>
        ))}
        <span aria-hidden="true" className="shrink-0" />
      </Radix.List>
    </Radix.Root>
  )
}

/**
 * A Radix tab without Radix's handlers, which select on mouse down and take PageUp and PageDown from the list.
 * They also move the focus a task late, so the second of two quick arrows starts from the wrong tab.
 */
function Tab({
  onWalk,
  onKeyDown: _keys,
  onMouseDown: _press,
  href,
  ...rest
}: Omit<ComponentProps<'button'>, 'onClick' | 'onAuxClick' | 'onContextMenu'> & {
  href: string | undefined
  onWalk: (event: KeyboardEvent<HTMLElement>) => void
  onClick: (event: MouseEvent<HTMLElement>) => void
  onAuxClick: (event: MouseEvent<HTMLElement>) => void
  onContextMenu: ((event: MouseEvent<HTMLElement>) => void) | undefined
}) {
  if (href === undefined) return <button type="button" {...rest} onKeyDown={onWalk} />
  const { type: _type, disabled: _disabled, ref, ...link } = rest as ComponentProps<'a'> & { disabled?: boolean }
  return <a {...link} ref={ref} href={href} data-view="" onKeyDown={onWalk} />
}
