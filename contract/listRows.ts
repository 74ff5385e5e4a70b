import { FIELD, type ListRow } from './column.ts'
import { type Fields, shortLabelOf } from './fieldKinds.ts'
import { fieldTables } from './fieldTables.ts'
import { type NounRow, nouns } from './nouns.ts'

type Nouns = typeof nouns
/** Nouns that have a list, with its row. */
export type Lists = {
  readonly [N in keyof Nouns as Nouns[N] extends { list: unknown } ? N : never]: Nouns[N] extends { list: infer L } ? L : never
}

/** The heading of a column: its own, its noun, or its field's label. */
function headingOf(noun: string, { words }: NounRow, id: string, header: string): string {
  if (header !== FIELD) return header
  if (id === 'name') return words![0].replace(/^./, (letter) => letter.toUpperCase())
  const fields: Fields = fieldTables[noun]!
  return shortLabelOf((fields[id] ?? Object.values(fields).find(({ column }) => column === id))!)
}
const headed = (noun: string, row: NounRow, list: ListRow): ListRow => ({
  ...list,
  columns: Object.fromEntries(
    Object.entries(list.columns).map(([id, column]) => [id, { ...column, header: headingOf(noun, row, id, column.header) }]),
  ),
})

/**
 * The lists of the nouns table, with every heading.
 * virtual-calls.ts strips them from nouns.ts, which is part of the first load, and a build has them without the tables.
 */
export const lists = Object.fromEntries(
  Object.entries<NounRow>(nouns).flatMap(([noun, row]) => (row.list ? [[noun, headed(noun, row, row.list)]] : [])),
) as unknown as Lists
