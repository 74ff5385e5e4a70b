/** What commands do in the list of notifications. The pane registers its own while mounted. */
export interface NotificationController {
  /** The list is in front. */
  active(): boolean
  /** Turns a row into edit mode, in the list as it is searched and filtered. */
  edit(id: number): void
}

const registered = new Set<NotificationController>()

/** Registers a list's controller; returns the function that removes it. */
export function registerNotifications(controller: NotificationController): () => void {
  registered.add(controller)
  return () => void registered.delete(controller)
}

/** The controller of the list in front, or null. */
export const activeNotifications = (): NotificationController | null => [...registered].find((one) => one.active()) ?? null
