import type { ListColumn, ListRow } from './column.ts'
import { type Lists, lists } from './listRows.ts'

/** A noun that has a list. */
export type ListNoun = keyof Lists
/** A column id of a noun's list. */
export type ColumnOf<N extends ListNoun> = keyof Lists[N]['columns'] & string
/** A column the list can be sorted by. */
export type SortOf<N extends ListNoun> = {
  [C in ColumnOf<N>]: Lists[N]['columns'][C] extends { sort: false } ? never : C
}[ColumnOf<N>]
/** A column that the list's export has. */
export type FileColumnOf<N extends ListNoun> = {
  [C in ColumnOf<N>]: Lists[N]['columns'][C] extends { file: null } ? never : C
}[ColumnOf<N>]

type Selectable = { [N in ListNoun]: Lists[N] extends { selects: unknown } ? Lists[N]['name'] : never }[ListNoun]
/** Names of the lists in which all matches can be selected. */
export const selectable = Object.values<ListRow>(lists).flatMap(({ name, selects }) => (selects ? [name] : [])) as [
  Selectable,
  ...Selectable[],
]

/** Nouns whose lists can be exported. */
export type ExportedNoun = { [N in ListNoun]: Lists[N] extends { exports: true } ? N : never }[ListNoun]
/** Returns the noun whose list has this name, if any. */
export const nounNamed = (name: string): ListNoun | undefined =>
  (Object.keys(lists) as ListNoun[]).find((noun) => lists[noun].name === name)
/** Labels of a `word` column's values. */
export type WordsOf<N extends ListNoun, C extends ColumnOf<N>> = Lists[N]['columns'][C] extends { words: infer W } ? W : never
/** Returns the values of a `word` column in order, for the schemas of calls. */
export const valuesOf = <N extends ListNoun, C extends ColumnOf<N>>(noun: N, column: C) =>
  Object.keys((lists[noun].columns as Readonly<Record<string, ListColumn>>)[column]?.words ?? {}) as [
    keyof WordsOf<N, C> & string,
    ...(keyof WordsOf<N, C> & string)[],
  ]

/** Returns the sortable columns of a noun's list, for the input of its calls. */
export const sortsOf = <N extends ListNoun>(noun: N): [SortOf<N>, ...SortOf<N>[]] =>
  Object.entries<ListColumn>(lists[noun].columns).flatMap(([id, { sort }]) => (sort === false ? [] : [id])) as [
    SortOf<N>,
    ...SortOf<N>[],
  ]

/** Returns the headings of a noun's export by column id, in order. */
export const fileColumnsOf = <N extends ListNoun>(noun: N): Record<FileColumnOf<N>, string> =>
  Object.fromEntries(
    Object.entries<ListColumn>(lists[noun].columns).flatMap(([id, { header, file = header }]) =>
      file === null ? [] : [[id, file]],
    ),
  ) as Record<FileColumnOf<N>, string>

/** Returns what a screen needs of a noun's list: its export name, columns, and whether all matches can be selected. */
export const listed = <N extends ListNoun>(noun: N) => {
  const { name, selects }: ListRow = lists[noun]
  return { source: name, columns: fileColumnsOf(noun), selects: selects !== undefined }
}
