/** The two channels of a landing page. */
export type Channel = 'facebook' | 'fulcrum'

/** What commands do in a Landing page tab. The pane registers one while mounted. */
export interface LandingController {
  /** True if the tab is visible and focused. */
  active(): boolean
  /** Copies the texts of the active channel to the other; returns a message. */
  copyChannel(): string
  /** Restores what the last copy replaced; null if there is nothing to restore. */
  readonly undoCopy: (() => void) | null
  /** The survey URL of the project itself; empty without one. */
  readonly surveyUrl: string
  useSurveyUrl(): void
  /** The URL of the preview pane. */
  readonly preview: string
}

const registered = new Set<LandingController>()

/** Registers a tab's controller; returns a function that removes it. */
export function registerLanding(controller: LandingController): () => void {
  registered.add(controller)
  return () => void registered.delete(controller)
}

/** Returns the active tab's controller, or null. */
export const activeLanding = (): LandingController | null => [...registered].find((one) => one.active()) ?? null
