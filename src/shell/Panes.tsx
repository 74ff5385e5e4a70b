import { useAtomValue } from 'jotai'
import { useEffect, useLayoutEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { type Layout, panesOf, shownIn } from '../routing/layout.ts'
import { dropElements, elementOf, focusIsTaken, focusPane } from '../workspace/paneElements.ts'
import { detachedAtom } from '../workspace/unsavedChanges.ts'
import { activeIdAtom, layoutAtom } from '../workspace/workspaceState.ts'
import { PaneHost } from './PaneHost.tsx'

/** How many hidden tabs stay mounted; older ones keep URL and history, and load again when shown. */
const KEPT_BEHIND = 8

/** All mounted panes, each in its own element, so that no column unmounts another's pane. */
export function Panes() {
  const layout = useAtomValue(layoutAtom)
  const recent = useRef<string[]>([])
  recent.current = recencyOf(layout, recent.current)
  const parked = useAtomValue(detachedAtom)
  const held = parked.map((pane) => pane.id)
  const mounted = [...recent.current.slice(0, layout.columns.length + KEPT_BEHIND), ...held].toSorted()
  useEffect(
    () => dropElements(new Set(panesOf(layout).map((pane) => pane.id)), new Set(parked.map((pane) => pane.id))),
    [layout, parked],
  )
  useFocusFollows()
  return mounted.map((id) => createPortal(<PaneHost id={id} />, elementOf(id), id))
}

/** Returns panes by most recent visit. */
function recencyOf(layout: Layout, before: readonly string[]): string[] {
  const open = new Set(panesOf(layout).map((pane) => pane.id))
  const shown = layout.columns.map((column) => shownIn(column).id)
  return [...new Set([...shown, ...before])].filter((id) => open.has(id))
}

/** Moves the focus to the active pane, unless a dialog or tab row has it. */
function useFocusFollows(): void {
  const active = useAtomValue(activeIdAtom)
  useLayoutEffect(() => {
    const element = elementOf(active)
    if (element.contains(document.activeElement) || focusIsTaken()) return
    // The column places the element in a later effect.
    const frame = requestAnimationFrame(() => {
      if (!element.contains(document.activeElement) && !focusIsTaken()) focusPane(active)
    })
    return () => cancelAnimationFrame(frame)
  }, [active])
}
