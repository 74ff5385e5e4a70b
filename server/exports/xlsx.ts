import { setImmediate as turn } from 'node:timers/promises'
import { readMoment } from '../../contract/moments.ts'
import type { Cell } from '../core/csv.ts'
import { uniqueNames } from '../core/uniqueNames.ts'
import type { CellKind, Listing } from './exportSource.ts'
import { type ZipEntry, zipOf } from './zip.ts'

export const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** The most rows of a sheet (Excel's limit); more go on further sheets, each with the headings. */
export const SHEET_ROWS = 1_048_576
/** The most characters of a cell (Excel's limit). */
const CELL_LENGTH = 32_767
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const DAY_MS = 86_400_000
/** Day 0 of a spreadsheet. Dates before March 1900 stay text, because Excel counts a day that didn't exist. */
const EPOCH = Date.UTC(1899, 11, 30)
const FIRST = Date.UTC(1900, 2, 1)
/** TABLE  cell styles, in the order of `cellXfs`. */
const STYLE = { plain: 0, name: 1, date: 2, time: 3 } as const

/** The width of columns in characters: a time fits, which a spreadsheet would otherwise show as "###". */
const WIDTH = 24

/**
 * A listing as a workbook, in pieces; `each` gets a page's row count and may throw to stop.
 * Text is written as text, so that none becomes a formula; dates and times as dates, which say that they are UTC.
 */
export function xlsxOf(listing: Listing, each: (rows: number) => void = () => {}): AsyncGenerator<Uint8Array> {
  return zipOf(partsOf(listing, each))
}

async function* partsOf(listing: Listing, each: (rows: number) => void): AsyncGenerator<ZipEntry> {
  const pages = listing.pages()[Symbol.asyncIterator]()
  // Rows that didn't fit on the previous sheet.
  const waiting: { rows: readonly (readonly Cell[])[]; over: boolean } = { rows: [], over: false }
  let sheets = 0
  do {
    sheets++
    yield { name: `xl/worksheets/sheet${sheets}.xml`, content: sheetOf(listing, pages, waiting, each) }
  } while (!waiting.over)
  const numbers = Array.from({ length: sheets }, (_, at) => at + 1)
  yield part(
    'xl/workbook.xml',
    `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${numbers.map((at) => `<sheet name="${sheets === 1 ? 'Export' : `Export ${at}`}" sheetId="${at}" r:id="rId${at}"/>`).join('')}</sheets></workbook>`,
  )
  yield part(
    'xl/_rels/workbook.xml.rels',
    relations([
      ...numbers.map((at) => [`rId${at}`, 'worksheet', `worksheets/sheet${at}.xml`] as const),
      [`rId${sheets + 1}`, 'styles', 'styles.xml'],
    ]),
  )
  yield part(
    'xl/styles.xml',
    `<styleSheet xmlns="${MAIN}"><numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss\\ &quot;UTC&quot;"/></numFmts>` +
      '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>' +
      '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
      '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
      '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
      '<cellXfs count="4"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>' +
      '<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="165" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs>' +
      '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>',
  )
  yield part('_rels/.rels', relations([['rId1', 'officeDocument', 'xl/workbook.xml']]))
  const kind = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
  const override = (name: string, what: string) => `<Override PartName="/xl/${name}.xml" ContentType="${kind}.${what}+xml"/>`
  yield part(
    '[Content_Types].xml',
    `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${override('workbook', 'sheet.main')}${numbers.map((at) => override(`worksheets/sheet${at}`, 'worksheet')).join('')}${override('styles', 'styles')}</Types>`,
  )
}

const part = (name: string, xml: string): ZipEntry => ({ name, content: [HEAD + xml] })

const relations = (all: readonly (readonly [id: string, type: string, target: string])[]): string =>
  `<Relationships xmlns="${PACKAGE}/relationships">${all.map(([id, type, target]) => `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`).join('')}</Relationships>`

async function* sheetOf(
  { columns, kinds = [], head = [] }: Listing,
  pages: AsyncIterator<readonly (readonly Cell[])[]>,
  waiting: { rows: readonly (readonly Cell[])[]; over: boolean },
  each: (rows: number) => void,
): AsyncGenerator<string> {
  yield `${HEAD}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="${head.length + 1}" topLeftCell="A${head.length + 2}" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols><col min="1" max="${columns.length}" width="${WIDTH}" customWidth="1"/></cols><sheetData>`
  yield head.map((row) => rowXml(row, [])).join('')
  yield `<row>${uniqueNames(columns)
    .map((name) => textXml(name, STYLE.name))
    .join('')}</row>`
  let left = SHEET_ROWS - 1 - head.length
  for (;;) {
    if (!waiting.rows.length) {
      const next = await pages.next()
      if (next.done) {
        waiting.over = true
        break
      }
      each(next.value.length)
      waiting.rows = next.value
    }
    const some = waiting.rows.slice(0, left)
    waiting.rows = waiting.rows.slice(some.length)
    left -= some.length
    yield some.map((row) => rowXml(row, kinds)).join('')
    if (!left && waiting.rows.length) break
    // A full sheet is followed by another only if there are more rows.
    await turn()
  }
  yield '</sheetData></worksheet>'
}

/** Text that is written as it is: printable ASCII without spaces at its ends, and without what is escaped. */
const PLAIN = /^[!-%'-;=?-^`-~](?:[ -%'-;=?-^`-~]*[!-%'-;=?-^`-~])?$/
/** A number that a spreadsheet keeps as it is written: no leading zeros, at most 15 digits. */
const PLAIN_NUMBER = /^-?(?:0|[1-9]\d{0,8})(?:\.\d{1,6})?$/

function rowXml(row: readonly Cell[], kinds: readonly CellKind[]): string {
  let xml = '<row>'
  for (let at = 0; at < row.length; at++) xml += cellXml(row[at], kinds[at] ?? 'plain')
  return `${xml}</row>`
}

/** One cell of its column's kind; empty ones are written too, so that cells need no references. */
function cellXml(cell: Cell, kind: CellKind): string {
  if (cell === null || cell === undefined || cell === '') return '<c/>'
  if (typeof cell === 'number')
    return !Number.isFinite(cell) ? '<c/>' : kind === 'text' ? textXml(String(cell), STYLE.plain) : `<c><v>${cell}</v></c>`
  if (typeof cell === 'boolean') return textXml(cell ? 'yes' : 'no', STYLE.plain)
  if (kind === 'number' && PLAIN_NUMBER.test(cell)) return `<c><v>${cell}</v></c>`
  const moment = kind === 'day' || kind === 'moment' ? readMoment(cell, { day: true }) : null
  // A day as of an older row may be in a column of moments, and the other way around.
  if (moment !== null && moment >= FIRST)
    return `<c s="${cell.length === 10 ? STYLE.date : STYLE.time}"><v>${(moment - EPOCH) / DAY_MS}</v></c>`
  return textXml(cell, STYLE.plain)
}

function textXml(text: string, style: number): string {
  if (style === STYLE.plain && text.length <= CELL_LENGTH && PLAIN.test(text))
    return `<c t="inlineStr"><is><t>${text}</t></is></c>`
  const short = text.length > CELL_LENGTH ? `${text.slice(0, CELL_LENGTH - 1)}…` : text
  return `<c${style ? ` s="${style}"` : ''} t="inlineStr"><is><t xml:space="preserve">${escaped(short)}</t></is></c>`
}

/** Characters to escape as spreadsheets do (`_x000B_`): those XML can't contain, and text that looks like an escape. */
const UNFIT = /[\p{Cc}\ufffe\uffff]|_(?=x[0-9a-f]{4}_)/giu
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replace(UNFIT, (letter) =>
      letter === '\n' || letter === '\t' || letter > '\u007e' ? legalLetter(letter) : `_x${hex(letter)}_`,
    )
    .replace(/[&<>]/g, (letter) => ENTITIES[letter]!)
/** XML accepts the control characters of Latin-1's upper half, but not the two noncharacters. */
const legalLetter = (letter: string): string => (letter >= '\ufffe' ? '\ufffd' : letter)
const hex = (letter: string): string => letter.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')
