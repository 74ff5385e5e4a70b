import * as Radix from '@radix-ui/react-dropdown-menu'
import { Check } from 'lucide-react'
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { foldText } from '../../contract/foldText.ts'
import { cx } from './cx.ts'
import { ariaKeys, Kbd } from './Kbd.tsx'
import { type MenuItem, type MenuProps, openerOf } from './menuItem.ts'
import { SelectionBox } from './SelectionBox.tsx'
import { box } from './useField.ts'

/** A menu with more items than this has a filter field. */
const LONG = 9

/** The menu and its dependencies; Menu.tsx loads it on first open. */
export function MenuRadix({
  trigger,
  items,
  label,
  align = 'end',
  open,
  onOpenChange,
  onChosen,
  onLeft,
  first,
  opener,
}: Omit<MenuProps, 'items' | 'prepare'> & {
  items: readonly (MenuItem | null)[]
  /** Focuses the first item when a key opened the menu before this code had loaded. */
  first?: boolean
  /** What had the focus when a command opened the menu; Escape leads back to it. */
  opener: RefObject<HTMLElement | null>
}) {
  const content = useRef<HTMLDivElement>(null)
  const chosen = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it comes
  useEffect(() => {
    if (!first) return
    const frame = requestAnimationFrame(() => content.current?.querySelector<HTMLElement>('[role^=menuitem]')?.focus())
    return () => cancelAnimationFrame(frame)
  }, [])
  const long = items.filter(Boolean).length > LONG
  const [text, setText] = useState('')
  const field = useRef<HTMLInputElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each opening begins with all items
  useEffect(() => setText(''), [open])
  const query = foldText(text).trim()
  const shown = long && query ? items.filter((item) => item && foldText(item.label).includes(query)) : items
  const lines = shown.map((item, at) =>
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
  )
  const rows = () => [...(content.current?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? [])]
  const letters = useRef({ text: '', at: 0 })
  /** Returns the next item that begins with the typed letters. Repeating one letter moves on to the next match. */
  const nextByLetter = (all: readonly HTMLElement[], at: number, letter: string) => {
    const { text, at: last } = letters.current
    const soFar = (Date.now() - last < 1000 ? text : '') + letter.toLowerCase()
    letters.current = { text: soFar, at: Date.now() }
    const prefix = new Set(soFar).size === 1 ? soFar[0]! : soFar
    const from = prefix.length === 1 ? at + 1 : Math.max(0, at)
    return [...all.slice(from), ...all.slice(0, from)].find((row) => row.textContent.trim().toLowerCase().startsWith(prefix))
  }
  /** Moves the focus at once. Radix does so a task later, so that a quick Enter would choose the previous item. */
  const moved = (event: KeyboardEvent): boolean => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.target === field.current) return false
    const all = rows()
    const at = all.indexOf(document.activeElement as HTMLElement)
    if (!long && event.key.length === 1 && event.key !== ' ') {
      event.preventDefault()
      event.stopPropagation()
      nextByLetter(all, at, event.key)?.focus()
      return true
    }
    const to = { ArrowDown: at + 1, ArrowUp: at < 0 ? all.length - 1 : at - 1, Home: 0, End: all.length - 1 }[event.key]
    if (to === undefined) return false
    event.preventDefault()
    event.stopPropagation()
    all[Math.max(0, Math.min(all.length - 1, to))]?.focus()
    return true
  }
  /** Sends letters to the field wherever the focus is, including those typed before the menu loaded. */
  const typed = (event: KeyboardEvent) => {
    const inField = event.target === field.current
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (!inField && (event.key.length !== 1 || event.key === ' ')) return
    if (inField && (event.key === 'Escape' || event.key === 'Tab')) return
    event.stopPropagation()
    if (!inField) {
      event.preventDefault()
      // Renders at once, so that an Enter right after the letter chooses from the filtered items.
      flushSync(() => setText((before) => before + event.key))
      field.current?.focus()
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      rows()
        .at(event.key === 'ArrowDown' ? 0 : -1)
        ?.focus()
    } else if (event.key === 'Enter') {
      event.preventDefault()
      if (query) rows()[0]?.click()
    }
  }
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange} modal={false}>
      {/* Radix opens on pointerdown only, so a command's click would do nothing. */}
      <Radix.Trigger
        asChild
        onClick={(event) => {
          opener.current = openerOf(event)
          if (event.detail === 0) onOpenChange?.(!open)
        }}
      >
        {trigger}
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          ref={content}
          align={align}
          sideOffset={4}
          collisionPadding={8}
          // A menu can't contain a field, so the popup is a dialog with a menu inside.
          {...(long ? { role: 'dialog', 'aria-orientation': undefined } : {})}
          aria-label={label}
          // The keyup of the key that opened the menu may open the browser's own context menu.
          onContextMenu={(event) => event.preventDefault()}
          onKeyDownCapture={(event) => moved(event) || !long || typed(event)}
          onCloseAutoFocus={(event) => {
            // The menu restores the focus a task later; don't take it from what a key has opened since.
            if (document.activeElement?.closest('[role=dialog], [role=alertdialog], [role=menu]')) return event.preventDefault()
            const was = chosen.current
            chosen.current = false
            const from = opener.current
            opener.current = null
            if (onLeft) {
              event.preventDefault()
              // A command may have opened something that already has the focus.
              if (!document.activeElement || document.activeElement === document.body) onLeft()
              return
            }
            if (was && onChosen) {
              event.preventDefault()
              onChosen()
            } else if (!was && from?.isConnected) {
              event.preventDefault()
              from.focus()
            }
          }}
          className="floats z-50 max-h-(--radix-dropdown-menu-content-available-height) min-w-48 max-w-80 overflow-y-auto rounded-lg border border-edge bg-raised p-1 shadow-float outline-none"
        >
          {long && (
            <input
              ref={field}
              type="text"
              aria-label={`Narrow ${label ?? 'the choices'}`}
              placeholder="Type to narrow"
              autoComplete="off"
              spellCheck={false}
              value={text}
              onChange={(event) => setText(event.target.value)}
              className={cx(box, 'sticky top-0 z-10 mb-1 h-7 w-full bg-raised px-2')}
            />
          )}
          {long && (
            <p role="status" className={shown.length ? 'sr-only' : 'px-2 py-1 text-muted'}>
              {query && (shown.length ? `${shown.length} left` : 'Nothing matches')}
            </p>
          )}
          {long ? (
            <div role="menu" aria-label={label}>
              {lines}
            </div>
          ) : (
            lines
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
    'aria-keyshortcuts': ariaKeys(item.kbd),
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
          {item.checked !== undefined && !item.one ? (
            <SelectionBox state={item.checked} />
          ) : item.checked ? (
            <Check size={14} aria-hidden="true" />
          ) : (
            item.icon
          )}
        </span>
      )}
      <span className="min-w-0 flex-1">
        <span className="block truncate">{item.label}</span>
        {item.reason && <span className="block text-meta text-faint">{item.reason}</span>}
      </span>
      {item.kbd && <Kbd mute keys={item.kbd} plain className="ml-4" />}
    </>
  )
  if (item.checked === undefined) return <Radix.Item {...props}>{inside}</Radix.Item>
  return item.one ? (
    <Radix.Item {...props} role="menuitemradio" aria-checked={item.checked}>
      {inside}
    </Radix.Item>
  ) : (
    // In a menu that closes on choice, the items are alternatives.
    <Radix.CheckboxItem checked={item.checked} {...props} {...(item.stays ? {} : { role: 'menuitemradio' })}>
      {inside}
    </Radix.CheckboxItem>
  )
}
