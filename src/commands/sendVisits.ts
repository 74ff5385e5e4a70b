import type { Input, Output } from '../../contract/calls.ts'
import { ApiError } from '../data/api.ts'

type Row = NonNullable<Input<'visit.ingest'>['rows']>[number]
type Report = Output<'visit.ingest'>['data']

/** Rows of one request, the most that a JSON list may hold. */
const ROWS = 500
/** Errors shown of a file. */
const SHOWN = 20

/** What became of a file of visits. */
export interface Sent {
  added: number
  repeated: number
  venues: number
  refused: number
  errors: string[]
}

/** Sends a file's lines in order, some hundreds at a time; what was sent before a failure stays and counts once. */
export async function sendVisits(
  file: Blob,
  how: {
    signal: AbortSignal
    progress: (bytes: number) => void
    send: (rows: Row[]) => Promise<{ data: Report }>
  },
): Promise<Sent> {
  const sent: Sent = { added: 0, repeated: 0, venues: 0, refused: 0, errors: [] }
  const refuse = (line: number, sentence: string) => {
    sent.refused++
    if (sent.errors.length < SHOWN) sent.errors.push(`Line ${line}: ${sentence}`)
  }
  let rows: Row[] = []
  let numbers: number[] = []
  let number = 0
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
    const line = (number === 1 ? text.replace(/^\uFEFF/, '') : text).trim()
    if (!line) return
    const row = rowOf(line)
    if (row) {
      rows.push(row)
      numbers.push(number)
    } else refuse(number, 'is not valid JSON')
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

/** A part without a good row is refused as a whole, with the same report. */
async function reportOf(answer: Promise<{ data: Report }>): Promise<Report> {
  try {
    return (await answer).data
  } catch (error) {
    if (error instanceof ApiError && error.code === 'all_refused' && error.more.data) return error.more.data as Report
    throw error
  }
}
