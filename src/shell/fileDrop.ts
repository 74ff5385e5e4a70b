import type { DragEvent } from 'react'
import { start } from '../runner/start.ts'
import { workspace } from '../workspace/currentWorkspace.ts'

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

/** The form around what a file is over, and its one drop zone. */
function zoneOf(target: EventTarget | null): HTMLElement | null {
  const zones =
    target instanceof Element ? target.closest('form')?.querySelectorAll<HTMLElement>('[data-drop-zone]:not(:disabled)') : null
  return zones?.length === 1 ? zones[0]! : null
}

/**
 * Keeps a file that is dropped beside a drop zone from replacing the page, and with it what was typed.
 * A form with one zone is a target as a whole; anywhere else it says where files go. Returns how to stop.
 */
export function keepPage(): () => void {
  const over = (event: globalThis.DragEvent) => {
    if (event.defaultPrevented || !event.dataTransfer?.types.includes('Files')) return
    event.preventDefault()
    event.dataTransfer.dropEffect = zoneOf(event.target) ? 'copy' : 'none'
  }
  const drop = (event: globalThis.DragEvent) => {
    if (event.defaultPrevented || !event.dataTransfer?.types.includes('Files')) return
    event.preventDefault()
    const zone = zoneOf(event.target)
    if (zone)
      zone.dispatchEvent(new globalThis.DragEvent('drop', { dataTransfer: event.dataTransfer, bubbles: true, cancelable: true }))
    else
      workspace.notice(
        document.querySelector('[data-drop-zone]') ? 'Drop files on the box that says so.' : 'Files can’t be dropped here.',
      )
  }
  addEventListener('dragover', over)
  addEventListener('drop', drop)
  return () => {
    removeEventListener('dragover', over)
    removeEventListener('drop', drop)
  }
}
