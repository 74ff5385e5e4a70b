/**
 * What a column holds, which decides how it sorts and what a file shows.
 * `text` sorts regardless of case. `figure` is a number. `money` is cents here and dollars in a file.
 * `code`, `word` (one of a few), `address` (lower-case email), `day` and `moment` (date and time) sort as they are.
 */
export type ColumnKind = 'code' | 'text' | 'address' | 'word' | 'figure' | 'money' | 'day' | 'moment'

interface More {
  /** Its name in a file, if different; null if no export has it. */
  readonly file?: string | null
  /** The list can't be sorted by it. */
  readonly sort?: false
  /** Screens show it, by its kind, without a cell of their own for it. */
  readonly shown?: true
  /** Labels of its values, on the screen and in files. */
  readonly words?: Readonly<Record<string, string>>
}
/** A column: its heading, which may be `FIELD`, and the kind of its values. */
export interface ListColumn extends More {
  readonly kind: ColumnKind
  readonly header: string
}

/** The heading of a column that is its field's label, or its noun for a record's name (contract/listRows.ts). */
export const FIELD = ''

const column =
  <const K extends ColumnKind>(kind: K) =>
  <const M extends More = Record<never, never>>(header: string, more?: M): { kind: K; header: string } & M =>
    ({ kind, header, ...more }) as { kind: K; header: string } & M
export const [code, text, address, word, figure, money, day, moment] = [
  column('code'),
  column('text'),
  column('address'),
  column('word'),
  column('figure'),
  column('money'),
  column('day'),
  column('moment'),
]

/** A noun's list; its contract, the server's list builder, its export and its screen share this row. */
export interface ListRow {
  /** The call that reads it. The call's access rule and filters also apply to exports and to selecting all matches. */
  readonly call: string
  /** The columns a search looks in; missing if the search has a rule of its own. */
  readonly search?: readonly string[]
  /** The default sort column; a leading minus always sorts it descending. */
  readonly usual: string
  /** Columns by id, in the order of an export. */
  readonly columns: Readonly<Record<string, ListColumn>>
  /** Its name for exports and for selecting all matches. */
  readonly name: string
  /** It can be exported. */
  readonly exports?: true
  /** Fields that commands need of the selected records, besides their names and rules. */
  readonly selects?: readonly string[]
}

/** Returns the labels of a `word` column from a vocabulary's terms. */
export const wordsOf = <V extends string>(terms: readonly { readonly value: V; readonly label: string }[]) =>
  Object.fromEntries(terms.map(({ value, label }) => [value, label])) as Record<V, string>
