import type { Input } from '../../contract/calls.ts'
import type { Option } from './subject.ts'

/** What commands do in a Client reporting tab. The pane registers one while mounted. */
export interface ReportController {
  /** True if the tab is visible and focused. */
  active(): boolean
  readonly project: { id: number; name: string; client_id: number; client_name: string }
  /** How many columns have unsaved changes. */
  readonly unsaved: number
  /** How many columns the report has. */
  readonly columns: number
  /** Columns in the file. */
  readonly included: number
  readonly hasSurvey: boolean
  /** Survey questions that the report doesn't have. */
  readonly missing: readonly number[]
  readonly templates: readonly Option[]
  /** Returns the changes that applying a template would make. */
  changes(template: string): Input<'report.save'>['questions']
  /** Includes columns, or excludes them if all are included. */
  include(ids: readonly number[]): void
  /** Moves a column by some places, or to a position from 1. */
  move(id: number, by: number): void
  moveTo(id: number, place: number): void
  save(): void
  discard(): void
}

const registered = new Set<ReportController>()

/** Registers a tab's controller; returns a function that removes it. */
export function registerReport(controller: ReportController): () => void {
  registered.add(controller)
  return () => void registered.delete(controller)
}

/** Returns the active tab's controller, or null. */
export const activeReport = (): ReportController | null => [...registered].find((one) => one.active()) ?? null
