import { useAtomValue, useSetAtom } from 'jotai'
import { Menu as MenuIcon, Search } from 'lucide-react'
import { useEffect } from 'react'
import { IconButton } from '../ui/Button.tsx'
import { followKeyboard } from '../ui/keyboardHeight.ts'
import { sidebarAtom, workspace } from '../workspace/currentWorkspace.ts'
import { Part } from '../workspace/Part.tsx'
import { mainSlotAtom, thumbAtom } from '../workspace/workspaceState.ts'
import { Bell } from './Bell.tsx'
import { Person } from './Person.tsx'
import { TabList } from './TabList.tsx'
import { Restorable } from './TabStrip.tsx'

/** The header of a narrow window: a list of open panes, the inbox, and the user's menu. */
export function NarrowHeader() {
  const low = !useAtomValue(thumbAtom)
  return (
    <header className="flex h-bar shrink-0 items-center gap-1.5 border-b border-line bg-surface pr-2 pl-1.5 short:h-9">
      {low && <MenuButton />}
      <TabList />
      <Restorable />
      {low && <PaletteButton />}
      <Part name="The bell">
        <Bell />
      </Part>
      <Part name="Your menu">
        <Person />
      </Part>
    </header>
  )
}

function MenuButton({ className }: { className?: string }) {
  const sidebar = useAtomValue(sidebarAtom)
  return (
    <IconButton
      label={sidebar ? 'Hide the sidebar' : 'Show the sidebar'}
      aria-expanded={sidebar}
      aria-controls={sidebar ? 'sidebar' : undefined}
      className={className}
      onClick={() => workspace.toggleSidebar()}
    >
      <MenuIcon size={18} aria-hidden="true" />
    </IconButton>
  )
}

function PaletteButton() {
  return (
    <IconButton label="Search or run a command" aria-haspopup="dialog" onClick={() => workspace.palette()}>
      <Search size={16} aria-hidden="true" />
    </IconButton>
  )
}

/** The bar at the bottom of a phone: the menu, the palette, and the active pane's main action. */
export function ThumbBar() {
  const setSlot = useSetAtom(mainSlotAtom)
  useEffect(() => () => setSlot(null), [setSlot])
  useEffect(followKeyboard, [])
  return (
    <div className="group/thumb flex h-13 items-center gap-2 border-t border-line px-2 pb-[env(safe-area-inset-bottom)]">
      <MenuButton className="size-11!" />
      <button
        type="button"
        aria-haspopup="dialog"
        aria-label="Search or run a command"
        onClick={() => workspace.palette()}
        className="flex h-11 min-w-11 items-center justify-center gap-2 rounded-md px-3 text-body text-muted group-has-[[data-main]:empty]/thumb:flex-1 group-has-[[data-main]:empty]/thumb:justify-start group-has-[[data-main]:empty]/thumb:border group-has-[[data-main]:empty]/thumb:border-edge"
      >
        <Search size={18} aria-hidden="true" className="shrink-0" />
        <span className="hidden truncate group-has-[[data-main]:empty]/thumb:inline">Search or run a command</span>
      </button>
      <div
        ref={setSlot}
        data-main=""
        className="ml-auto flex min-w-0 items-center justify-end gap-2 overflow-x-auto [scrollbar-width:none] *:not-last:hidden *:h-11! [&>:not(div)]:px-4! *:text-body! empty:hidden"
      />
    </div>
  )
}
