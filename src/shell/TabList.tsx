import { useAtomValue } from 'jotai'
import { ChevronDown, X } from 'lucide-react'
import { activate, panesOf } from '../routing/layout.ts'
import { Button } from '../ui/Button.tsx'
import { Menu } from '../ui/Menu.tsx'
import { closePanes } from '../workspace/currentWorkspace.ts'
import { change } from '../workspace/navigation.ts'
import { layoutAtom } from '../workspace/workspaceState.ts'
import { usePaneTitles } from './paneTitles.ts'

/** The open panes as a list, as a narrow window has no room for tabs. */
export function TabList() {
  const layout = useAtomValue(layoutAtom)
  const titleOf = usePaneTitles()
  const panes = panesOf(layout)
  const shown = layout.columns[layout.active]!.mru[0]!
  const title = titleOf(panes.find((pane) => pane.id === shown)!)
  return (
    <div className="flex h-strip shrink-0 items-center gap-1 border-b border-line bg-ground px-1">
      <Menu
        label="Open screens"
        align="start"
        trigger={
          <Button
            variant="ghost"
            className="min-w-0 shrink! justify-start!"
            aria-label={`${title}, one of ${panes.length} open screens`}
          >
            <span dir="auto" id={`tab-${shown}`} className="truncate text-ink">
              {title}
            </span>
            <span className="text-faint tabular-nums">{panes.length}</span>
            <ChevronDown size={14} aria-hidden="true" />
          </Button>
        }
        items={panes.map((pane) => ({
          id: pane.id,
          label: titleOf(pane),
          checked: pane.id === shown,
          onSelect: () => change((old) => activate(old, pane.id)),
        }))}
      />
      <Button variant="ghost" className="ml-auto" aria-label={`Close ${title}`} onClick={() => closePanes([shown])}>
        <X size={14} aria-hidden="true" />
      </Button>
    </div>
  )
}
