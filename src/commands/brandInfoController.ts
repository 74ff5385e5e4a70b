import type { VisitPeriod } from '../../contract/visitPeriod.ts'
import type { PictureFormat } from './responsesController.ts'
import type { Option } from './subject.ts'

/** What figures of visits are shown: period, market areas (none for all) and service (null for all of the brand). */
export interface VisitLook {
  date: VisitPeriod
  /** The dates of a custom period, '' where none is given. */
  start: string
  end: string
  dmas: readonly number[]
  service: number | null
}

/** What commands do on the screen of a brand's visits. Panes register theirs while mounted. */
export interface BrandInfoController {
  /** The pane is in front. */
  active(): boolean
  look(): VisitLook
  /** True while figures are beside those of the period before. */
  before(): boolean
  setLook(patch: Partial<VisitLook>): void
  toggleBefore(): void
  /** Shows the next longer period; null where there is none. */
  widen: (() => void) | null
  /** The presets and market areas that can be chosen; [] until they have loaded. */
  markets(): { presets: readonly Option[]; areas: readonly Option[] }
  setPreset(label: string): void
  services(): readonly Option[]
  /** The user's saved filters of this brand; the value is an id. */
  filters(): readonly Option[]
  /** The saved filter of the link, and whether its state differs from it. */
  filter(): { id: number; name: string; changed: boolean } | null
  openFilter(id: number | null): void
  /** What a saved filter keeps: its input without its name. */
  kept(): { brand_id: number; service_id?: number; filter: object; customFilterURL: string } | null
  /** Why there is nothing to export or to copy, or null. */
  empty(): string | null
  exportInput(): Record<string, string | number>
  /** Saves a picture of the daily graph; returns the file's name. */
  picture(format: PictureFormat): Promise<string>
  /** Copies the figures by day as a table; returns the number of rows. */
  copy(): Promise<number>
}

const registered = new Set<BrandInfoController>()

/** Registers a pane's controller; returns the function that removes it. */
export function registerBrandInfo(controller: BrandInfoController): () => void {
  registered.add(controller)
  return () => void registered.delete(controller)
}

/** The controller of the pane in front, or null. */
export const activeBrandInfo = (): BrandInfoController | null => [...registered].find((one) => one.active()) ?? null
