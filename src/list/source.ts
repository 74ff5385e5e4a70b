import type { Input, Output, ReadId } from '../../contract/calls.ts'

/** Where a list's rows come from: a read of the calls table, by page. */
export interface Source<Row> {
  call: ReadId
  input(page: number, perPage: number): object
  rows(answer: never): readonly Row[]
  /** All that match; undefined in an answer that was asked for rows alone. */
  count(answer: never): number | undefined
  /** Rows a request; the specification's page is the unit of paging, not of loading. */
  chunk: number
  /** What asks for the rows alone, where counting costs more than they do: a list that is scrolled counts once. */
  rowsAlone?: object
}

/** A source, checked against its row of the calls table. */
export function source<Id extends ReadId, Row>(row: {
  call: Id
  input: (page: number, perPage: number) => Input<Id>
  rows: (answer: Output<Id>) => readonly Row[]
  count: (answer: Output<Id>) => number | undefined
  chunk?: number
  rowsAlone?: Partial<Input<Id>>
}): Source<Row> {
  return { chunk: 50, ...row } as Source<Row>
}
