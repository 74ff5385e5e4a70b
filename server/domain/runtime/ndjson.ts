import { ownTurn } from '../../core/turns.ts'
import { BadLine } from './respondent.ts'

/** A line of an NDJSON file, numbered from 1: its value, or a BadLine. Blank lines are counted and skipped. */
export interface Line {
  number: number
  row: unknown
}

/** No respondent is longer; what is, is not kept in memory. */
export const LINE_LIMIT = 256 * 1024
/** A line that is longer takes long enough to parse to be noticed. */
const LONG = 16 * 1024
const NEWLINE = 10

/** The lines of an NDJSON stream, read as they come: never more of it is held than one line. */
export async function* linesOf(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  let number = 0
  let parts: Uint8Array[] = []
  let length = 0
  const end = async (): Promise<Line | null> => {
    // Of many senders at once each parses its long line in a turn of its own.
    if (length > LONG) await ownTurn()
    number++
    const tooLong = length > LINE_LIMIT
    const text = tooLong ? '' : Buffer.concat(parts).toString('utf8')
    parts = []
    length = 0
    if (tooLong) return { number, row: new BadLine(`line is longer than ${LINE_LIMIT / 1024} KB`) }
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

/** One line of NDJSON; one that is no JSON becomes a BadLine, so that the intake can say which. */
export function parseLine(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return new BadLine('line is not valid JSON')
  }
}

/** The rows of an NDJSON text that is there as a whole. */
export function parseNdjson(text: string): unknown[] {
  const rows: unknown[] = []
  for (const line of text.replace(/^\uFEFF/, '').split('\n')) if (line.trim()) rows.push(parseLine(line))
  return rows
}
