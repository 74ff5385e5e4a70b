import { setImmediate as turn } from 'node:timers/promises'
import { DELIMITERS, type Delimiter, type Encoding } from '../../contract/importWords.ts'
import { csvTable } from './csvTable.ts'
import type { TableLine, TableOptions } from './tableLine.ts'
import { encodingOf, linesOf, type TextLine } from './textLines.ts'
import { openWorkbook, UnreadableWorkbook } from './workbook.ts'

/** A CSV or XLSX file as a table. */
export interface TableFile {
  /** The sheets of a workbook; empty for a CSV. */
  sheets: readonly string[]
  /** The sheet, delimiter and encoding in use. */
  sheet: string
  delimiter: Delimiter | ''
  encoding: Encoding | ''
  /** Its non-empty lines, read in pieces so that nothing else has to wait. */
  rows(): AsyncGenerator<TableLine>
}

/** Thrown for a file that can't be read as a table. */
export class NotATable extends Error {
  constructor() {
    super('it isn’t a table')
  }
}

/** Lines read before other requests get a turn. */
const SOME = 400
/** Lines by which a delimiter is recognized. */
const SAMPLE = 100

/** A first line by which some programs name the delimiter. */
const SEP = /^"?sep=(.)"?[\r\n]*$/i

/** The more of these a delimiter has than others, the likelier it is. */
type Marks = readonly number[]

/**
 * Judges a delimiter by a file's first lines.
 * First counts those with several cells, but no more than the first such line: the ends of lines may be missing.
 * Then counts lines with the same number of cells, then takes that number.
 */
function marksOf(lines: readonly TextLine[], delimiter: Delimiter): Marks {
  const widths: number[] = []
  for (const { cells, faults } of csvTable(lines, delimiter)) if (!faults?.some(({ at }) => at < 0)) widths.push(cells.length)
  const counts = new Map<number, number>()
  for (const width of widths) if (width > 1) counts.set(width, (counts.get(width) ?? 0) + 1)
  const [usual = 0, same = 0] = [...counts].sort(([a, m], [b, n]) => n - m || b - a)[0] ?? []
  const most = Math.max(usual, widths.find((width) => width > 1) ?? 0)
  const fit = widths.filter((width) => width > 1 && width <= most).length
  return [fit, same, usual]
}

/** Delimiters by how rarely they are in texts, for files that don't tell. */
const RAREST: readonly Delimiter[] = ['\t', '|', ';', ',']

/** The delimiter that divides most of the first lines into the same columns. */
function delimiterOf(lines: readonly TextLine[]): Delimiter {
  const candidates = RAREST.map((delimiter) => ({ delimiter, marks: marksOf(lines, delimiter) }))
  const compare = (a: Marks, b: Marks) => a.map((mark, at) => b[at]! - mark).find((difference) => difference !== 0) ?? 0
  const [best] = candidates.sort((a, b) => compare(a.marks, b.marks))
  return best?.marks[0] ? best.delimiter : ','
}

/** Opens a CSV or XLSX file as a table; throws NotATable for anything else. */
export async function openTable(bytes: Buffer, how: TableOptions): Promise<TableFile> {
  if (how.workbook) {
    try {
      const book = await openWorkbook(bytes)
      const name = how.sheet && book.sheets.includes(how.sheet) ? how.sheet : await book.first()
      return { sheets: book.sheets, sheet: name, delimiter: '', encoding: '', rows: () => asTable(book.rows(name)) }
    } catch (error) {
      throw error instanceof UnreadableWorkbook ? new NotATable() : error
    }
  }
  const encoding = how.encoding || encodingOf(bytes)
  const sample: TextLine[] = []
  for (const line of linesOf(bytes, encoding)) if (line.text.trim() && sample.push(line) > SAMPLE) break
  const [first] = sample
  if (!first) throw new NotATable()
  const sep = SEP.exec(first.text)?.[1]
  // A quoted cell that the sample cuts would be a stray quotation mark.
  const lines = sample.slice(sep ? 1 : 0, SAMPLE)
  const named = DELIMITERS.find((one) => one === sep)
  const delimiter = how.delimiter || named || delimiterOf(lines)
  return { sheets: [], sheet: '', delimiter, encoding, rows: () => inPieces(csvTable(from(), delimiter)) }

  function* from() {
    for (const line of linesOf(bytes, encoding)) if (!sep || line.line > first!.line) yield line
  }
}

async function* asTable(rows: AsyncGenerator<TableLine>): AsyncGenerator<TableLine> {
  try {
    yield* rows
  } catch (error) {
    throw error instanceof UnreadableWorkbook ? new NotATable() : error
  }
}

async function* inPieces(lines: Generator<TableLine>): AsyncGenerator<TableLine> {
  let read = 0
  for (const line of lines) {
    yield line
    if (++read % SOME === 0) await turn()
  }
}
