import type { AnchorHTMLAttributes, MouseEvent } from 'react'
import type { Where } from '../routing/layout.ts'
import { resolveOrHome } from '../routing/match.ts'
import { leaveFor, openFrom, openPath } from './navigation.ts'
import { OUTSIDE, usePaneId } from './pane.tsx'

/** Maps a click to where it opens: Ctrl/⌘ beside, Shift in a permanent tab, middle button behind, else here. */
export function whereOf(event: { ctrlKey: boolean; metaKey: boolean; shiftKey: boolean; button?: number }): Where {
  if (event.button === 1) return 'background'
  if (event.ctrlKey || event.metaKey) return 'beside'
  return event.shiftKey ? 'pinned' : 'here'
}

/** A link within the workspace: it has a URL to copy, and opens as a pane. */
export function PaneLink({ to, onClick, ...rest }: { to: string } & Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'>) {
  const pane = usePaneId()
  const open = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    if (event.defaultPrevented || event.altKey || event.button > 1) return
    event.preventDefault()
    const found = resolveOrHome(to)
    if (found.row.outside || pane === OUTSIDE) leaveFor(found.ref)
    else if (pane) openFrom(pane, to, whereOf(event))
    else openPath(to, whereOf(event))
  }
  return <a {...rest} href={to} onClick={open} onAuxClick={(event) => event.button === 1 && open(event)} />
}
