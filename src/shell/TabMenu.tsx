import { type KeyboardEvent, type MouseEvent, type ReactNode, useState } from 'react'
import type { CommandId } from '../commands/table.ts'
import { ContextMenu } from '../runner/CommandMenu.tsx'

/** The commands in the menu of an open pane's tab. */
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
/** The commands in the menu of a record's tab. */
export const RECORD_TAB: readonly CommandId[] = ['column.split', 'copy.link', 'pane.print']

interface OpenMenu {
  at: { x: number; y: number }
  tab: HTMLElement
}

/** Returns a tab's text without its key and count. */
const nameOf = (tab: HTMLElement) => tab.querySelector('[data-tab-name]')?.textContent ?? ''

/** The menu of a tab row, opened by right click, Shift+F10 or the menu key on a tab. */
export function useTabMenu(ids: readonly CommandId[]): {
  menu: ReactNode
  /** Opens it on a right click. With Shift the browser's own menu opens, which can copy a link's URL. */
  onContextMenu(event: MouseEvent<HTMLElement>, show: () => void): void
  /** Opens it below the tab; returns false if the key isn't a menu key. */
  onMenuKey(event: KeyboardEvent<HTMLElement>, tab: HTMLElement | null): boolean
} {
  const [menu, setMenu] = useState<OpenMenu | null>(null)
  return {
    menu: menu && (
      <ContextMenu
        at={menu.at}
        subjects={[]}
        ids={ids}
        label={`All actions for ${nameOf(menu.tab)}`}
        onClose={() => setMenu(null)}
        onLeft={() => menu.tab.focus()}
      />
    ),
    onContextMenu(event, show) {
      if (event.shiftKey) return
      event.preventDefault()
      const { currentTarget: tab, clientX: x, clientY: y } = event
      show()
      // A form with unsaved changes asks first, and keeps its tab.
      requestAnimationFrame(() => tab.getAttribute('aria-selected') === 'true' && setMenu({ at: { x, y }, tab }))
    },
    onMenuKey(event, tab) {
      if (!tab || !(event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey))) return false
      event.preventDefault()
      event.stopPropagation()
      const { left: x, bottom: y } = tab.getBoundingClientRect()
      setMenu({ at: { x, y }, tab })
      return true
    },
  }
}
