import type { SubjectKind } from '../../contract/nouns.ts'

/** What a command acts on: the focused pane's record, the row under the cursor, or the selected rows; frozen when the palette opens. */
export interface Subject {
  kind: SubjectKind
  id: number
  name: string
  /** From the server: a command runs when its id is in `allowed_actions` of the record, else the reason is shown (decisions.md 2). */
  allowed_actions?: readonly string[]
  refused_actions?: Readonly<Partial<Record<string, string>>>
  /** The row as the list has it, for prefilling answers and saying effects. */
  record?: Readonly<Record<string, unknown>>
}

/** One of several to choose from. */
export interface Option {
  value: string
  label: string
  detail?: string
}
