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

/** Makes records of a kind what commands act on: by their id, their name and what may be done with them. */
export const subjectAs =
  <R extends { id: number }>(
    kind: SubjectKind,
    nameOf: (record: R) => string = (record) => (record as unknown as { name: string }).name,
  ) =>
  (record: R): Subject => {
    const { allowed_actions, refused_actions } = record as Pick<Subject, 'allowed_actions' | 'refused_actions'>
    return {
      kind,
      id: record.id,
      name: nameOf(record),
      ...(allowed_actions ? { allowed_actions } : {}),
      ...(refused_actions ? { refused_actions } : {}),
      record,
    }
  }
