import type { Option } from './subject.ts'

/** The form of a picture of one chart. */
export type PictureFormat = 'png' | 'svg'
/** What bars are split by. */
export type Split = 'none' | 'gender' | 'age'

/** What commands do in a User Responses tab. Panes register theirs while mounted. */
export interface ResponsesController {
  /** The tab is in front. */
  active(): boolean
  /** Its questions, in the order of the screen; the value is a question's id. */
  questions(): readonly Option[]
  surveys(): readonly Option[]
  /** What a question can be crossed with: the other closed questions, and demographics. */
  crossable(): readonly Option[]
  readonly split: Split
  readonly unit: 'share' | 'count'
  readonly sort: 'asked' | 'largest'
  readonly profile: boolean
  /** The chart that actions are about: the one with the focus, or the first in sight; its name, or null without any. */
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
  crosstab(by: string): void
  /** Opens the crosstab of the answer in focus. */
  open(): void
  /** Closes the crosstab, or else clears the search. */
  close(): void
  /** Starts an export of everything the filters let through; returns what to tell. */
  exportAs(format: 'csv' | 'xlsx'): Promise<{ job: number; message: string }>
  /** Saves a picture of the current chart; returns the file's name. */
  picture(format: PictureFormat): Promise<string>
  /** Copies the current chart's table, as text and as a table; returns the number of rows. */
  copy(): Promise<number>
}

const registered = new Set<ResponsesController>()

/** Registers a tab's controller; returns the function that removes it. */
export function registerResponses(controller: ResponsesController): () => void {
  registered.add(controller)
  return () => void registered.delete(controller)
}

/** The controller of the tab in front, or null. */
export const activeResponses = (): ResponsesController | null => [...registered].find((one) => one.active()) ?? null
