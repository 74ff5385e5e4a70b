import type { Input, Output } from '../../contract/calls.ts'
import { ApiError } from '../data/api.ts'

type Row = NonNullable<Input<'visit.ingest'>['rows']>[number]
type Report = Output<'visit.ingest'>['data']

/** Rows per request, the most that a JSON list may have. */
const ROWS = 500
/** The most errors shown for a file. */
const SHOWN = 20

/** The result of sending a file of visits. */
export interface SendResult {
  added: number
  repeated: number
  venues: number
  refused: number
  errors: string[]
}

/** Sends a file of NDJSON, or CSV with headings, in batches of lines; rows sent twice count once. */
export async function sendVisits(
  file: Blob,
  how: {
    signal: AbortSignal
    progress: (bytes: number) => void
    send: (rows: Row[]) => Promise<{ data: Report }>
  },
): Promise<SendResult> {
  const sent: SendResult = { added: 0, repeated: 0, venues: 0, refused: 0, errors: [] }
  const refuse = (line: number, sentence: string) => {
    sent.refused++
    if (sent.errors.length < SHOWN) sent.errors.push(`Line ${line}: ${sentence}`)
  }
  let rows: Row[] = []
  let numbers: number[] = []
  let number = 0
  /** The heading of a CSV; null for NDJSON, undefined before the first line. */
  let heading: Heading | null | undefined
  let bytes = 0
  const flush = async () => {
    if (rows.length) {
      const report = await reportOf(how.send(rows))
      sent.added += report.added
      sent.repeated += report.repeated
      sent.venues += report.venues_added
      for (const { row, fields } of report.errors) refuse(numbers[row - 1]!, Object.values(fields).join('; '))
    }
    rows = []
    numbers = []
    how.progress(bytes)
  }
  const take = async (text: string) => {
    number++
    const line = (number === 1 ? text.replace(/^\uFEFF/, '') : text).replace(/\r$/, '')
    if (!line.trim()) return
    // The decoder's sign for bytes that aren't UTF-8: two devices would become one.
    if (line.includes('\ufffd')) return refuse(number, 'is not UTF-8')
    if (heading === undefined) {
      heading = line.trimStart().startsWith('{') ? null : headingOf(line)
      if (heading) return
    }
    const row = heading ? cellsOf(line, heading) : rowOf(line)
    if (row) {
      rows.push(row)
      numbers.push(number)
    } else refuse(number, heading ? 'has more cells than the heading, or a quote that doesn’t end' : 'is not valid JSON')
    if (rows.length === ROWS) await flush()
  }
  let rest = ''
  const decoder = new TextDecoder()
  for (let from = 0; from < file.size; from += PIECE) {
    how.signal.throwIfAborted()
    const piece = await file.slice(from, from + PIECE).arrayBuffer()
    bytes = from + piece.byteLength
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n')
    rest = lines.pop()!
    for (const line of lines) await take(line)
  }
  if (rest) await take(rest)
  await flush()
  return sent
}

/** Bytes read from the file at a time. */
const PIECE = 1_048_576

function rowOf(line: string): Row | null {
  try {
    const row: unknown = JSON.parse(line)
    return row !== null && typeof row === 'object' && !Array.isArray(row) ? (row as Row) : null
  } catch {
    return null
  }
}

interface Heading {
  names: readonly string[]
  separator: string
}
/** Headings that other programs use for the same fields. */
const SPELLINGS: Readonly<Record<string, string>> = { time: 'at', lat: 'latitude', lon: 'longitude', lng: 'longitude' }

/** Reads a CSV's columns from its first line; the separator is the most frequent one. */
function headingOf(line: string): Heading | null {
  const times = (separator: string) => line.split(separator).length
  const separator = [',', ';', '\t'].sort((a, b) => times(b) - times(a))[0]!
  const names = split(line, separator)?.map((name) => name.toLowerCase().replaceAll(' ', '_'))
  return names?.includes('device') ? { names: names.map((name) => SPELLINGS[name] ?? name), separator } : null
}

/** Turns a CSV line into a row: blank cells are left out, and numbers stay texts, which the server parses. */
function cellsOf(line: string, { names, separator }: Heading): Row | null {
  const cells = split(line, separator)
  if (!cells || cells.slice(names.length).some(Boolean)) return null
  return Object.fromEntries(cells.flatMap((cell, at) => (cell ? [[names[at]!, cell]] : [])))
}

/** Splits a line into trimmed cells without quotes; null if a quote isn't closed. */
function split(line: string, separator: string): string[] | null {
  const cells: string[] = []
  let cell = ''
  let quoted = false
  for (let at = 0; at < line.length; at++) {
    const sign = line[at]!
    if (sign === '"' && quoted && line[at + 1] === '"') {
      cell += sign
      at++
    } else if (sign === '"') quoted = !quoted
    else if (sign === separator && !quoted) {
      cells.push(cell.trim())
      cell = ''
    } else cell += sign
  }
  return quoted ? null : [...cells, cell.trim()]
}

/** A batch without a valid row is refused as a whole, with the same report. */
async function reportOf(answer: Promise<{ data: Report }>): Promise<Report> {
  try {
    return (await answer).data
  } catch (error) {
    if (error instanceof ApiError && error.code === 'all_refused' && error.more.data) return error.more.data as Report
    throw error
  }
}
