import type { Delimiter } from '../../contract/importWords.ts'
import type { TableLine } from '../core/tableFile.ts'

/** A field that a column can be mapped to. */
export interface Field {
  id: string
  /** Headings in lower case, with single spaces between words. */
  headings: readonly string[]
  /** True for a cell that looks like one, for headings that don't help. */
  holds?: (cell: string) => boolean
  /** The share of cells that must look like one; 0.8 by default. */
  least?: number
  /** A cell whose decimal sign is a comma, with a point instead; null for any other. Only numbers have it. */
  ofComma?: (cell: string) => string | null
}

/** How to read a file, stored with its import. */
export interface Mapping {
  sheet: string
  delimiter: Delimiter | ''
  headed: boolean
  headings: string[]
  /** The field of each column; '' ignores the column. */
  columns: string[]
  /** Columns, from 0, whose decimal sign is a comma; missing in imports of earlier releases. */
  commas?: number[]
}

const plain = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()

const namedBy = (fields: readonly Field[], heading: string): string => {
  const key = plain(heading)
  return key ? (fields.find(({ headings }) => headings.includes(key))?.id ?? '') : ''
}

/** Recognizes the columns of a table's first lines by their headings, then by their cells. */
export function recognize(
  lines: readonly TableLine[],
  fields: readonly Field[],
  options: { headed?: boolean | undefined; columns?: readonly string[] | undefined } = {},
): Pick<Mapping, 'headed' | 'headings' | 'columns'> {
  const width = Math.max(0, ...lines.map(({ cells }) => cells.length))
  const first = Array.from({ length: width }, (_, at) => lines[0]?.cells[at]?.trim() ?? '')
  const named = first.map((heading) => namedBy(fields, heading))
  const hasDigit = (cells: readonly string[]) => cells.some((cell) => /\d/.test(cell))
  const headed =
    options.headed ??
    (named.some(Boolean) || (lines.length > 1 && !hasDigit(first) && lines.slice(1).every(({ cells }) => hasDigit(cells))))
  const headings = first.map((heading, at) => (headed && heading ? heading : `Column ${letterOf(at)}`))
  const known = new Set(fields.map(({ id }) => id))
  if (options.columns)
    return {
      headed,
      headings,
      columns: Array.from({ length: width }, (_, at) => (known.has(options.columns![at] ?? '') ? options.columns![at]! : '')),
    }
  const columns: string[] = Array.from({ length: width }, () => '')
  if (headed) for (const [at, field] of named.entries()) if (field && !columns.includes(field)) columns[at] = field
  const rows = headed ? lines.slice(1) : lines
  for (const { id, holds, least = 0.8 } of fields) {
    if (!holds || columns.includes(id)) continue
    const shares = columns.map((taken, at) => {
      const cells = rows.map(({ cells }) => cells[at]?.trim() ?? '').filter(Boolean)
      return taken || !cells.length ? 0 : cells.filter(holds).length / cells.length
    })
    const best = Math.max(0, ...shares)
    if (best >= least) columns[shares.indexOf(best)] = id
  }
  return { headed, headings, columns }
}

/** A column's letters as in a spreadsheet: A, B … AA. */
function letterOf(at: number): string {
  return at < 26 ? String.fromCharCode(65 + at) : letterOf(Math.floor(at / 26) - 1) + letterOf(at % 26)
}

/**
 * Returns the columns of a file with semicolons whose numbers all have a decimal comma or no decimals.
 * In any other file, and in a column that is mixed, a comma is what it is elsewhere.
 */
export async function commaColumns(
  lines: AsyncIterable<TableLine>,
  fields: readonly Field[],
  { delimiter, headed, columns }: Pick<Mapping, 'delimiter' | 'headed' | 'columns'>,
): Promise<number[]> {
  const numbers = new Map(
    columns.flatMap((id, at) => {
      const read = fields.find((field) => field.id === id)?.ofComma
      return delimiter === ';' && read ? [[at, { read, commas: 0 }] as [number, { read: typeof read; commas: number }]] : []
    }),
  )
  let isHeading = headed
  for await (const { cells } of numbers.size ? lines : []) {
    if (!isHeading)
      for (const [at, column] of numbers) {
        const cell = cells[at]?.trim() ?? ''
        if (cell && column.read(cell) === null) numbers.delete(at)
        else if (cell.includes(',')) column.commas++
      }
    isHeading = false
    if (!numbers.size) break
  }
  return [...numbers].flatMap(([at, { commas }]) => (commas ? [at] : []))
}

/** The headings of the columns whose decimal sign is a comma. */
export const commaHeadings = ({ headings, commas = [] }: Mapping): string[] => commas.map((at) => headings[at] ?? '')

/** A line's cells by field; if several columns have the same field, the first non-empty one wins. */
export function valuesOf(
  cells: readonly string[],
  { columns, commas = [] }: Pick<Mapping, 'columns' | 'commas'>,
  fields: readonly Field[],
): Record<string, string> {
  const values: Record<string, string> = {}
  for (const [at, field] of columns.entries()) {
    if (!field || values[field]) continue
    const cell = cells[at]?.trim() ?? ''
    const plain = commas.includes(at) ? fields.find(({ id }) => id === field)?.ofComma?.(cell) : null
    values[field] = plain ?? cell
  }
  return values
}
