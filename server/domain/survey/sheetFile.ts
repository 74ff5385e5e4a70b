import { inflateRawSync } from 'node:zlib'
import { HttpError } from '../../core/errors.ts'

/** The most bytes that a part of a workbook may unfold to, so that a small file can't fill the memory. */
const UNFOLDED = 32 * 1024 * 1024
const DIRECTORY = 0x02014b50
const DIRECTORY_END = 0x06054b50
const unreadable = () =>
  new HttpError(422, 'invalid', 'The workbook can’t be read.', { fields: { source_file_id: 'The workbook can’t be read.' } })

/** The parts of a zip file by name, read when asked for; throws 422 for what is none. */
function partsOf(zip: Buffer): (name: string) => string | null {
  const end = zip.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]))
  if (end < 0 || zip.readUInt32LE(end) !== DIRECTORY_END) throw unreadable()
  const entries = new Map<string, { method: number; packed: number; header: number }>()
  let at = zip.readUInt32LE(end + 16)
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    if (at + 46 > zip.length || zip.readUInt32LE(at) !== DIRECTORY) throw unreadable()
    const lengths = [28, 30, 32].map((offset) => zip.readUInt16LE(at + offset)) as [number, number, number]
    entries.set(zip.toString('utf8', at + 46, at + 46 + lengths[0]), {
      method: zip.readUInt16LE(at + 10),
      packed: zip.readUInt32LE(at + 20),
      header: zip.readUInt32LE(at + 42),
    })
    at += 46 + lengths[0] + lengths[1] + lengths[2]
  }
  return (name) => {
    const entry = entries.get(name)
    if (!entry) return null
    const from = entry.header + 30 + zip.readUInt16LE(entry.header + 26) + zip.readUInt16LE(entry.header + 28)
    const packed = zip.subarray(from, from + entry.packed)
    if (entry.method === 0) return packed.toString('utf8')
    if (entry.method !== 8) throw unreadable()
    return inflateRawSync(packed, { maxOutputLength: UNFOLDED }).toString('utf8')
  }
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const plain = (xml: string): string =>
  xml.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w+));/gi, (whole, hex?: string, number?: string, name?: string) => {
    if (name) return ENTITIES[name] ?? whole
    const code = hex ? Number.parseInt(hex, 16) : Number(number)
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
/** The text of a string item: all its runs, without phonetic hints. */
const textOf = (xml: string): string =>
  [...xml.replace(/<rPh\b[\s\S]*?<\/rPh>/g, '').matchAll(/<t(?:\s[^>]*)?>([\s\S]*?)<\/t>/g)].map((run) => plain(run[1]!)).join('')

/** The place of a cell's column: "C7" is 2. */
const columnOf = (reference: string): number =>
  [...(/^[A-Z]{1,3}/.exec(reference)?.[0] ?? 'A')].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1

/**
 * The cells of a workbook's first sheet as texts, without empty rows.
 * Reads what a data map has: shared and inline texts, numbers and formulas' values; throws 422 for anything else.
 */
export function sheetOf(workbook: Buffer): string[][] {
  try {
    const part = partsOf(workbook)
    const shared = [...(part('xl/sharedStrings.xml') ?? '').matchAll(/<si>([\s\S]*?)<\/si>/g)].map((item) => textOf(item[1]!))
    const book = part('xl/workbook.xml') ?? ''
    const relation = /<sheet\b[^>]*\br:id="([^"]+)"/.exec(book)?.[1]
    const relations = part('xl/_rels/workbook.xml.rels') ?? ''
    const target = [...relations.matchAll(/<Relationship\b[^>]*>/g)]
      .map(([tag]) => tag)
      .find((tag) => relation !== undefined && tag.includes(`Id="${relation}"`))
    const path = /\bTarget="\/?([^"]+)"/.exec(target ?? '')?.[1] ?? 'worksheets/sheet1.xml'
    const sheet = part(path.startsWith('xl/') ? path : `xl/${path}`)
    if (sheet === null) throw unreadable()
    return [...sheet.matchAll(/<row\b[^>]*>([\s\S]*?)<\/row>/g)]
      .map(([, row]) => {
        const cells: string[] = []
        for (const [, attributes, content = ''] of row!.matchAll(/<c\b([^>]*?)(?:\/>|>([\s\S]*?)<\/c>)/g)) {
          const column = columnOf(/\br="([A-Z]+\d+)"/.exec(attributes!)?.[1] ?? `A${cells.length}`)
          const at = /\br="/.test(attributes!) ? column : cells.length
          if (at > 200) continue
          const type = /\bt="(\w+)"/.exec(attributes!)?.[1]
          const value = /<v>([\s\S]*?)<\/v>/.exec(content)?.[1] ?? ''
          while (cells.length < at) cells.push('')
          cells[at] = type === 's' ? (shared[Number(value)] ?? '') : type === 'inlineStr' ? textOf(content) : plain(value)
        }
        return cells
      })
      .filter((cells) => cells.some((cell) => cell.trim()))
  } catch (error) {
    if (error instanceof HttpError) throw error
    throw unreadable()
  }
}
