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
}

/** How to read a file, stored with its import. */
export interface Mapping {
  sheet: string
  delimiter: Delimiter | ''
  headed: boolean
  headings: string[]
  /** The field of each column; '' ignores the column. */
  columns: string[]
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

/** A line's cells by field; if several columns have the same field, the first non-empty one wins. */
export function valuesOf(cells: readonly string[], columns: readonly string[]): Record<string, string> {
  const values: Record<string, string> = {}
  for (const [at, field] of columns.entries()) if (field && !values[field]) values[field] = cells[at]?.trim() ?? ''
  return values
}
