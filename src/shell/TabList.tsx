import { useAtomValue } from 'jotai'
import { ChevronDown, X } from 'lucide-react'
import { activate, panesOf } from '../routing/layout.ts'
import { Button, IconButton } from '../ui/Button.tsx'
import { Menu } from '../ui/Menu.tsx'
import { closePanes } from '../workspace/currentWorkspace.ts'
import { change } from '../workspace/navigation.ts'
import { layoutAtom } from '../workspace/workspaceState.ts'
import { usePaneTitles } from './paneTitles.ts'

/** The open panes as a list, because a narrow window has no room for tabs. */
export function TabList() {
  const layout = useAtomValue(layoutAtom)
  const titleOf = usePaneTitles()
  const panes = panesOf(layout)
  const shown = layout.columns[layout.active]!.mru[0]!
  const title = titleOf(panes.find((pane) => pane.id === shown)!)
  return (
    <div className="flex min-w-0 flex-1 items-center">
      <Menu
        label="Open screens"
        align="start"
        trigger={
          <Button
            variant="ghost"
            className="h-9! min-w-0 shrink! justify-start! px-2! short:h-8!"
            aria-label={`${title}, one of ${panes.length} open screens`}
          >
            <span dir="auto" id={`tab-${shown}`} className="truncate text-title text-ink">
              {title}
            </span>
            {panes.length > 1 && (
              <span className="rounded-sm border border-edge px-1 text-muted tabular-nums">{panes.length}</span>
            )}
            <ChevronDown size={14} aria-hidden="true" className="shrink-0" />
          </Button>
        }
        items={panes.map((pane) => ({
          id: pane.id,
          label: titleOf(pane),
          checked: pane.id === shown,
          one: true,
          onSelect: () => change((old) => activate(old, pane.id)),
        }))}
      />
      {panes.length > 1 && (
        <IconButton label={`Close ${title}`} className="size-9! short:size-8!" onClick={() => closePanes([shown])}>
          <X size={16} aria-hidden="true" />
        </IconButton>
      )}
    </div>
  )
}
