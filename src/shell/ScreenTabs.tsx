import { useAtomValue } from 'jotai'
import { type HTMLAttributes, useMemo } from 'react'
import { count } from '../../contract/format.ts'
import { meAtom } from '../data/session.ts'
import { type ScreenTab, tabsOf } from '../routing/tabs.ts'
import { Tabs } from '../ui/Tabs.tsx'
import { goInPlace } from '../workspace/currentWorkspace.ts'
import { openFrom } from '../workspace/navigation.ts'
import { whereOf } from '../workspace/PaneLink.tsx'
import { usePane } from '../workspace/pane.tsx'
import { RECORD_TAB, useTabMenu } from './TabMenu.tsx'

/** Returns the tabs of the pane's screen that the user may see. */
function useScreenTabs(): ScreenTab[] {
  const { match } = usePane()
  const role = useAtomValue(meAtom)?.role ?? 'client'
  return useMemo(() => (match ? tabsOf(match, role) : []), [match, role])
}

/** The number of records in a tab, by its key. */
export type TabCounts = Readonly<Record<string, number | undefined>>

/** The screen's tabs with digits and, if known, counts; renders nothing without tabs. */
export function ScreenTabs({ label = 'Screen', counts }: { label?: string; counts?: TabCounts | undefined }) {
  const { id } = usePane()
  const tabs = useScreenTabs()
  const { menu, onContextMenu, onMenuKey } = useTabMenu(RECORD_TAB)
  if (!tabs.length) return null
  const refOf = (key: string) => tabs.find((tab) => tab.key === key)!.ref
  const row = (
    <Tabs
      label={label}
      className="px-2"
      items={tabs.map((tab, at) => ({
        id: tab.key,
        label: tab.title,
        href: tab.ref,
        kbd: at < 9 ? String(at + 1) : undefined,
        domId: `screen-${id}-${tab.key}`,
        badge: counts?.[tab.key] ? (
          <span className="text-meta font-normal text-faint tabular-nums">{count(counts[tab.key]!)}</span>
        ) : undefined,
        ...(tab.selected ? { controls: `screen-${id}` } : {}),
      }))}
      selected={tabs.find((tab) => tab.selected)?.key ?? ''}
      onSelect={(key) => goInPlace(id, refOf(key))}
      onOpen={(key, event) => {
        const where = whereOf(event)
        if (where === 'here') return false
        openFrom(id, refOf(key), where)
        return true
      }}
      onMenu={(key, event) => onContextMenu(event, () => goInPlace(id, refOf(key)))}
      onMenuKey={(event) => onMenuKey(event, event.currentTarget)}
    />
  )
  return (
    <>
      {row}
      {menu}
    </>
  )
}

/** The panel of the tab row, named by the selected tab; a plain element if the screen has no tabs. */
export function ScreenPanel({ children, ...rest }: HTMLAttributes<HTMLDivElement>) {
  const { id } = usePane()
  const shown = useScreenTabs().find((tab) => tab.selected)
  const panel = shown ? { id: `screen-${id}`, role: 'tabpanel', 'aria-labelledby': `screen-${id}-${shown.key}` } : {}
  return (
    <div {...panel} {...rest}>
      {children}
    </div>
  )
}
