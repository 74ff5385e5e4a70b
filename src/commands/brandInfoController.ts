import type { VisitPeriod } from '../../contract/visitPeriod.ts'
import type { CopiedRows } from './copying.ts'
import type { PictureFormat } from './responsesController.ts'
import type { Option } from './subject.ts'

/** The visits to show: period, market areas (none for all) and service (null for the whole brand). */
export interface VisitView {
  date: VisitPeriod
  /** The dates of a custom period; '' if not set. */
  start: string
  end: string
  dmas: readonly number[]
  service: number | null
}

/** What commands do on the screen of a brand's visits. Panes register one while mounted. */
export interface BrandInfoController {
  /** True if the pane is visible and focused. */
  active(): boolean
  view(): VisitView
  /** True while figures show the previous period too. */
  before(): boolean
  setView(patch: Partial<VisitView>): void
  toggleBefore(): void
  /** Shows the next longer period; null if there is none. */
  widen: (() => void) | null
  /** The presets and market areas to choose from; [] until loaded. */
  markets(): { presets: readonly Option[]; areas: readonly Option[] }
  setPreset(label: string): void
  services(): readonly Option[]
  /** The user's saved filters of this brand; the value is an id. */
  filters(): readonly Option[]
  /** The open saved filter, and whether the screen differs from it. */
  filter(): { id: number; name: string; changed: boolean } | null
  openFilter(id: number | null): void
  /** The input that saves the current filter, without its name. */
  kept(): { brand_id: number; service_id?: number; filter: object; customFilterURL: string } | null
  /** Returns why there is nothing to export or copy, or null. */
  empty(): string | null
  exportInput(): Record<string, string | number>
  /** Saves an image of the daily graph; returns the file's name. */
  picture(format: PictureFormat): Promise<string>
  /** Copies the figures by day as a table. */
  copy(): Promise<CopiedRows>
}

const registered = new Set<BrandInfoController>()

/** Registers a pane's controller; returns a function that removes it. */
export function registerBrandInfo(controller: BrandInfoController): () => void {
  registered.add(controller)
  return () => void registered.delete(controller)
}

/** Returns the active pane's controller, or null. */
export const activeBrandInfo = (): BrandInfoController | null => [...registered].find((one) => one.active()) ?? null
