import { setImmediate as turn } from 'node:timers/promises'
import { DELIMITERS, type Delimiter } from '../../contract/importWords.ts'
import { openWorkbook, UnreadableWorkbook } from './workbook.ts'

/** A line of a table: its number in the file, from 1, and its cells. */
export interface TableLine {
  line: number
  cells: string[]
}
/** A CSV or XLSX file as a table. */
export interface TableFile {
  /** The sheets of a workbook; empty for a CSV. */
  sheets: readonly string[]
  /** The sheet or delimiter in use. */
  sheet: string
  delimiter: Delimiter | ''
  /** Its non-empty lines, read in pieces so that nothing else has to wait. */
  rows(): AsyncGenerator<TableLine>
}

/** Thrown for a file that can't be read as a table. */
export class NotATable extends Error {}

/** Lines read before other requests get a turn. */
const SOME = 400
const MOST_COLUMNS = 200
const MOST_CHARACTERS = 32_767

/** A file's text: UTF-8 or UTF-16 by its byte order mark, else UTF-8, else Windows-1252. */
function textOf(bytes: Buffer): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** The lines of a delimited text (RFC 4180); a quoted cell may hold delimiters, quotes and line ends. */
function* linesOf(text: string, delimiter: string): Generator<TableLine> {
  let line = 1
  let start = 1
  let cells: string[] = []
  let at = 0
  const ends = new RegExp(`[${delimiter === '|' ? '\\|' : delimiter}\\r\\n]`, 'g')
  const lineDone = function* () {
    if (cells.some((cell) => cell.trim())) yield { line: start, cells }
    cells = []
    start = line
  }
  while (at < text.length) {
    let cell = ''
    if (text[at] === '"') {
      let from = at + 1
      for (;;) {
        const end = text.indexOf('"', from)
        if (end < 0) throw new NotATable()
        cell += text.slice(from, end)
        from = end + 1
        if (text[from] !== '"') {
          at = from
          break
        }
        cell += '"'
        from++
      }
      for (let found = cell.indexOf('\n'); found >= 0; found = cell.indexOf('\n', found + 1)) line++
    }
    ends.lastIndex = at
    const end = ends.exec(text)?.index ?? text.length
    cell += text.slice(at, end)
    if (cell.length > MOST_CHARACTERS) throw new NotATable()
    if (cells.length < MOST_COLUMNS) cells.push(cell)
    at = end
    if (text[at] === delimiter) {
      at++
      if (at === text.length || text[at] === '\r' || text[at] === '\n') cells.push('')
      if (at < text.length && text[at] !== '\r' && text[at] !== '\n') continue
    }
    if (text[at] === '\r' && text[at + 1] === '\n') at++
    at++
    line++
    yield* lineDone()
  }
}

/** The delimiter that splits the first lines most evenly. */
function delimiterOf(text: string): Delimiter {
  const score = (delimiter: string) => {
    const widths: number[] = []
    try {
      for (const { cells } of linesOf(text.slice(0, 64 * 1024), delimiter)) if (widths.push(cells.length) >= 20) break
    } catch {
      // A cell cut off at the end of the sample isn't the delimiter's fault.
    }
    const usual = widths.toSorted((a, b) => a - b)[Math.floor(widths.length / 2)] ?? 0
    return usual < 2 ? 0 : widths.filter((width) => width === usual).length / widths.length + usual / 1000
  }
  const [best] = DELIMITERS.map((delimiter) => ({ delimiter, score: score(delimiter) })).sort((a, b) => b.score - a.score)
  return best?.score ? best.delimiter : ','
}

/** Opens a CSV or XLSX file as a table; throws NotATable for anything else. */
export async function openTable(
  bytes: Buffer,
  { workbook, sheet = '', delimiter = '' }: { workbook: boolean; sheet?: string; delimiter?: Delimiter | '' },
): Promise<TableFile> {
  if (workbook) {
    try {
      const book = await openWorkbook(bytes)
      const name = book.sheets.includes(sheet) ? sheet : book.sheets[0]!
      return { sheets: book.sheets, sheet: name, delimiter: '', rows: () => asTable(book.rows(name)) }
    } catch (error) {
      throw error instanceof UnreadableWorkbook ? new NotATable() : error
    }
  }
  const text = textOf(bytes)
  if (text.includes('\0') || !text.trim()) throw new NotATable()
  const by = delimiter || delimiterOf(text)
  return { sheets: [], sheet: '', delimiter: by, rows: () => inPieces(linesOf(text, by)) }
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
