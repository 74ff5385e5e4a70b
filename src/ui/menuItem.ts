import type { ReactNode } from 'react'

/** A menu item. `reason` greys it out and explains why; `checked` makes it a toggle, with `one` the choice of one. */
export type MenuItem = {
  id: string
  label: string
  icon?: ReactNode
  kbd?: string
  reason?: string | null
  danger?: boolean
  checked?: boolean
  /** One of several excludes the others: a radio item. */
  one?: boolean
  /** The menu stays open, for the next of several choices. */
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
  /** Moves the focus elsewhere than the trigger after a choice. */
  onChosen?: () => void
  /** Takes the focus whenever it closes, where nothing that can have it opened the menu. */
  onLeft?: () => void
}
