import { type KeyboardEvent, type MouseEvent, type ReactNode, useState } from 'react'
import type { CommandId } from '../commands/table.ts'
import { ContextMenu } from '../runner/CommandMenu.tsx'

/** The commands of an open screen, in the menu of its tab. */
export const OPEN_SCREEN: readonly CommandId[] = [
  'column.split',
  'tab.moveLeft',
  'tab.moveRight',
  'tab.close',
  'tab.closeOthers',
  'tab.reopen',
  'tab.pin',
  'copy.link',
]
/** The commands of a record's tab. */
export const RECORD_TAB: readonly CommandId[] = ['column.split', 'copy.link', 'pane.print']

interface Asked {
  at: { x: number; y: number }
  tab: HTMLElement
}

/** A tab's words, without its key and its count. */
const nameOf = (tab: HTMLElement) =>
  [...tab.childNodes]
    .filter((one) => one instanceof Text || (one instanceof Element && one.matches('.truncate')))
    .map((one) => one.textContent)
    .join('')

/** The menu of a row of tabs, as a right click, Shift+F10 or the menu key on one opens it. */
export function useTabMenu(ids: readonly CommandId[]): {
  menu: ReactNode
  /** Opens it on a right click; Shift leaves the browser's own, which copies a link's address. */
  onContextMenu(event: MouseEvent<HTMLElement>, show: () => void): void
  /** Opens it below the tab; false if the key asks for no menu. */
  onMenuKey(event: KeyboardEvent<HTMLElement>, tab: HTMLElement | null): boolean
} {
  const [asked, setAsked] = useState<Asked | null>(null)
  return {
    menu: asked && (
      <ContextMenu
        at={asked.at}
        subjects={[]}
        ids={ids}
        label={`All actions for ${nameOf(asked.tab)}`}
        onClose={() => setAsked(null)}
        onLeft={() => asked.tab.focus()}
      />
    ),
    onContextMenu(event, show) {
      if (event.shiftKey) return
      event.preventDefault()
      const { currentTarget: tab, clientX: x, clientY: y } = event
      show()
      // A form that isn't saved asks first, and keeps its tab.
      requestAnimationFrame(() => tab.getAttribute('aria-selected') === 'true' && setAsked({ at: { x, y }, tab }))
    },
    onMenuKey(event, tab) {
      if (!tab || !(event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey))) return false
      event.preventDefault()
      event.stopPropagation()
      const { left: x, bottom: y } = tab.getBoundingClientRect()
      setAsked({ at: { x, y }, tab })
      return true
    },
  }
}
