import type { MouseEvent, ReactNode } from 'react'

/** A menu item. `reason` greys it out and explains why; `checked` makes it a toggle, or with `one` a radio item. */
export type MenuItem = {
  id: string
  label: string
  icon?: ReactNode
  kbd?: string
  reason?: string | null
  danger?: boolean
  checked?: boolean
  /** Choosing it unchecks the others: a radio item. */
  one?: boolean
  /** Keeps the menu open for another choice. */
  stays?: boolean
  onSelect: () => void
}

export type MenuProps = {
  trigger: ReactNode
  /** The items; a function is called when the menu opens. */
  items: readonly (MenuItem | null)[] | (() => readonly (MenuItem | null)[])
  /** Loads what the items need, before the menu first opens. */
  prepare?: () => Promise<unknown>
  label?: string
  align?: 'start' | 'end'
  open?: boolean
  onOpenChange?: (open: boolean) => void
  /** Called after a choice to move the focus elsewhere than to the trigger. */
  onChosen?: () => void
  /** Called on close to set the focus, if nothing focusable opened the menu. */
  onLeft?: () => void
}

/** Returns the element that has the focus while a command clicks a menu's trigger; null for the person's own click. */
export function openerOf(event: MouseEvent): HTMLElement | null {
  const focused = document.activeElement
  const own = event.detail > 0 || focused === event.currentTarget || focused === document.body
  return own ? null : (focused as HTMLElement | null)
}
