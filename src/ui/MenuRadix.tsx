import * as Radix from '@radix-ui/react-dropdown-menu'
import { Check } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { cx } from './cx.ts'
import { Kbd } from './Kbd.tsx'
import type { MenuItem, MenuProps } from './menuItem.ts'

/** The menu and its dependencies; Menu.tsx loads it on first open. */
export function MenuRadix({
  trigger,
  items,
  label,
  align = 'end',
  open,
  onOpenChange,
  onChosen,
  first,
}: Omit<MenuProps, 'items' | 'prepare'> & {
  items: readonly (MenuItem | null)[]
  /** Focuses the first item when a key opened the menu before this code had loaded. */
  first?: boolean
}) {
  const content = useRef<HTMLDivElement>(null)
  const chosen = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it comes
  useEffect(() => {
    if (!first) return
    const frame = requestAnimationFrame(() => content.current?.querySelector<HTMLElement>('[role^=menuitem]')?.focus())
    return () => cancelAnimationFrame(frame)
  }, [])
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange} modal={false}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          ref={content}
          align={align}
          sideOffset={4}
          collisionPadding={8}
          aria-label={label}
          onCloseAutoFocus={(event) => {
            const was = chosen.current
            chosen.current = false
            if (!was || !onChosen) return
            event.preventDefault()
            onChosen()
          }}
          className="floats z-50 max-h-(--radix-dropdown-menu-content-available-height) min-w-48 max-w-80 overflow-y-auto rounded-lg border border-edge bg-raised p-1 shadow-float outline-none"
        >
          {items.map((item, at) =>
            item ? (
              <MenuRow
                key={item.id}
                item={item}
                onChosen={() => {
                  chosen.current = true
                }}
              />
            ) : (
              <Radix.Separator key={`line${at}`} className="my-1 h-px bg-line" />
            ),
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

function MenuRow({ item, onChosen }: { item: MenuItem; onChosen: () => void }) {
  // Greyed but focusable, so screen readers announce the reason.
  const props = {
    'data-item': item.id,
    'aria-disabled': item.reason ? true : undefined,
    onSelect: (event: Event) => {
      if (item.reason || item.stays) event.preventDefault()
      if (item.reason) return
      if (!item.stays) onChosen()
      item.onSelect()
    },
    className: cx(
      'flex min-h-7 cursor-default select-none items-center gap-2 rounded-md px-2 py-1 outline-none data-highlighted:bg-accent-wash',
      item.reason ? 'text-faint' : item.danger ? 'text-red-ink' : 'text-ink',
    ),
  }
  const inside = (
    <>
      {(item.icon || item.checked !== undefined) && (
        <span className="grid w-4 shrink-0 place-items-center text-muted">
          {item.checked ? <Check size={14} aria-hidden="true" /> : item.icon}
        </span>
      )}
      <span className="min-w-0 flex-1">
        <span className="block truncate">{item.label}</span>
        {item.reason && <span className="block text-meta text-faint">{item.reason}</span>}
      </span>
      {item.kbd && <Kbd keys={item.kbd} plain className="ml-4" />}
    </>
  )
  return item.checked === undefined ? (
    <Radix.Item {...props}>{inside}</Radix.Item>
  ) : (
    <Radix.CheckboxItem checked={item.checked} {...props}>
      {inside}
    </Radix.CheckboxItem>
  )
}
