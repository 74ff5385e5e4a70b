import { workspace } from './currentWorkspace.ts'

/** Returns the form around the pointer, and its only drop zone. */
function zoneOf(target: EventTarget | null): HTMLElement | null {
  const zones =
    target instanceof Element ? target.closest('form')?.querySelectorAll<HTMLElement>('[data-drop-zone]:not(:disabled)') : null
  return zones?.length === 1 ? zones[0]! : null
}

/**
 * Keeps a file dropped outside a drop zone from replacing the page, and unsaved text with it.
 * A form with one zone accepts it anywhere; elsewhere a message says where files go. Several may run at once.
 * Returns a function that stops it.
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
        document.querySelector('[data-drop-zone]') ? 'Drop files on the box for files.' : 'Files can’t be dropped here.',
      )
  }
  addEventListener('dragover', over)
  addEventListener('drop', drop)
  return () => {
    removeEventListener('dragover', over)
    removeEventListener('drop', drop)
  }
}
