import type { SubjectKind } from '../../contract/nouns.ts'

/** A record that a command acts on: the pane's, the cursor's row or a selected row. Fixed when the palette opens. */
export interface Subject {
  kind: SubjectKind
  id: number
  name: string
  /** From the server: ids of the commands that may run, and reasons against the others (decisions.md 2). */
  allowed_actions?: readonly string[]
  refused_actions?: Readonly<Partial<Record<string, string>>>
  /** The list's row, for prefilling answers and describing effects. */
  record?: Readonly<Record<string, unknown>>
  /** It is deleted, so only its restore acts on it. */
  deleted?: true
}

/** An option of a choice. */
export interface Option {
  value: string
  label: string
  detail?: string
}

/** Converts records of a kind to command subjects: id, name and allowed actions. */
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
