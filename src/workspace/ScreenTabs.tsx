import { useAtomValue } from 'jotai'
import { useMemo } from 'react'
import { meAtom } from '../data/session.ts'
import { Tabs } from '../ui/Tabs.tsx'
import { usePane } from './pane.tsx'
import { type ScreenTab, tabsOf } from './tabs.ts'

/** The tab row of the pane's screen, as the caller may see it. */
export function useScreenTabs(): ScreenTab[] {
  const { match } = usePane()
  const role = useAtomValue(meAtom)?.role ?? 'client'
  return useMemo(() => (match ? tabsOf(match, role) : []), [match, role])
}

/** The tab row itself, with its digits; nothing where the screen has no tabs. */
export function ScreenTabs({ label = 'Screen' }: { label?: string }) {
  const { go } = usePane()
  const tabs = useScreenTabs()
  if (!tabs.length) return null
  return (
    <Tabs
      label={label}
      className="px-2"
      items={tabs.map((tab, at) => ({ id: tab.key, label: tab.title, kbd: at < 9 ? String(at + 1) : undefined }))}
      selected={tabs.find((tab) => tab.selected)?.key ?? ''}
      onSelect={(key) => go(tabs.find((tab) => tab.key === key)!.ref)}
    />
  )
}
