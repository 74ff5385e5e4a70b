/** The two channels of a landing page. */
export type Channel = 'facebook' | 'fulcrum'

/** What commands do in a Landing page tab. The pane registers its own while mounted. */
export interface LandingController {
  /** The tab is in front. */
  active(): boolean
  /** Copies the texts of the channel in front to the other; returns what to tell. */
  copyChannel(): string
  /** Puts back what the last copy replaced; null if there is nothing to put back. */
  readonly undoCopy: (() => void) | null
  /** The project's own survey address; empty without one. */
  readonly surveyUrl: string
  useSurveyUrl(): void
  /** The address of the preview in a pane of its own. */
  readonly preview: string
}

const registered = new Set<LandingController>()

/** Registers a tab's controller; returns the function that removes it. */
export function registerLanding(controller: LandingController): () => void {
  registered.add(controller)
  return () => void registered.delete(controller)
}

/** The controller of the tab in front, or null. */
export const activeLanding = (): LandingController | null => [...registered].find((one) => one.active()) ?? null
