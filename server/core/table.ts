import type { Delimiter, Encoding } from '../../contract/importWords.ts'

/** What is wrong with a line: a sentence about all of it (`at` is -1), or one whose subject is a column, from 0. */
interface LineFault {
  at: number
  message: string
}
/** A line of a table: its number in the file, from 1, and its cells. */
export interface TableLine {
  line: number
  cells: string[]
  faults?: LineFault[]
  /** True if its encoding isn't the file's. */
  other?: true
}

/** How a table is read; missing options are detected. */
export interface TableOptions {
  workbook: boolean
  sheet?: string
  delimiter?: Delimiter | ''
  encoding?: Encoding | ''
}
