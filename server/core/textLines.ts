import { isUtf8 } from 'node:buffer'
import type { Encoding } from '../../contract/importWords.ts'

/** A line of a text with its end; `other` if its encoding isn't the file's. */
export interface TextLine {
  line: number
  text: string
  other: boolean
}

/** Bytes that tell UTF-16 without a mark. */
const SAMPLE = 4096
const CR = 0x0d
const LF = 0x0a
const MARKS: readonly [Encoding, ...number[]][] = [
  ['utf-8', 0xef, 0xbb, 0xbf],
  ['utf-16le', 0xff, 0xfe],
  ['utf-16be', 0xfe, 0xff],
]
const markOf = (bytes: Buffer) => MARKS.find(([, ...mark]) => mark.every((byte, at) => bytes[at] === byte))

/** UTF-16 of Latin text without a mark: every other byte is zero. */
function halfZeros(bytes: Buffer): Encoding | null {
  const sample = bytes.subarray(0, SAMPLE)
  const zeros = [0, 0]
  for (const [at, byte] of sample.entries()) if (byte === 0) zeros[at % 2]!++
  const [even, odd] = zeros as [number, number]
  if (Math.max(even, odd) * 5 < sample.length) return null
  return even * 20 < odd ? 'utf-16le' : odd * 20 < even ? 'utf-16be' : null
}

/** The encoding of a text: by its mark, UTF-16 by its zeros, UTF-8 if any line needs it, else Windows-1252. */
export function encodingOf(bytes: Buffer): Encoding {
  const known = markOf(bytes)?.[0] ?? halfZeros(bytes)
  if (known || isUtf8(bytes)) return known ?? 'utf-8'
  for (const line of byteLines(bytes)) if (isWide(line) && isUtf8(line)) return 'utf-8'
  return 'windows-1252'
}
const isWide = (line: Buffer) => line.some((byte) => byte > 127)

/** Lines of bytes with their ends. */
function* byteLines(bytes: Buffer): Generator<Buffer> {
  for (let from = 0; from < bytes.length; ) {
    let at = from
    while (at < bytes.length && bytes[at] !== CR && bytes[at] !== LF) at++
    while (bytes[at] === CR && bytes[at + 1] === CR && bytes[at + 2] === LF) at++
    if (bytes[at] === CR && bytes[at + 1] === LF) at++
    yield bytes.subarray(from, at + 1)
    from = at + 1
  }
}

/** Ends of lines; some programs write a second carriage return. */
export const LINE_ENDS = ['\r\r\n', '\r\n', '\n', '\r'] as const
const LINE = /[^\r\n]*(?:\r\r\n|\r\n|\n|\r|$)/y

/** The lines of a text, without marks and the end sign of DOS. In UTF-8, a line that isn't is read as Windows-1252. */
export function* linesOf(whole: Buffer, encoding: Encoding): Generator<TextLine> {
  let bytes = whole
  for (let mark = markOf(bytes); mark; mark = markOf(bytes)) bytes = bytes.subarray(mark.length - 1)
  if (bytes.at(-1) === 0x1a) bytes = bytes.subarray(0, -1)
  let line = 0
  if (encoding === 'utf-8' && !isUtf8(bytes)) {
    const old = new TextDecoder('windows-1252')
    for (const one of byteLines(bytes)) {
      const other = !isUtf8(one)
      yield { line: ++line, text: other ? old.decode(one) : one.toString('utf8'), other }
    }
    return
  }
  const text = new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes)
  for (let at = 0; at < text.length; ) {
    LINE.lastIndex = at
    const [found] = LINE.exec(text)!
    at += found.length
    yield { line: ++line, text: found, other: false }
  }
}
