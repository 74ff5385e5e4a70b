import type { DragEvent } from 'react'
import { start } from '../runner/start.ts'

/** Paths of places and of a project's specifications, where a dropped table becomes locations. */
const TAKES =
  /^\/dashboard\/(?:v3\/locations|locations$|client-locations_groups|group-info|location-file|client-info\/\d+\/groups|\d+\/location-group-info|activity-info\/\d+\/locations|(?:project|survey-project)-info\/\d+\/specifications)/

/** True for files over such a screen that no drop zone of its own has taken. */
function takes({ defaultPrevented, dataTransfer, target }: DragEvent): boolean {
  if (defaultPrevented || !dataTransfer.types.includes('Files')) return false
  const path = target instanceof Element ? target.closest<HTMLElement>('[data-path]')?.dataset.path : undefined
  return path !== undefined && TAKES.test(path)
}

/** What the workspace does with a file that is dropped on a screen of places. */
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
