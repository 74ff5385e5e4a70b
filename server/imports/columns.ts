import type { Delimiter } from '../../contract/importWords.ts'
import type { TableLine } from './tableFile.ts'

/** What a column of a file may be taken for. */
export interface Field {
  id: string
  /** Headings in small letters, without signs between words. */
  headings: readonly string[]
  /** True for a cell that looks like one, where the heading says nothing. */
  holds?: (cell: string) => boolean
  /** The share of cells that have to look like one; 0.8 if missing. */
  least?: number
}

/** How a file is read, as it is stored with its import. */
export interface Mapping {
  sheet: string
  delimiter: Delimiter | ''
  headed: boolean
  headings: string[]
  /** The field of each column; '' for one that is ignored. */
  columns: string[]
}

const plain = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()

const namedBy = (fields: readonly Field[], heading: string): string => {
  const said = plain(heading)
  return said ? (fields.find(({ headings }) => headings.includes(said))?.id ?? '') : ''
}

/** Recognizes the columns of a table's first lines by their headings, then by what their cells hold. */
export function recognize(
  lines: readonly TableLine[],
  fields: readonly Field[],
  said: { headed?: boolean | undefined; columns?: readonly string[] | undefined } = {},
): Pick<Mapping, 'headed' | 'headings' | 'columns'> {
  const width = Math.max(0, ...lines.map(({ cells }) => cells.length))
  const first = Array.from({ length: width }, (_, at) => lines[0]?.cells[at]?.trim() ?? '')
  const named = first.map((heading) => namedBy(fields, heading))
  const hasDigit = (cells: readonly string[]) => cells.some((cell) => /\d/.test(cell))
  const headed =
    said.headed ??
    (named.some(Boolean) || (lines.length > 1 && !hasDigit(first) && lines.slice(1).every(({ cells }) => hasDigit(cells))))
  const headings = first.map((heading, at) => (headed && heading ? heading : `Column ${letterOf(at)}`))
  const known = new Set(fields.map(({ id }) => id))
  if (said.columns)
    return {
      headed,
      headings,
      columns: Array.from({ length: width }, (_, at) => (known.has(said.columns![at] ?? '') ? said.columns![at]! : '')),
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

/** A column's letters as a spreadsheet has them: A, B … AA. */
function letterOf(at: number): string {
  return at < 26 ? String.fromCharCode(65 + at) : letterOf(Math.floor(at / 26) - 1) + letterOf(at % 26)
}

/** The cells of a line by their fields; of two columns with one field the first that isn't empty counts. */
export function valuesOf(cells: readonly string[], columns: readonly string[]): Record<string, string> {
  const values: Record<string, string> = {}
  for (const [at, field] of columns.entries()) if (field && !values[field]) values[field] = cells[at]?.trim() ?? ''
  return values
}
