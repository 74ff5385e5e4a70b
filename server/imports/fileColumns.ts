import type { Delimiter, Encoding } from '../../contract/importWords.ts'
import type { TableLine } from '../core/tableLine.ts'

/** A field that a column can be mapped to. */
export interface Field {
  id: string
  /** Headings in lower case, with single spaces between words. */
  headings: readonly string[]
  /** Headings that other columns have, too: taken after those, and only if at least half of the cells fit. */
  doubtful?: readonly string[]
  /** True for a cell that fits a doubtful heading; `holds` by default. */
  fits?: (cell: string) => boolean
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
  /** Missing in imports of earlier releases. */
  encoding?: Encoding | ''
  headed: boolean
  /** The line of the headings, 0 without any; imports of earlier releases lack it. Lines above are passed over. */
  heading_line?: number
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
  return key ? (fields.find(({ headings, doubtful }) => headings.includes(key) || doubtful?.includes(key))?.id ?? '') : ''
}
const countOf = ({ cells }: TableLine): number => cells.filter((cell) => cell.trim()).length
const hasDigit = ({ cells }: TableLine): boolean => cells.some((cell) => /\d/.test(cell))

/** Lines at the top among which the headings are sought: titles, authors and dates may be above them. */
const TOP = 20

/** The place of the line with the headings among a table's first lines; -1 without any. */
function headingOf(lines: readonly TableLine[], fields: readonly Field[]): number {
  const named = lines.slice(0, TOP).map(({ cells }) => new Set(cells.map((cell) => namedBy(fields, cell)).filter(Boolean)).size)
  const most = Math.max(0, ...named)
  const at = named.indexOf(most)
  const fitsField = ({ cells }: TableLine) => cells.some((cell) => fields.some(({ holds }) => holds?.(cell.trim())))
  const isTitle = (line: TableLine, below: TableLine) =>
    countOf(line) < countOf(below) || ((most > 1 || countOf(below) === 1) && !fitsField(line))
  if (most > 0 && lines.slice(0, at).every((line) => isTitle(line, lines[at]!))) return at
  if (named[0]) return 0
  // Without a heading that is known: the first full line, if it has no digits and all below have some.
  const widths = lines.map(countOf).sort((a, b) => a - b)
  const usual = Math.min(2, widths[Math.floor(widths.length / 2)] ?? 0)
  const first = lines.findIndex((line) => countOf(line) >= usual)
  const below = lines.slice(first + 1)
  return first >= 0 && below.length && !hasDigit(lines[first]!) && below.every(hasDigit) ? first : -1
}

/** Recognizes a table's headings and columns by its first lines: by the headings, then by the cells. */
export function recognize(
  all: readonly TableLine[],
  fields: readonly Field[],
  options: { headed?: boolean | undefined; heading_line?: number | undefined; columns?: readonly string[] | undefined } = {},
): Pick<Mapping, 'headed' | 'headings' | 'columns'> & { heading_line: number } {
  const lines = all.filter(({ faults }) => !faults?.some(({ at }) => at < 0))
  const width = Math.max(0, ...lines.map(({ cells }) => cells.length))
  const { headed: isHeaded, heading_line } = options
  const found = headingOf(lines, fields)
  const top =
    heading_line !== undefined
      ? lines.findIndex(({ line }) => line === heading_line)
      : isHeaded === undefined
        ? found
        : isHeaded
          ? Math.max(0, found)
          : -1
  const first = Array.from({ length: width }, (_, at) => lines[top]?.cells[at]?.trim() ?? '')
  const headed = top >= 0
  const how = {
    headed,
    heading_line: lines[top]?.line ?? 0,
    headings: first.map((heading, at) => heading || `Column ${letterOf(at)}`),
  }
  const known = new Set(fields.map(({ id }) => id))
  const { columns: chosen } = options
  if (chosen) return { ...how, columns: first.map((_, at) => (known.has(chosen[at] ?? '') ? chosen[at]! : '')) }
  const columns: string[] = first.map(() => '')
  const rows = lines.slice(top + 1)
  const share = (at: number, test: (cell: string) => boolean, empty: number) => {
    const cells = rows.map(({ cells }) => cells[at]?.trim() ?? '').filter(Boolean)
    return cells.length ? cells.filter(test).length / cells.length : empty
  }
  for (const names of ['headings', 'doubtful'] as const)
    for (const [at, heading] of first.entries()) {
      const field = heading && !columns[at] ? fields.find((one) => one[names]?.includes(plain(heading))) : undefined
      if (!field || columns.includes(field.id)) continue
      const fits = field.fits ?? field.holds
      if (names === 'headings' || !fits || share(at, fits, 1) >= 0.5) columns[at] = field.id
    }
  for (const { id, holds, least = 0.8 } of fields) {
    if (!holds || columns.includes(id)) continue
    const shares = columns.map((taken, at) => (taken ? 0 : share(at, holds, 0)))
    const best = Math.max(0, ...shares)
    if (best >= least) columns[shares.indexOf(best)] = id
  }
  return { ...how, columns }
}

/** A column's letters as in a spreadsheet: A, B … AA. */
function letterOf(at: number): string {
  return at < 26 ? String.fromCharCode(65 + at) : letterOf(Math.floor(at / 26) - 1) + letterOf(at % 26)
}

/** A number with a decimal point, or with commas between groups of three. */
const hasPoint = (cell: string): boolean => /\d\.\d|^\D{0,3}\d{1,3}(?:,\d{3})+(?!\d)/.test(cell)

/**
 * Returns the columns of a file with semicolons whose numbers all have a decimal comma or no decimals.
 * In any other file, and in a column that is mixed, a comma is what it is elsewhere.
 * A cell that is no number either way says nothing about the others.
 */
export async function commaColumns(
  lines: AsyncIterable<TableLine>,
  fields: readonly Field[],
  { delimiter, columns }: Pick<Mapping, 'delimiter' | 'columns'>,
): Promise<number[]> {
  const numbers = new Map(
    columns.flatMap((id, at) => {
      const read = fields.find((field) => field.id === id)?.ofComma
      return delimiter === ';' && read ? [[at, { read, commas: 0 }] as [number, { read: typeof read; commas: number }]] : []
    }),
  )
  for await (const { cells, faults } of numbers.size ? lines : []) {
    if (!faults)
      for (const [at, column] of numbers) {
        const cell = cells[at]?.trim() ?? ''
        if (!cell) continue
        if (column.read(cell) !== null) column.commas += Number(cell.includes(','))
        else if (hasPoint(cell)) numbers.delete(at)
      }
    if (!numbers.size) break
  }
  return [...numbers].flatMap(([at, { commas }]) => (commas ? [at] : []))
}

/** The headings of the columns that aren't taken. */
export const ignoredHeadings = ({ headings, columns }: Mapping): string[] => headings.filter((_, at) => !columns[at])

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
