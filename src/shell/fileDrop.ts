import type { DragEvent } from 'react'
import { match } from '../routing/match.ts'
import { start } from '../runner/lazyRunner.ts'

/** True for files over a screen that imports locations, unless a drop zone has taken them. */
function takes({ defaultPrevented, dataTransfer, target }: DragEvent): boolean {
  if (defaultPrevented || !dataTransfer.types.includes('Files')) return false
  const path = target instanceof Element ? target.closest<HTMLElement>('[data-path]')?.dataset.path : undefined
  const found = path === undefined ? null : match(path)
  return found?.row.takesLocations === true || found?.tabRow?.takesLocations === true
}

/** What the workspace does with a file dropped on a screen of locations. */
export const fileDrop = {
  onDragOver(event: DragEvent) {
    if (takes(event)) event.preventDefault()
  },
  onDrop(event: DragEvent) {
    if (!takes(event)) return
    event.preventDefault()
    start('group.fromFile', { via: 'button', answers: { files: [...event.dataTransfer.files].slice(0, 1) } })
  },
}
