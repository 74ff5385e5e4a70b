import { useAtomValue } from 'jotai'
import type { ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { usePane } from './pane.tsx'
import { mainSlotAtom } from './workspaceState.ts'

/** A pane's main action: rendered in place, or on a phone in the bar at the bottom. */
export function MainAction({ children }: { children: ReactNode }) {
  const slot = useAtomValue(mainSlotAtom)
  const { active } = usePane()
  if (!slot) return children
  return active ? createPortal(children, slot) : null
}
