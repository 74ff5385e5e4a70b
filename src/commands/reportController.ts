import type { Option } from './subject.ts'

/** What commands do in a Client reporting tab. The pane registers its own while mounted. */
export interface ReportController {
  /** The tab is in front. */
  active(): boolean
  readonly project: { id: number; name: string; client_id: number; client_name: string }
  /** How many columns have changes that aren't saved. */
  readonly unsaved: number
  /** How many columns the report has. */
  readonly columns: number
  /** Columns in the file. */
  readonly included: number
  readonly hasSurvey: boolean
  /** Questions of the survey that the report lacks. */
  readonly missing: readonly number[]
  readonly templates: readonly Option[]
  /** What applying a template would change. */
  changes(template: string): readonly object[]
  /** Includes columns, or leaves all of them out if all are included. */
  include(ids: readonly number[]): void
  /** Moves a column by some places, or to a place from 1. */
  move(id: number, by: number): void
  moveTo(id: number, place: number): void
  save(): void
  discard(): void
}

const registered = new Set<ReportController>()

/** Registers a tab's controller; returns the function that removes it. */
export function registerReport(controller: ReportController): () => void {
  registered.add(controller)
  return () => void registered.delete(controller)
}

/** The controller of the tab in front, or null. */
export const activeReport = (): ReportController | null => [...registered].find((one) => one.active()) ?? null
