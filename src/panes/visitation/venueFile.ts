import { count } from '../../../contract/format.ts'

/** A venue as the form sends it. */
export interface Venue {
  code: string
  name: string
  address: string
  latitude: number | null
  longitude: number | null
  dma: number | null
}
type VenueField = keyof Venue

/** The parsed contents of a venue file. */
export interface VenueFile {
  venues: Venue[]
  /** The field each column was mapped to; null if it is ignored. */
  columns: readonly { heading: string; as: VenueField | null }[]
  /** Skipped lines, with their line numbers in the file. */
  errors: readonly { line: number; message: string }[]
}

export const VENUE_LABELS: Readonly<Record<VenueField, string>> = {
  code: 'Code',
  name: 'Name',
  address: 'Address',
  latitude: 'Latitude',
  longitude: 'Longitude',
  dma: 'DMA',
}
const HEADINGS: Readonly<Record<VenueField, readonly string[]>> = {
  code: ['code', 'id', 'venue', 'venue code', 'venue id', 'store', 'store id', 'store number', 'number'],
  name: ['name', 'venue name', 'store name', 'title'],
  address: ['address', 'street', 'full address', 'location'],
  latitude: ['latitude', 'lat', 'y'],
  longitude: ['longitude', 'lng', 'lon', 'long', 'x'],
  dma: ['dma', 'dma code', 'market', 'market area', 'market code'],
}
/** The most venues that a service takes at once, and the largest file that can hold them. */
const MOST = 50_000
const MOST_BYTES = 20 * 1_048_576

/** Thrown, with a message, for a file that can't be read. */
class UnreadableFile extends Error {}

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()

/** Splits delimited text into rows; quoted cells may contain delimiters, quotes and line breaks. */
function rowsOfText(text: string): string[][] {
  const head = text.slice(0, text.search(/[\r\n]|$/))
  const delimiter = [',', ';', '\t', '|'].reduce((best, one) => (head.split(one).length > head.split(best).length ? one : best))
  const rows: string[][] = [[]]
  let cell = ''
  let quoted = false
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]!
    if (quoted) {
      if (sign !== '"') cell += sign
      else if (text[at + 1] === '"') cell += text[at++]
      else quoted = false
    } else if (sign === '"' && !cell) quoted = true
    else if (sign === delimiter || sign === '\n' || sign === '\r') {
      rows.at(-1)!.push(cell)
      cell = ''
      if (sign === '\r' && text[at + 1] === '\n') at++
      if (sign !== delimiter) rows.push([])
    } else cell += sign
  }
  rows.at(-1)!.push(cell)
  return rows
}

/** Opens a ZIP archive; files are unpacked on demand, by name. */
function unzip(bytes: ArrayBuffer): (name: string) => Promise<string | null> {
  const view = new DataView(bytes)
  let end = bytes.byteLength - 22
  while (end >= 0 && view.getUint32(end, true) !== 0x06054b50) end--
  if (end < 0) throw new UnreadableFile('This file isn’t a workbook.')
  const files = new Map<string, { at: number; size: number; packed: boolean }>()
  let at = view.getUint32(end + 16, true)
  for (let nth = view.getUint16(end + 10, true); nth > 0; nth--) {
    const [long, extra, comment] = [28, 30, 32].map((offset) => view.getUint16(at + offset, true)) as [number, number, number]
    const name = new TextDecoder().decode(new Uint8Array(bytes, at + 46, long))
    const local = view.getUint32(at + 42, true)
    files.set(name, {
      at: local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true),
      size: view.getUint32(at + 20, true),
      packed: view.getUint16(at + 10, true) === 8,
    })
    at += 46 + long + extra + comment
  }
  return async (name) => {
    const file = files.get(name)
    if (!file) return null
    const part = new Blob([new Uint8Array(bytes, file.at, file.size)])
    return file.packed ? new Response(part.stream().pipeThrough(new DecompressionStream('deflate-raw'))).text() : part.text()
  }
}

/** Returns the column index of a cell reference: 0 for A7, 27 for AB7. */
const columnOf = (reference: string): number =>
  [...reference.replace(/\d/g, '')].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1

/** Returns the rows of a workbook's first sheet. */
async function rowsOfWorkbook(bytes: ArrayBuffer): Promise<string[][]> {
  const read = unzip(bytes)
  const parse = (text: string) => new DOMParser().parseFromString(text, 'application/xml')
  const sheet = await read('xl/worksheets/sheet1.xml')
  if (sheet === null) throw new UnreadableFile('This workbook has no readable sheet. Save it as CSV.')
  const textIn = (node: Element) => [...node.getElementsByTagName('t')].map((text) => text.textContent ?? '').join('')
  const shared = [...parse((await read('xl/sharedStrings.xml')) ?? '<sst/>').getElementsByTagName('si')].map(textIn)
  const rows: string[][] = []
  for (const row of parse(sheet).getElementsByTagName('row')) {
    const cells: string[] = []
    for (const cell of row.getElementsByTagName('c')) {
      const kind = cell.getAttribute('t')
      const value = cell.getElementsByTagName('v')[0]?.textContent ?? ''
      const place = columnOf(cell.getAttribute('r') ?? '')
      cells[place < 0 ? cells.length : place] =
        kind === 's' ? (shared[Number(value)] ?? '') : kind === 'inlineStr' ? textIn(cell) : value
    }
    rows[Number(row.getAttribute('r') ?? rows.length + 1) - 1] = Array.from(cells, (text) => text ?? '')
  }
  return Array.from(rows, (row) => row ?? [])
}

/** Parses a number cell; null if it is empty. Throws a message for anything else. */
function numberIn(text: string, field: 'latitude' | 'longitude' | 'dma', most: number): number | null {
  if (!text) return null
  const number = Number(text)
  if (!Number.isFinite(number) || Math.abs(number) > most || (field === 'dma' && !Number.isInteger(number)))
    throw new Error(
      field === 'dma' ? `“${text}” isn’t a market area code` : `${VENUE_LABELS[field]} must be between −${most} and ${most}`,
    )
  return number
}

function venueOf(text: (field: VenueField) => string, seen: Set<string>, areas: ReadonlySet<number> | undefined): Venue {
  const code = text('code')
  if (!code) throw new Error('Code is missing')
  if (code.length > 100) throw new Error('Code has more than 100 characters')
  if (seen.has(code)) throw new Error(`Code ${code} is already used above`)
  const latitude = numberIn(text('latitude'), 'latitude', 90)
  const longitude = numberIn(text('longitude'), 'longitude', 180)
  if ((latitude === null) !== (longitude === null)) throw new Error('A position needs latitude and longitude')
  const dma = numberIn(text('dma'), 'dma', 999)
  if (dma === null && latitude === null) throw new Error('A venue needs a position or a market area')
  if (dma !== null && areas && !areas.has(dma)) throw new Error(`Market area ${dma} doesn’t exist`)
  seen.add(code)
  return { code, name: text('name').slice(0, 200), address: text('address').slice(0, 300), latitude, longitude, dma }
}

/** Maps columns by their headings and reads venues; lines with errors are skipped. */
function venuesIn(rows: readonly (readonly string[])[], areas?: ReadonlySet<number>): VenueFile {
  const first = rows.findIndex((row) => row.some((cell) => cell.trim()))
  const headings = first < 0 ? [] : rows[first]!.map((cell) => cell.trim())
  const taken = new Set<VenueField>()
  const columns = headings.map((heading) => {
    const fields = Object.keys(HEADINGS) as VenueField[]
    const as = fields.find((field) => !taken.has(field) && HEADINGS[field].includes(plain(heading))) ?? null
    if (as) taken.add(as)
    return { heading, as }
  })
  if (!taken.has('code'))
    throw new UnreadableFile(
      'No column is called Code. The first line names the columns: Code, Name, Address, Latitude, Longitude, DMA.',
    )
  const venues: Venue[] = []
  const errors: { line: number; message: string }[] = []
  const seen = new Set<string>()
  for (const [at, row] of rows.entries()) {
    if (at <= first || !row.some((cell) => cell.trim())) continue
    try {
      venues.push(venueOf((field) => row[columns.findIndex(({ as }) => as === field)]?.trim() ?? '', seen, areas))
    } catch (error) {
      errors.push({ line: at + 1, message: (error as Error).message })
    }
  }
  if (venues.length > MOST)
    throw new UnreadableFile(`The file has ${count(venues.length)} venues; you can add at most ${count(MOST)} at once.`)
  return { venues, columns, errors }
}

/** Reads venues from a CSV or XLSX file; throws UnreadableFile. */
export async function readVenues(file: File, areas?: ReadonlySet<number>): Promise<VenueFile> {
  if (file.size > MOST_BYTES) throw new UnreadableFile('The file is larger than 20 MB.')
  const bytes = await file.arrayBuffer()
  const isZip = new DataView(bytes).byteLength > 4 && new DataView(bytes).getUint32(0, true) === 0x04034b50
  try {
    if (isZip) return venuesIn(await rowsOfWorkbook(bytes), areas)
    return venuesIn(rowsOfText(new TextDecoder('utf-8').decode(bytes)), areas)
  } catch (error) {
    if (error instanceof UnreadableFile) throw error
    throw new UnreadableFile('This file can’t be read. Save it as CSV or XLSX.')
  }
}
