/** What commands do in the list of notifications. The pane registers one while mounted. */
export interface NotificationController {
  /** True if the list is visible and focused. */
  active(): boolean
  /** Opens a row for editing, in the list as it is searched and filtered. */
  edit(id: number): void
}

const registered = new Set<NotificationController>()

/** Registers a list's controller; returns a function that removes it. */
export function registerNotifications(controller: NotificationController): () => void {
  registered.add(controller)
  return () => void registered.delete(controller)
}

/** Returns the active list's controller, or null. */
export const activeNotifications = (): NotificationController | null => [...registered].find((one) => one.active()) ?? null
