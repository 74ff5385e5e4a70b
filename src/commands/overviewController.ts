/** What commands do in the Overview of a project. The tab registers one while mounted. */
export interface OverviewController {
  readonly project: number
  /** True if the tab is visible and focused. */
  active(): boolean
  showFunnel(): void
}

const registered = new Set<OverviewController>()

/** Registers an Overview's controller; returns a function that removes it. */
export function registerOverview(controller: OverviewController): () => void {
  registered.add(controller)
  return () => void registered.delete(controller)
}

/** Returns the controller of a project's active Overview, or null. */
export const activeOverview = (project: number): OverviewController | null =>
  [...registered].find((one) => one.project === project && one.active()) ?? null
