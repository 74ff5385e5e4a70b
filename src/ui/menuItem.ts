import type { ReactNode } from 'react'

/** One line of a menu. `reason` greys it out and says why beneath; `checked` makes it a choice that is on or off. */
export type MenuItem = {
  id: string
  label: string
  icon?: ReactNode
  kbd?: string
  reason?: string | null
  danger?: boolean
  checked?: boolean
  /** One of several choices: the menu stays open for the next. */
  stays?: boolean
  onSelect: () => void
}

export type MenuProps = {
  trigger: ReactNode
  /** Its lines; a function is asked when it opens. */
  items: readonly (MenuItem | null)[] | (() => readonly (MenuItem | null)[])
  /** What its lines are made of, fetched before it first opens. */
  prepare?: () => Promise<unknown>
  label?: string
  align?: 'start' | 'end'
  open?: boolean
  onOpenChange?: (open: boolean) => void
  /** Gives the focus to something else than the trigger once a line was chosen. */
  onChosen?: () => void
}
