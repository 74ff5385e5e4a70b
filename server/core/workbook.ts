import { posix } from 'node:path'
import { type SaxesAttributeNS, SaxesParser, type SaxesTagNS } from 'saxes'
import { type Entry, fromBufferPromise } from 'yauzl'
import { checkedLine, errorFault, MOST_COLUMNS } from './csvTable.ts'
import { cellFormat, type Format, shownAs } from './numberFormat.ts'
import type { TableLine } from './tableLine.ts'

/** The most bytes a sheet or its texts may decompress to, so that a small file can't fill the memory. */
const UNFOLDED = 256 * 1024 * 1024
/** The most characters of one row or text. */
const LONGEST = 4 * 1024 * 1024
/** The most elements within each other; a sheet has six. */
const DEEPEST = 64

/** Thrown for bytes that aren't a workbook, or can't be read as one. */
export class UnreadableWorkbook extends Error {}

/** An XLSX workbook: the names of its sheets, hidden ones last, and their rows one after another. */
export interface Workbook {
  sheets: readonly string[]
  /** The first visible sheet that has rows; without one, the first sheet. */
  first(): Promise<string>
  /** The rows of a sheet that aren't empty, by their numbers in the spreadsheet, read as a stream. */
  rows(sheet: string): AsyncGenerator<TableLine>
}

type Parts = (name: string) => AsyncIterable<Buffer> | null

/** A part's name as others refer to it: some programs write it in another case, with backslashes or as an address. */
function plainName(name: string): string {
  const plain = name.replaceAll('\\', '/').replace(/^\//, '').toLowerCase()
  try {
    return decodeURIComponent(plain)
  } catch {
    return plain
  }
}

/** The parts of a zip file by name, each as a stream. */
async function partsOf(bytes: Buffer): Promise<Parts> {
  const entries = new Map<string, Entry>()
  // Names aren't used as paths, so those that would be unsafe do no harm.
  const zip = await fromBufferPromise(bytes, { decodeStrings: false, autoClose: false }).catch(unreadable)
  try {
    for await (const entry of zip.eachEntry()) entries.set(plainName(entry.fileNameRaw.toString('utf8')), entry)
  } catch (error) {
    unreadable(error)
  }
  return (name) => {
    const entry = entries.get(plainName(name))
    return entry ? unfolded(entry) : null
  }

  async function* unfolded(entry: Entry): AsyncGenerator<Buffer> {
    if (entry.uncompressedSize > UNFOLDED) throw new UnreadableWorkbook()
    const content = await zip.openReadStreamPromise(entry).catch(unreadable)
    const pieces = content[Symbol.asyncIterator]() as AsyncIterator<Buffer>
    try {
      for (;;) {
        const { value, done } = await pieces.next().catch(unreadable)
        if (done) return
        yield value
      }
    } finally {
      content.destroy()
    }
  }
}
const unreadable = (error: unknown): never => {
  throw new UnreadableWorkbook('', { cause: error })
}

/** The addresses of the namespaces that are read, transitional and strict; parts without any are taken as they are. */
const NAMESPACES = new Set([
  '',
  'http://schemas.openxmlformats.org/spreadsheetml/2006/main',
  'http://purl.oclc.org/ooxml/spreadsheetml/main',
  'http://schemas.openxmlformats.org/package/2006/relationships',
])

/** What is done as an XML part is read: at the start, text and end of its elements. */
interface Handlers {
  open(tag: SaxesTagNS): void
  text?(text: string): void
  close?(tag: SaxesTagNS): void
}

/** The encoding that a part says it has, by its mark or its first words; UTF-8 without. */
function decoderOf(first: Buffer): TextDecoder {
  const isWide = (first[0] === 0xff && first[1] === 0xfe) || first[1] === 0
  const isWideHigh = (first[0] === 0xfe && first[1] === 0xff) || first[0] === 0
  const declared = /^[^>]{0,100}\sencoding\s{0,9}=\s{0,9}["']([\w.:-]{1,40})["']/.exec(first.toString('latin1', 0, 200))?.[1]
  try {
    return new TextDecoder(
      isWide ? 'utf-16le' : isWideHigh ? 'utf-16be' : declared && !/^utf-?16/i.test(declared) ? declared : 'utf-8',
      {
        fatal: true,
      },
    )
  } catch (error) {
    return unreadable(error)
  }
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
  let decoder: TextDecoder | undefined
  const decoded = (piece?: Buffer): string => {
    decoder ??= decoderOf(piece ?? Buffer.alloc(0))
    try {
      return decoder.decode(piece, { stream: piece !== undefined })
    } catch (error) {
      return unreadable(error)
    }
  }
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
    if (NAMESPACES.has(tag.uri)) handlers.open(tag)
  })
  for (const kind of ['text', 'cdata'] as const) parser.on(kind, (text) => handlers.text?.(text))
  parser.on('closetag', (tag) => {
    depth--
    if (NAMESPACES.has(tag.uri)) handlers.close?.(tag)
  })
  for await (const piece of part) {
    const text = decoded(piece)
    since += text.length
    parser.write(text)
    if (since > LONGEST) throw new UnreadableWorkbook()
    yield* items
    items = []
  }
  parser.write(decoded()).close()
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
  for (const letter of /^[A-Z]{1,3}/.exec(reference.toUpperCase())?.[0] ?? 'A') place = place * 26 + letter.charCodeAt(0) - 64
  return place - 1
}
const LONG_NUMBER = 'has a number of more than 15 digits, whose last ones spreadsheets lose: write it as text'
/** The least whole number whose last digits a spreadsheet loses. */
const INEXACT = 1e15

/** A cell's text by its type, which is a shared text, a number or date, a word or its own text; and its fault. */
function cellOf(
  type: string | undefined,
  text: string,
  format: Format,
  shared: Shared['texts'],
): { text: string; fault?: string } {
  const plain = text.trim()
  if (type === 'e') return { text: plain, fault: errorFault(plain) }
  if (type === 's' && plain) {
    const found = shared(/^\d+$/.test(plain) ? Number(plain) : -1)
    return found === undefined ? { text: '', fault: 'has a text that the workbook lacks' } : { text: found }
  }
  if (type === 'b' && plain) return { text: /^(1|true)$/i.test(plain) ? 'TRUE' : 'FALSE' }
  if (type !== undefined && type !== 'n') return { text: unescaped(text) }
  const shown = shownAs(plain, format)
  return Math.abs(Number(plain)) < INEXACT
    ? { text: shown }
    : { text: shown, ...(Number.isFinite(Number(plain)) && { fault: LONG_NUMBER }) }
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

/** What cells refer to: texts and formats, both by number. */
interface Shared {
  texts: (number: number) => string | undefined
  formats: readonly Format[]
}

/** Texts of one block: enough that a block isn't part of a pool, which it would keep whole. */
const BLOCK = 2048

/** Holds texts as bytes, in blocks, as a million strings take several times their length. */
async function heldTexts(all: AsyncIterable<string>): Promise<Shared['texts']> {
  const blocks: { bytes: Buffer; ends: Uint32Array }[] = []
  let block: string[] = []
  const end = () => {
    let size = 0
    const ends = Uint32Array.from(block, (text) => {
      size += Buffer.byteLength(text)
      return size
    })
    blocks.push({ bytes: Buffer.from(block.join('')), ends })
    block = []
  }
  for await (const text of all) if (block.push(text) === BLOCK) end()
  end()
  return (number) => {
    const { bytes, ends } = blocks[Math.floor(number / BLOCK)] ?? {}
    const at = number % BLOCK
    return bytes && ends && at < ends.length ? bytes.toString('utf8', at ? ends[at - 1] : 0, ends[at]) : undefined
  }
}

const sheetRows = (part: AsyncIterable<Buffer>, { texts: shared, formats }: Shared) =>
  read<TableLine>(part, (add) => {
    const texts = collector(['v', 't'])
    let row = { line: 0, cells: [] as string[], faults: [] as NonNullable<TableLine['faults']> }
    let cell: { at: number; type: string | undefined; format: Format } | null = null
    let next = 0
    return {
      open(tag) {
        texts.open(tag)
        if (tag.local === 'row') {
          const line = Number(attributeOf(tag, 'r'))
          row = { line: Number.isSafeInteger(line) && line > row.line ? line : row.line + 1, cells: [], faults: [] }
          next = 0
        } else if (tag.local === 'c') {
          const reference = attributeOf(tag, 'r')
          const at = reference ? columnOf(reference) : next
          next = at + 1
          cell = { at, type: attributeOf(tag, 't'), format: formats[Number(attributeOf(tag, 's') ?? 0)] ?? 'plain' }
          texts.take()
        }
      },
      text: texts.text,
      close(tag) {
        texts.close(tag)
        if (tag.local === 'row') add(checkedLine(row.line, row.cells, row.faults))
        if (tag.local !== 'c' || !cell) return
        const { at, type, format } = cell
        const { text, fault } = cellOf(type, texts.take(), format, shared)
        if (at < MOST_COLUMNS) {
          while (row.cells.length < at) row.cells.push('')
          row.cells[at] = text
          if (fault) row.faults.push({ at, message: fault })
        }
        cell = null
      },
    }
  })

/** The formats of a workbook's cells, by their number. */
async function formatsOf(part: AsyncIterable<Buffer>, has1904: boolean): Promise<Format[]> {
  const codes = new Map<number, string>()
  let within = false
  const ids = read<number>(part, (add) => ({
    open(tag) {
      if (tag.local === 'cellXfs') within = true
      else if (tag.local === 'numFmt') codes.set(Number(attributeOf(tag, 'numFmtId')), attributeOf(tag, 'formatCode') ?? '')
      else if (tag.local === 'xf' && within) add(Number(attributeOf(tag, 'numFmtId') ?? 0))
    },
    close(tag) {
      if (tag.local === 'cellXfs') within = false
    },
  }))
  return (await Array.fromAsync(ids)).map((id) => cellFormat(id, codes.get(id), has1904))
}

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

const alike = (one: string, other = '') => one.toLowerCase() === other.toLowerCase()

/** Opens an XLSX workbook; throws UnreadableWorkbook for anything else. */
export async function openWorkbook(bytes: Buffer): Promise<Workbook> {
  const part = await partsOf(bytes)
  const main = (await relationsOf(part, '')).find(({ kind }) => kind === 'officeDocument')?.target ?? 'xl/workbook.xml'
  const content = part(main)
  if (!content) throw new UnreadableWorkbook()
  const relations = await relationsOf(part, main)
  let has1904 = false
  const listed = read<Sheet>(content, (add) => ({
    open(tag) {
      if (tag.local === 'workbookPr') has1904 = /^(1|true)$/i.test(attributeOf(tag, 'date1904') ?? '')
      if (tag.local !== 'sheet') return
      const hidden = (attributeOf(tag, 'state') ?? 'visible') !== 'visible'
      add({ name: attributeOf(tag, 'name') ?? '', hidden, relation: attributeOf(tag, 'id', '/relationships') })
    },
  }))
  const paths = new Map<string, string>()
  const sheets = (await Array.fromAsync(listed)).toSorted((a, b) => Number(a.hidden) - Number(b.hidden))
  const visible: string[] = []
  for (const { name, hidden, relation } of sheets) {
    const target = relations.find(({ id, kind }) => alike(id, relation) && kind === 'worksheet')?.target
    if (!target) continue
    const shown = name || `Sheet ${paths.size + 1}`
    paths.set(shown, target)
    if (!hidden) visible.push(shown)
  }
  if (!paths.size) throw new UnreadableWorkbook()
  let held: Shared | null = null
  const shared = async () => {
    if (held) return held
    const ofKind = (kind: string) => part(relations.find((one) => one.kind === kind)?.target ?? `xl/${kind}.xml`)
    const [texts, styles] = [ofKind('sharedStrings'), ofKind('styles')]
    held = {
      texts: texts ? await heldTexts(sharedTexts(texts)) : () => undefined,
      formats: styles ? await formatsOf(styles, has1904) : [],
    }
    return held
  }
  async function* rows(sheet: string) {
    const sheetPart = part(paths.get(sheet) ?? '')
    if (!sheetPart) throw new UnreadableWorkbook()
    for await (const row of sheetRows(sheetPart, await shared())) if (row.cells.some((cell) => cell?.trim())) yield row
  }
  return {
    sheets: [...paths.keys()],
    async first() {
      for (const name of visible) for await (const _ of rows(name)) return name
      return visible[0] ?? [...paths.keys()][0]!
    },
    rows,
  }
}
