import type { Input, Output, ReadId } from '../../contract/calls.ts'

/** Reads a page of a list. */
export type ReadRows = (call: never, input: never, signal: AbortSignal) => Promise<unknown>

/** A source of rows: a paged read of the calls table. */
export interface RowSource<Row> {
  call: ReadId
  input(page: number, perPage: number): object
  rows(answer: never): readonly Row[]
  /** Returns the number of matches; undefined in a response requested without a count. */
  count(answer: never): number | undefined
  /** Rows per request. The specification's page is for paging, not for loading. */
  chunk: number
  /** Input that requests rows without a count, if counting is slow: scrolling then counts once. */
  rowsAlone?: object
  /** Reads a chunk, if it can have been prefetched; otherwise the list's loader does. */
  read?: ReadRows
}

/** Declares a source, type-checked against its row of the calls table. */
export function rowSource<Id extends ReadId, Row>(row: {
  call: Id
  input: (page: number, perPage: number) => Input<Id>
  rows: (answer: Output<Id>) => readonly Row[]
  count: (answer: Output<Id>) => number | undefined
  chunk?: number
  rowsAlone?: Partial<Input<Id>>
  read?: ReadRows
}): RowSource<Row> {
  return { chunk: 50, ...row } as RowSource<Row>
}
