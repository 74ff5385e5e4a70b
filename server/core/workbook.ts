import { StringDecoder } from 'node:string_decoder'
import { createInflateRaw } from 'node:zlib'

/** The most bytes a sheet or its texts may decompress to, so that a small file can't fill the memory. */
const UNFOLDED = 256 * 1024 * 1024
/** The most characters of one row or text. */
const LONGEST = 4 * 1024 * 1024
/** Columns that are read; more are dropped. */
const MOST_COLUMNS = 200
const DIRECTORY = 0x02014b50
const SLICE = 64 * 1024

/** Thrown for bytes that aren't a workbook, or can't be read as one. */
export class UnreadableWorkbook extends Error {}

/** A row of a sheet: its number as the spreadsheet shows it, and its cells as texts. */
interface SheetRow {
  line: number
  cells: string[]
}
/** An XLSX workbook: the names of its sheets, and their rows one after another. */
export interface Workbook {
  sheets: readonly string[]
  /** The rows of a sheet that aren't empty, read as a stream. */
  rows(sheet: string): AsyncGenerator<SheetRow>
}

type Parts = (name: string) => AsyncIterable<Buffer> | null

/** The parts of a zip file by name, each as a stream. */
function partsOf(zip: Buffer): Parts {
  const end = zip.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]))
  if (end < 0 || end + 22 > zip.length) throw new UnreadableWorkbook()
  const entries = new Map<string, { method: number; packed: number; header: number }>()
  let at = zip.readUInt32LE(end + 16)
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    if (at + 46 > zip.length || zip.readUInt32LE(at) !== DIRECTORY) throw new UnreadableWorkbook()
    const [name, extra, comment] = [28, 30, 32].map((offset) => zip.readUInt16LE(at + offset)) as [number, number, number]
    const [method, packed, header] = [zip.readUInt16LE(at + 10), zip.readUInt32LE(at + 20), zip.readUInt32LE(at + 42)]
    entries.set(zip.toString('utf8', at + 46, at + 46 + name), { method, packed, header })
    at += 46 + name + extra + comment
  }
  return (name) => {
    const entry = entries.get(name)
    if (!entry) return null
    if (entry.header + 30 > zip.length) throw new UnreadableWorkbook()
    const from = entry.header + 30 + zip.readUInt16LE(entry.header + 26) + zip.readUInt16LE(entry.header + 28)
    const packed = zip.subarray(from, from + entry.packed)
    if (entry.method === 0) return slicesOf(packed)
    if (entry.method !== 8) throw new UnreadableWorkbook()
    return unfolded(packed)
  }
}

async function* slicesOf(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += SLICE) yield bytes.subarray(at, at + SLICE)
}

async function* unfolded(packed: Buffer): AsyncGenerator<Buffer> {
  const inflate = createInflateRaw({ chunkSize: SLICE })
  inflate.end(packed)
  let size = 0
  for await (const piece of inflate as AsyncIterable<Buffer>) {
    size += piece.length
    if (size > UNFOLDED) throw new UnreadableWorkbook()
    yield piece
  }
}

async function wholeOf(part: AsyncIterable<Buffer> | null): Promise<string> {
  if (!part) return ''
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of part) {
    size += piece.length
    if (size > LONGEST) throw new UnreadableWorkbook()
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('utf8')
}

/** Yields the elements of this name in an XML part; a namespace prefix (`x:row`) is ignored. */
async function* elementsOf(part: AsyncIterable<Buffer>, element: string): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  let prefix: string | null = null
  for await (const piece of part) {
    rest += decoder.write(piece)
    prefix ??= /<(\w+:)?(?:worksheet|sst)\b/.exec(rest)?.[1] ?? null
    const close = `</${prefix ?? ''}${element}>`
    let from = 0
    for (let end = rest.indexOf(close); end >= 0; end = rest.indexOf(close, from)) {
      const xml = rest.slice(from, end)
      const plain = prefix ? xml.replaceAll(`<${prefix}`, '<').replaceAll(`</${prefix}`, '</') : xml
      const start = plain.lastIndexOf(`<${element}`)
      if (start >= 0) yield plain.slice(start)
      from = end + close.length
    }
    rest = rest.slice(from)
    if (rest.length > LONGEST) throw new UnreadableWorkbook()
  }
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const unescaped = (xml: string): string =>
  xml.includes('&')
    ? xml.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w+));/gi, (whole, hex?: string, number?: string, name?: string) => {
        if (name) return ENTITIES[name] ?? whole
        const code = hex ? Number.parseInt(hex, 16) : Number(number)
        return code <= 0x10ffff ? String.fromCodePoint(code) : whole
      })
    : xml
/** The text of a string item: all its runs, without phonetic hints. */
const textOf = (xml: string): string =>
  [...xml.replace(/<rPh\b[\s\S]*?<\/rPh>/g, '').matchAll(/<t(?:\s[^>]*)?>([\s\S]*?)<\/t>/g)]
    .map((run) => unescaped(run[1]!))
    .join('')

/** The index of a cell's column: "C7" is 2. */
function columnOf(reference: string): number {
  let place = 0
  for (const letter of /^[A-Z]{1,3}/.exec(reference)?.[0] ?? 'A') place = place * 26 + letter.charCodeAt(0) - 64
  return place - 1
}
/** A number as people wrote it: 42.36 where the sheet stores 42.360000000000003. */
const numberText = (value: string): string =>
  value !== '' && Number.isFinite(Number(value)) ? String(Number(Number(value).toPrecision(15))) : value

function cellsOf(row: string, shared: readonly string[]): string[] {
  const cells: string[] = []
  for (const [, attributes, content = ''] of row.matchAll(/<c\b([^>]*?)(?:\/>|>([\s\S]*?)<\/c>)/g)) {
    const reference = /\br="([A-Z]+)\d+"/.exec(attributes!)?.[1]
    const at = reference ? columnOf(reference) : cells.length
    if (at >= MOST_COLUMNS) continue
    const type = /\bt="(\w+)"/.exec(attributes!)?.[1]
    const value = /<v(?:\s[^>]*)?>([\s\S]*?)<\/v>/.exec(content)?.[1] ?? ''
    while (cells.length < at) cells.push('')
    if (type === 's') cells[at] = shared[Number(value)] ?? ''
    else if (type === 'inlineStr') cells[at] = textOf(content)
    else cells[at] = type === undefined || type === 'n' ? numberText(value) : unescaped(value)
  }
  return cells
}

const attributeOf = (tag: string, name: string): string | undefined => {
  const value = new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1]
  return value === undefined ? undefined : unescaped(value)
}

/**
 * Opens an XLSX workbook; throws UnreadableWorkbook for anything else.
 * Reads shared and inline texts, numbers and formulas' values.
 */
export async function openWorkbook(bytes: Buffer): Promise<Workbook> {
  try {
    const part = partsOf(bytes)
    const book = (await wholeOf(part('xl/workbook.xml'))).replace(/<(\/?)x:/g, '<$1')
    const relations = [...(await wholeOf(part('xl/_rels/workbook.xml.rels'))).matchAll(/<Relationship\b[^>]*>/g)].map(
      ([tag]) => tag,
    )
    const paths = new Map<string, string>()
    for (const [tag] of book.matchAll(/<sheet\b[^>]*>/g)) {
      const relation = attributeOf(tag, 'r:id')
      const target = relations.find((one) => attributeOf(one, 'Id') === relation)
      const path = (target && attributeOf(target, 'Target')?.replace(/^\//, '')) ?? 'worksheets/sheet1.xml'
      paths.set(attributeOf(tag, 'name') ?? `Sheet ${paths.size + 1}`, path.startsWith('xl/') ? path : `xl/${path}`)
    }
    if (!paths.size) throw new UnreadableWorkbook()
    let shared: string[] | null = null
    const texts = async () => {
      if (shared) return shared
      shared = []
      const items = part('xl/sharedStrings.xml')
      if (items) for await (const item of elementsOf(items, 'si')) shared.push(textOf(item))
      return shared
    }
    return {
      sheets: [...paths.keys()],
      async *rows(sheet) {
        const content = part(paths.get(sheet) ?? '')
        if (!content) throw new UnreadableWorkbook()
        const known = await texts()
        let line = 0
        try {
          for await (const row of elementsOf(content, 'row')) {
            line = Number(attributeOf(row.slice(0, row.indexOf('>')), 'r') ?? line + 1)
            const cells = cellsOf(row, known)
            if (cells.some((cell) => cell.trim())) yield { line, cells }
          }
        } catch (error) {
          throw isBroken(error) ? new UnreadableWorkbook() : error
        }
      },
    }
  } catch (error) {
    throw isBroken(error) ? new UnreadableWorkbook() : error
  }
}

/** True for errors of unpacking, and for offsets beyond the end of the file. */
const isBroken = (error: unknown): boolean =>
  error instanceof RangeError || /^Z_/.test(String((error as { code?: unknown } | null)?.code ?? ''))
