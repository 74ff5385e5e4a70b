import { posix } from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import { createInflateRaw } from 'node:zlib'
import { type SaxesAttributeNS, SaxesParser, type SaxesTagNS } from 'saxes'

/** The most bytes a sheet or its texts may decompress to, so that a small file can't fill the memory. */
const UNFOLDED = 256 * 1024 * 1024
/** The most characters of one row or text. */
const LONGEST = 4 * 1024 * 1024
/** The most elements within each other; a sheet has six. */
const DEEPEST = 64
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

/** Some programs write a part's name in other case than what refers to it, or with backslashes. */
const plainName = (name: string) => name.replaceAll('\\', '/').replace(/^\//, '').toLowerCase()

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
    entries.set(plainName(zip.toString('utf8', at + 46, at + 46 + name)), { method, packed, header })
    at += 46 + name + extra + comment
  }
  return (name) => {
    const entry = entries.get(plainName(name))
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

/** What is done as an XML part is read: at the start, text and end of its elements. */
interface Handlers {
  open(tag: SaxesTagNS): void
  text?(text: string): void
  close?(tag: SaxesTagNS): void
}

/**
 * Reads an XML part as a stream, and yields what its handlers `add`, each of at most `LONGEST` characters.
 * Entities other than XML's own five are errors, so nothing unfolds.
 */
async function* read<Item>(
  part: AsyncIterable<Buffer>,
  handlersOf: (add: (item: Item) => void) => Handlers,
): AsyncGenerator<Item> {
  const parser = new SaxesParser({ xmlns: true })
  const decoder = new StringDecoder('utf8')
  let items: Item[] = []
  let depth = 0
  let since = 0
  const handlers = handlersOf((item) => {
    items.push(item)
    since = 0
  })
  parser.on('error', () => {
    throw new UnreadableWorkbook()
  })
  parser.on('opentag', (tag) => {
    if (++depth > DEEPEST) throw new UnreadableWorkbook()
    handlers.open(tag)
  })
  parser.on('text', (text) => handlers.text?.(text))
  parser.on('closetag', (tag) => {
    depth--
    handlers.close?.(tag)
  })
  for await (const piece of part) {
    const text = decoder.write(piece)
    since += text.length
    parser.write(text)
    if (since > LONGEST) throw new UnreadableWorkbook()
    yield* items
    items = []
  }
  parser.write(decoder.end()).close()
  yield* items
}

/** The address of a namespace counts, not its prefix; the strict form of the standard has other addresses. */
const attributeOf = ({ attributes }: SaxesTagNS, local: string, uri = ''): string | undefined =>
  Object.values<SaxesAttributeNS>(attributes).find((one) => one.local === local && one.uri.endsWith(uri))?.value

/** Characters that XML can't hold are written as `_x000D_`. */
const unescaped = (text: string): string =>
  text.includes('_x')
    ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : text

/** The index of a cell's column: "C7" is 2. */
function columnOf(reference: string): number {
  let place = 0
  for (const letter of /^[A-Z]{1,3}/.exec(reference)?.[0] ?? 'A') place = place * 26 + letter.charCodeAt(0) - 64
  return place - 1
}
/** A number as people wrote it: 42.36 where the sheet stores 42.360000000000003. */
const numberText = (value: string): string =>
  value !== '' && Number.isFinite(Number(value)) ? String(Number(Number(value).toPrecision(15))) : value

/** A cell's text by its type: a shared text, a number, a word or its own text. */
function cellText(type: string | undefined, text: string, shared: readonly string[]): string {
  if (type === 's') return shared[Number(text)] ?? ''
  if (type === undefined || type === 'n') return numberText(text)
  if (type === 'b') return text.trim() === '1' ? 'TRUE' : 'FALSE'
  return unescaped(text)
}

/** Collects the text of the elements of these names, without phonetic hints. */
function collector(names: readonly string[]) {
  let text = ''
  let within = 0
  let phonetic = 0
  return {
    open({ local }: SaxesTagNS) {
      if (local === 'rPh') phonetic++
      if (names.includes(local)) within++
    },
    text(piece: string) {
      if (within && !phonetic) text += piece
    },
    close({ local }: SaxesTagNS) {
      if (local === 'rPh') phonetic--
      if (names.includes(local)) within--
    },
    /** What was collected since the last call. */
    take(): string {
      const taken = text
      text = ''
      return taken
    },
  }
}

/** The texts that cells refer to by number; an empty one counts. */
const sharedTexts = (part: AsyncIterable<Buffer>) =>
  read<string>(part, (add) => {
    const texts = collector(['t'])
    return {
      ...texts,
      close(tag) {
        texts.close(tag)
        if (tag.local === 'si') add(unescaped(texts.take()))
      },
    }
  })

const sheetRows = (part: AsyncIterable<Buffer>, shared: readonly string[]) =>
  read<SheetRow>(part, (add) => {
    const texts = collector(['v', 't'])
    let row: SheetRow = { line: 0, cells: [] }
    let cell: { at: number; type: string | undefined } | null = null
    return {
      open(tag) {
        texts.open(tag)
        if (tag.local === 'row') {
          const line = Number(attributeOf(tag, 'r'))
          row = { line: Number.isSafeInteger(line) ? line : row.line + 1, cells: [] }
        } else if (tag.local === 'c') {
          const reference = attributeOf(tag, 'r')
          cell = { at: reference ? columnOf(reference) : row.cells.length, type: attributeOf(tag, 't') }
          texts.take()
        }
      },
      text: texts.text,
      close(tag) {
        texts.close(tag)
        if (tag.local === 'row') add(row)
        if (tag.local !== 'c' || !cell) return
        const text = cellText(cell.type, texts.take(), shared)
        if (cell.at < MOST_COLUMNS) {
          while (row.cells.length < cell.at) row.cells.push('')
          row.cells[cell.at] = text
        }
        cell = null
      },
    }
  })

/** A relation of a part: the kind it names last, and the part it leads to. */
interface Relation {
  id: string
  kind: string
  target: string
}

async function relationsOf(part: Parts, from: string): Promise<Relation[]> {
  const folder = posix.dirname(from)
  const content = part(posix.join(folder, '_rels', `${posix.basename(from)}.rels`))
  if (!content) return []
  const relations = read<Relation>(content, (add) => ({
    open(tag) {
      if (tag.local !== 'Relationship') return
      const target = attributeOf(tag, 'Target') ?? ''
      const kind = attributeOf(tag, 'Type')?.split('/').at(-1) ?? ''
      add({ id: attributeOf(tag, 'Id') ?? '', kind, target: target.startsWith('/') ? target : posix.join(folder, target) })
    },
  }))
  return await Array.fromAsync(relations)
}

/** A worksheet in the workbook's order. */
interface Sheet {
  name: string
  hidden: boolean
  relation: string | undefined
}

/**
 * Opens an XLSX workbook; throws UnreadableWorkbook for anything else.
 * Reads shared and inline texts, numbers, words and formulas' values; hidden sheets come last.
 */
export async function openWorkbook(bytes: Buffer): Promise<Workbook> {
  try {
    const part = partsOf(bytes)
    const main = (await relationsOf(part, '')).find(({ kind }) => kind === 'officeDocument')?.target ?? 'xl/workbook.xml'
    const content = part(main)
    if (!content) throw new UnreadableWorkbook()
    const relations = await relationsOf(part, main)
    const listed = read<Sheet>(content, (add) => ({
      open(tag) {
        if (tag.local !== 'sheet') return
        const hidden = (attributeOf(tag, 'state') ?? 'visible') !== 'visible'
        add({ name: attributeOf(tag, 'name') ?? '', hidden, relation: attributeOf(tag, 'id', '/relationships') })
      },
    }))
    const paths = new Map<string, string>()
    for (const { name, relation } of (await Array.fromAsync(listed)).toSorted((a, b) => Number(a.hidden) - Number(b.hidden))) {
      const target = relations.find(({ id, kind }) => id === relation && kind === 'worksheet')?.target
      if (target) paths.set(name || `Sheet ${paths.size + 1}`, target)
    }
    if (!paths.size) throw new UnreadableWorkbook()
    let shared: string[] | null = null
    const texts = async () => {
      if (shared) return shared
      const items = part(relations.find(({ kind }) => kind === 'sharedStrings')?.target ?? 'xl/sharedStrings.xml')
      shared = items ? await Array.fromAsync(sharedTexts(items)) : []
      return shared
    }
    return {
      sheets: [...paths.keys()],
      async *rows(sheet) {
        const content = part(paths.get(sheet) ?? '')
        if (!content) throw new UnreadableWorkbook()
        try {
          for await (const row of sheetRows(content, await texts())) if (row.cells.some((cell) => cell?.trim())) yield row
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
