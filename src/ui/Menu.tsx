import {
  cloneElement,
  isValidElement,
  type KeyboardEvent,
  type MouseEvent,
  type ReactElement,
  useEffect,
  useRef,
  useState,
} from 'react'
import { IconButton } from './Button.tsx'
import type { MenuRadix } from './MenuRadix.tsx'
import { type MenuItem, type MenuProps, openerOf } from './menuItem.ts'

let loaded: typeof MenuRadix | null = null
const load = () =>
  import('./MenuRadix.tsx').then((module) => {
    loaded = module.MenuRadix
  })

/**
 * A dropdown menu; null draws a separator. Its code is a fifth of the first load, so it loads when first opened.
 * `keyed` opens it by keyboard. The trigger is one element that takes a ref and props.
 */
export function Menu({ open, onOpenChange, keyed = false, prepare, items, ...rest }: MenuProps & { keyed?: boolean }) {
  const [own, setOwn] = useState(false)
  const [Shown, setShown] = useState<{ it: typeof MenuRadix } | null>(null)
  const byKey = useRef(keyed)
  const opener = useRef<HTMLElement>(null)
  const isOpen = open ?? own
  const change = (next: boolean) => {
    if (open === undefined) setOwn(next)
    onOpenChange?.(next)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: what its lines are made of is fetched once
  useEffect(() => {
    if (!isOpen || Shown) return
    let here = true
    void Promise.all([loaded ?? load(), prepare?.()]).then(() => here && loaded && setShown({ it: loaded }))
    return () => {
      here = false
    }
  }, [isOpen, Shown])
  const lines = typeof items !== 'function' ? items : isOpen ? items() : []
  if (Shown) return <Shown.it {...rest} items={lines} open={isOpen} onOpenChange={change} first={byKey.current} opener={opener} />
  const { trigger } = rest
  if (!isValidElement(trigger)) return trigger
  const element = trigger as ReactElement<{ onClick?: (event: unknown) => void; onKeyDown?: (event: KeyboardEvent) => void }>
  return cloneElement(element as ReactElement<Record<string, unknown>>, {
    'aria-haspopup': 'menu',
    'aria-expanded': isOpen,
    onClick: (event: MouseEvent) => {
      element.props.onClick?.(event)
      byKey.current = event.detail === 0
      opener.current = openerOf(event)
      change(!isOpen)
    },
    // Matches the Radix trigger, which replaces it once loaded.
    onKeyDown: (event: KeyboardEvent) => {
      element.props.onKeyDown?.(event)
      if (event.key !== 'ArrowDown' || event.altKey || event.ctrlKey || event.metaKey) return
      event.preventDefault()
      byKey.current = true
      change(true)
    },
  })
}

/** The three dots of a menu's button, in one path, as every row has them. */
export const DOTS = (
  <svg viewBox="0 0 24 24" width="14" height="14" aria-hidden="true" stroke="currentColor" strokeWidth="4" strokeLinecap="round">
    <path d="M5 12h0m7 0h0m7 0h0" />
  </svg>
)

/** A list row's menu: a plain button until opened, as a hundred menus cost too much. `items` is called on open. */
export function RowMenu(props: { label: string; items: () => readonly (MenuItem | null)[]; prepare?: MenuProps['prepare'] }) {
  const [requested, setRequested] = useState(false)
  const [open, setOpen] = useState(false)
  const keyed = useRef(false)
  const button = (
    <IconButton
      label={props.label}
      tabIndex={-1}
      data-row-menu=""
      aria-haspopup="menu"
      onClick={
        requested
          ? undefined
          : (event) => {
              keyed.current = event.detail === 0
              setRequested(true)
              setOpen(true)
            }
      }
    >
      {DOTS}
    </IconButton>
  )
  return requested ? <Menu {...props} trigger={button} open={open} onOpenChange={setOpen} keyed={keyed.current} /> : button
}
