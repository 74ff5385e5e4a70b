import { CsvError, type Options, parse } from 'csv-parse/sync'
import { withoutApostrophes } from './csv.ts'
import type { TableLine } from './tableLine.ts'
import { LINE_ENDS, type TextLine } from './textLines.ts'

/** Columns that are read; more are dropped. */
export const MOST_COLUMNS = 200
/** The most characters of a cell, as in spreadsheets. */
const MOST_CHARACTERS = 32_767
/** The most characters of a record; a quotation mark that isn't closed within them is a stray one. */
const LONGEST = 1_000_000
/** The same after many strays, so that a file of them is read in linear time. */
const SHORT = 16_384
const MANY = 20
/** Lines parsed at once. */
const LINES = 400
const CHARACTERS = 64 * 1024

const STRAY = 'A quotation mark in this line isn’t closed or doubled'
const LONG = 'This line is longer than 1,000,000 characters'

/** The errors of spreadsheets in English and some other languages, as a CSV has them. */
const ERRORS = new Set(
  `N/A REF! VALUE! NAME? DIV/0! NULL! NUM! SPILL! CALC! FIELD! BLOCKED! CONNECT! BUSY! UNKNOWN! EXTERNAL! PYTHON! ERROR!
   GETTING_DATA NV BEZUG! WERT! ZAHL! ÜBERLAUF! N/D VALEUR! NOM? NOMBRE! ¡VALOR! ¿NOMBRE? ¡DIV/0! ¡REF! ¡NUM! ¡NULO!
   VALORE! RIF! NOME? N/B WAARDE! NAAM? VERW! GETAL! DEEL/0!`.split(/\s+/),
)
const isError = (cell: string) => cell[0] === '#' && cell.length < 20 && ERRORS.has(cell.slice(1).trim())
/** What is wrong with a cell that holds an error of a spreadsheet. */
export const errorFault = (cell: string): string => `has the spreadsheet’s error ${cell.slice(0, 20)}`

/** A line's cells without what a spreadsheet can't hold, and what is wrong with them. */
export function checkedLine(line: number, found: readonly string[], faults: TableLine['faults'] = []): TableLine {
  const cells = found.slice(0, MOST_COLUMNS)
  const all = [...faults]
  for (const [at, cell] of cells.entries()) {
    if (cell.length > MOST_CHARACTERS) {
      all.push({ at, message: 'is longer than 32,767 characters' })
      cells[at] = cell.slice(0, MOST_CHARACTERS)
    }
    if (cell.includes('\0')) {
      all.push({ at, message: 'has a null character' })
      cells[at] = cells[at]!.replaceAll('\0', '')
    }
    if (isError(cell) && !faults.some((one) => one.at === at)) all.push({ at, message: errorFault(cell) })
  }
  return all.length ? { line, cells, faults: all } : { line, cells }
}

/** The lines of a delimited text (RFC 4180). A quoted cell may hold line ends; a bad line is one with a fault. */
export function* csvTable(lines: Iterable<TextLine>, delimiter: string): Generator<TableLine> {
  const more = lines[Symbol.iterator]()
  let waiting: (TextLine & { isLong?: boolean })[] = []
  let ended = false
  let strays = 0
  let wanted = LINES
  const fill = (count: number) => {
    let characters = 0
    for (let added = 0; !ended && added < count && characters < CHARACTERS; added++) {
      const { value, done } = more.next()
      if (done) ended = true
      else {
        const isLong = value.text.length > LONGEST
        waiting.push(isLong ? { ...value, text: `${value.text.slice(0, LONGEST)}\n`, isLong } : value)
        characters += value.text.length
      }
    }
  }
  for (;;) {
    if (waiting.length < wanted) fill(wanted - waiting.length)
    if (!waiting.length) return
    const { records, error } = recordsOf(waiting.slice(0, wanted), delimiter)
    let used = 0
    for (const { cells, count } of records) {
      const own = waiting.slice(used, used + count)
      used += count
      if (!cells.some((cell) => cell.trim())) continue
      const faults = own.some(({ isLong }) => isLong) ? [{ at: -1, message: LONG }] : []
      const line = checkedLine(own[0]!.line, cells.slice(0, MOST_COLUMNS).map(withoutApostrophes), faults)
      yield own.some(({ other }) => other) ? { ...line, other: true } : line
    }
    const isCut = error?.code === 'CSV_QUOTE_NOT_CLOSED' && (!ended || wanted < waiting.length)
    waiting = waiting.slice(used)
    if (!error) {
      wanted = Math.min(LINES, wanted * 2)
      continue
    }
    const held = waiting.reduce((sum, { text }) => sum + text.length, 0)
    if (isCut && (used > 0 || held < (strays < MANY ? LONGEST : SHORT))) {
      // The rest of a quoted cell is in lines that weren't read yet.
      wanted = used > 0 ? LINES : Math.max(LINES, waiting.length * 2)
      if (waiting.length >= wanted || used > 0) fill(LINES)
      continue
    }
    if (error.code === 'CSV_QUOTE_NOT_CLOSED') strays++
    const [bad] = waiting as [TextLine]
    waiting = waiting.slice(1)
    wanted = 8
    const line = alone(bad, delimiter, error.code === 'INVALID_OPENING_QUOTE')
    yield bad.other ? { ...line, other: true } : line
  }
}

/** A line that is no record by the rules; quotation marks within its cells may be meant as inches. */
function alone({ line, text }: TextLine, delimiter: string, isWithin: boolean): TableLine {
  const found = isWithin ? recordsOf([{ line, text, other: false }], delimiter, { relax_quotes: true }) : null
  const [record] = found && !found.error ? found.records : []
  if (record && !record.cells.some((cell) => cell.startsWith('"'))) return checkedLine(line, record.cells.map(withoutApostrophes))
  const cells = text
    .slice(0, MOST_CHARACTERS)
    .replace(/[\r\n]/g, '')
    .split(delimiter)
  return checkedLine(line, cells, [{ at: -1, message: STRAY }])
}

/** The records of these lines, each with its number of lines, up to the first that breaks the rules. */
function recordsOf(lines: readonly TextLine[], delimiter: string, how: Options = {}) {
  const records: { cells: string[]; count: number }[] = []
  const ends: number[] = []
  let size = 0
  for (const { text } of lines) {
    size += Buffer.byteLength(text)
    ends.push(size)
  }
  let at = 0
  const on_record = (cells: string[], { bytes }: { bytes: number }) => {
    const from = at
    while (at < ends.length && ends[at]! <= bytes) at++
    // The last line may have no end.
    if (at === from) at = ends.length
    records.push({ cells, count: at - from })
    return null
  }
  try {
    parse(lines.map(({ text }) => text).join(''), {
      ...{ delimiter, record_delimiter: [...LINE_ENDS], relax_column_count: true, ltrim: true, rtrim: true },
      ...how,
      on_record: on_record as never,
    })
    return { records, error: null }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    return { records, error }
  }
}
