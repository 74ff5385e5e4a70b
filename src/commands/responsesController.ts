import type { Sentence } from '../../contract/effectText.ts'
import type { CopiedRows } from './copying.ts'
import type { Option } from './subject.ts'

/** The file format of a chart's image. */
export type PictureFormat = 'png' | 'svg'
/** What bars are split by. */
export type Split = 'none' | 'gender' | 'age'

/** What commands do in a User Responses tab. Panes register one while mounted. */
export interface ResponsesController {
  /** True if the tab is visible and focused. */
  active(): boolean
  /** Its questions in the order on screen; the value is a question's id. */
  questions(): readonly Option[]
  surveys(): readonly Option[]
  /** What a question can be crossed with: other closed questions, and demographics. */
  crossable(): readonly Option[]
  readonly split: Split
  readonly unit: 'share' | 'count'
  readonly sort: 'asked' | 'largest'
  readonly profile: boolean
  /** The name of the chart that actions apply to: the focused one, or the first visible one; null without any. */
  current(): string | null
  /** True while the current question's crosstab is open. */
  crossed(): boolean
  goTo(question: string): void
  move(by: 1 | -1): void
  end(which: 'first' | 'last'): void
  moveAnswer(by: 1 | -1): void
  find(): void
  filter(): void
  showSurvey(survey: string): void
  setSplit(by: Split): void
  toggle(what: 'unit' | 'sort' | 'profile'): void
  /** Shows every gender or the usual ones, from now on in every project; returns true if every one. */
  switchOther(): boolean
  crosstab(by: string): void
  /** Opens the crosstab of the focused answer. */
  open(): void
  /** Closes the crosstab, or else clears the search. */
  close(): void
  /** Starts an export of all responses that match the filters; returns a message. */
  exportAs(format: 'csv' | 'xlsx'): Promise<{ job: number; message: Sentence }>
  /** Saves an image of the current chart; returns the file's name. */
  picture(format: PictureFormat): Promise<string>
  /** Copies the current chart's table as text and HTML. */
  copy(): Promise<CopiedRows>
}

const registered = new Set<ResponsesController>()

/** Registers a tab's controller; returns a function that removes it. */
export function registerResponses(controller: ResponsesController): () => void {
  registered.add(controller)
  return () => void registered.delete(controller)
}

/** Returns the active tab's controller, or null. */
export const activeResponses = (): ResponsesController | null => [...registered].find((one) => one.active()) ?? null
