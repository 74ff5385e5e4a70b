/** A row of the lists under test. */
export interface Row {
  id: number
  children?: Row[]
}
/** Rows with consecutive ids. */
export const rowsFrom = (first: number, count: number): Row[] => Array.from({ length: count }, (_, at) => ({ id: first + at }))
