import { isUtf8 } from 'node:buffer'
import { yieldTurn } from '../../core/yieldTurn.ts'
import { BadLine } from './respondent.ts'

/** A numbered line (from 1) of an NDJSON file: its value, or a BadLine. Blank lines are counted and skipped. */
export interface Line {
  number: number
  row: unknown
}

/** The longest line kept in memory, in bytes; no respondent needs more. */
const LINE_LIMIT = 256 * 1024
/** Longer lines take a noticeable time to parse. */
const LONG = 16 * 1024
const NEWLINE = 10

/** Reads an NDJSON stream as it arrives, holding one line at a time. */
export async function* linesOf(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  let number = 0
  let parts: Uint8Array[] = []
  let length = 0
  const end = async (): Promise<Line | null> => {
    // Each long line is parsed in a turn of its own, so that several senders can't block the server.
    if (length > LONG) await yieldTurn()
    number++
    const tooLong = length > LINE_LIMIT
    const bytes = Buffer.concat(tooLong ? [] : parts)
    parts = []
    length = 0
    if (tooLong) return { number, row: new BadLine(`line is longer than ${LINE_LIMIT / 1024} KB`) }
    // Decoding would replace its bytes, so that two ids become one.
    if (!isUtf8(bytes)) return { number, row: new BadLine('line is not UTF-8') }
    const text = bytes.toString('utf8')
    const plain = number === 1 ? text.replace(/^\uFEFF/, '') : text
    return plain.trim() ? { number, row: parseLine(plain) } : null
  }
  const keep = (part: Uint8Array) => {
    length += part.length
    if (length <= LINE_LIMIT) parts.push(part)
    else parts = []
  }
  for await (const piece of stream) {
    let from = 0
    for (let at = piece.indexOf(NEWLINE); at >= 0; at = piece.indexOf(NEWLINE, from)) {
      keep(piece.subarray(from, at))
      from = at + 1
      const line = await end()
      if (line) yield line
    }
    if (from < piece.length) keep(piece.subarray(from))
  }
  const last = length ? await end() : null
  if (last) yield last
}

/** Parses one line; invalid JSON becomes a BadLine, so that the intake can report it. */
function parseLine(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return new BadLine('line is not valid JSON')
  }
}

/** Parses a complete NDJSON text. */
export function parseNdjson(text: string): unknown[] {
  const rows: unknown[] = []
  for (const line of text.replace(/^\uFEFF/, '').split('\n')) if (line.trim()) rows.push(parseLine(line))
  return rows
}
