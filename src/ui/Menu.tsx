import * as Radix from '@radix-ui/react-dropdown-menu'
import { Check, MoreHorizontal } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { IconButton } from './Button.tsx'
import { cx } from './cx.ts'
import { Kbd } from './Kbd.tsx'

/** One line of a menu. `reason` greys it out and says why beneath; `checked` makes it a choice that is on or off. */
export type MenuItem = {
  id: string
  label: string
  icon?: ReactNode
  kbd?: string
  reason?: string | null
  danger?: boolean
  checked?: boolean
  onSelect: () => void
}

/** A menu that falls from its trigger; null between items draws a line. The trigger is one element that takes a ref and props. */
export function Menu({
  trigger,
  items,
  label,
  align = 'end',
  open,
  onOpenChange,
}: {
  trigger: ReactNode
  items: readonly (MenuItem | null)[]
  label?: string
  align?: 'start' | 'end'
  open?: boolean
  onOpenChange?: (open: boolean) => void
}) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange} modal={false}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align={align}
          sideOffset={4}
          collisionPadding={8}
          aria-label={label}
          className="floats z-50 max-h-(--radix-dropdown-menu-content-available-height) min-w-48 max-w-80 overflow-y-auto rounded-lg border border-edge bg-raised p-1 shadow-float outline-none"
        >
          {items.map((item, at) =>
            item ? <MenuRow key={item.id} item={item} /> : <Radix.Separator key={`line${at}`} className="my-1 h-px bg-line" />,
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

function MenuRow({ item }: { item: MenuItem }) {
  // Greyed, but reachable: who lands on it hears why.
  const props = {
    'aria-disabled': item.reason ? true : undefined,
    onSelect: (event: Event) => (item.reason ? event.preventDefault() : item.onSelect()),
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

/**
 * The menu at the end of a list's row: a plain button until it is asked for, so that a hundred rows cost a hundred buttons and no menus.
 * `items` is called when it opens.
 */
export function RowMenu({ label, items }: { label: string; items: () => readonly (MenuItem | null)[] }) {
  const [asked, setAsked] = useState(false)
  const [open, setOpen] = useState(false)
  const button = (
    <IconButton
      label={label}
      tabIndex={-1}
      data-row-menu=""
      aria-haspopup="menu"
      onClick={
        asked
          ? undefined
          : () => {
              setAsked(true)
              setOpen(true)
            }
      }
    >
      <MoreHorizontal size={14} aria-hidden="true" />
    </IconButton>
  )
  return asked ? <Menu trigger={button} items={open ? items() : []} label={label} open={open} onOpenChange={setOpen} /> : button
}
