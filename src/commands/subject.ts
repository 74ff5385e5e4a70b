import type { CallId, Output } from '../../contract/calls.ts'
import type { nouns, SubjectKind } from '../../contract/nouns.ts'

/** A record that a command acts on: the pane's, the cursor's row or a selected row. Fixed when the palette opens. */
export interface Subject {
  kind: SubjectKind
  id: number
  name: string
  /** From the server: ids of the commands that may run, and reasons against the others (decisions.md 2). */
  allowed_actions?: readonly string[]
  refused_actions?: Readonly<Partial<Record<string, string>>>
  /** The list's row, for prefilling answers and describing effects; `recordOf` says what one of a kind has. */
  record?: object
  /** It is deleted, so only its restore acts on it. */
  deleted?: true
}

type Nouns = typeof nouns
type Listed<K> = K extends keyof Nouns ? (Nouns[K] extends { list: { call: infer C } } ? RowIn<C> : unknown) : unknown
type Read<K> = K extends keyof Nouns ? (Nouns[K] extends { reads: infer C } ? RowIn<C> : unknown) : unknown
type RowIn<C> = C extends CallId
  ? Output<C> extends { data: infer D }
    ? D extends readonly (infer R)[]
      ? R
      : D
    : unknown
  : unknown
/** What screens and preparations add to a record, and the rows of kinds that no list or read of their own returns. */
// biome-ignore lint/suspicious/noEmptyInterface: the files of the areas fill it
export interface AddedToRecords {}
type Added<K> = K extends keyof AddedToRecords ? AddedToRecords[K] : unknown
type Either<A, P> = P extends keyof A ? A[P] : never
type Merged<A, B, C> = {
  readonly [P in keyof A | keyof B | keyof C]?: P extends keyof C ? C[P] : Either<A, P> | Either<B, P>
}
/** A kind's record as its list or its screen has it; a selection of all matches has only some of its fields. */
export type RecordOf<K> = K extends SubjectKind ? Merged<Listed<K>, Read<K>, Added<K>> : Readonly<Record<never, never>>
type Keys<K> = K extends K ? keyof RecordOf<K> : never
/** The record of one of several kinds. */
type RecordOfAny<K> = { readonly [P in Keys<K>]?: K extends K ? Either<RecordOf<K>, P> : never }

/** A subject of a kind, with its record's type. */
export interface SubjectOf<K> extends Subject {
  record?: RecordOfAny<K>
}

/** The record of a subject of these kinds; nothing for one of another kind, or without a record. */
export const recordOf = <K extends SubjectKind>(subject: Subject | null | undefined, ...kinds: readonly K[]): RecordOfAny<K> =>
  (subject && (kinds as readonly string[]).includes(subject.kind) ? (subject.record ?? {}) : {}) as RecordOfAny<K>

/** The id of what a subject of any kind belongs to, such as its project; null without one. */
export const idAbove = (
  subject: Subject | null | undefined,
  kind: 'activity' | 'brand' | 'client' | 'group' | 'parent' | 'project',
): number | null => {
  const id = (subject?.record as Partial<Record<`${typeof kind}_id`, unknown>> | undefined)?.[`${kind}_id`]
  return typeof id === 'number' ? id : null
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
