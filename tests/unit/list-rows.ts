/** A row of the lists under test. */
export interface Row {
  id: number
  children?: Row[]
}
/** So many rows whose ids follow each other. */
export const rowsFrom = (first: number, count: number): Row[] => Array.from({ length: count }, (_, at) => ({ id: first + at }))
