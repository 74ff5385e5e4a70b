import { createHash } from 'node:crypto'
import type { FieldCode } from '../../../contract/errorCodes.ts'
import { losesDigits, SEND_AS_TEXT } from '../../../contract/exactNumber.ts'
import { readExternalId } from '../../../contract/externalId.ts'
import { emailKey } from '../../../contract/fieldKinds.ts'
import { readMoment } from '../../../contract/moments.ts'
import { numberOf } from '../../../contract/money.ts'
import type { ReadTasks } from '../../core/readers.ts'
import { openTable } from '../../core/tableFile.ts'
import type { TableLine } from '../../core/tableLine.ts'
import type { UserActivityTable } from '../../db/schema.ts'
import { BadLine } from '../runtime/respondent.ts'

/** A validated act of a batch. */
export interface Act extends Pick<UserActivityTable, 'person' | 'email' | 'action' | 'comment' | 'url' | 'dma' | 'at'> {
  external_id: string
}
const DAY_MS = 86_400_000
const PERSON = /^[0-9a-f]{16}$/i
const LIMITS = { comment: 5000, url: 2000 } as const
const ACTIONS: readonly string[] = ['photo', 'video', 'comment', 'social', 'survey'] satisfies Act['action'][]

const digits = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16)
/** A participant's hash, the same for all spellings of their address. */
export const personOf = (email: string): string => digits(emailKey(email) ?? email.trim().toLowerCase())

const FIELDS = new Set(['external_id', 'action', 'comment', 'url', 'at', 'dma', 'email', 'person'])
/** The names of a row that no act has. */
export const unknownIn = (raw: unknown): string[] =>
  raw && typeof raw === 'object' && !Array.isArray(raw) ? Object.keys(raw).filter((name) => !FIELDS.has(name)) : []

/** What is wrong with a row, with the field if it is one’s. */
export interface ActFault {
  field: string
  code: FieldCode
  message: string
}

/** Reads an act of a batch, or returns all that is wrong with it; `known` are the market areas. */
export function readAct(raw: unknown, { now, known }: { now: Date; known: ReadonlySet<number> }): Act | { errors: ActFault[] } {
  if (raw instanceof BadLine) return { errors: [{ field: 'line', code: 'format', message: raw.message }] }
  if (!raw || typeof raw !== 'object' || Array.isArray(raw))
    return { errors: [{ field: 'row', code: 'type', message: 'it is not an object' }] }
  const item = raw as Record<string, unknown>
  const errors: ActFault[] = []
  const wrong = (field: string, code: FieldCode, sentence: string) =>
    errors.push({ field, code, message: `${field} ${sentence}` })
  const text = (name: string): string => {
    const value = Object.hasOwn(item, name) ? item[name] : undefined
    if (value === undefined || value === null) return ''
    if (typeof value !== 'string' && typeof value !== 'number') wrong(name, 'type', 'must be a text')
    else if (losesDigits(value)) wrong(name, 'type', SEND_AS_TEXT)
    const trimmed = String(value).trim()
    const most = (LIMITS as Partial<Record<string, number>>)[name]
    if (most !== undefined && trimmed.length > most) wrong(name, 'range', `must be at most ${most} characters`)
    if (trimmed.includes('\0')) wrong(name, 'format', 'must not contain a null character')
    return trimmed
  }
  const read = readExternalId(item.external_id, { most: 200 })
  if ('fault' in read) wrong('external_id', 'format', read.fault)
  const external_id = 'id' in read ? read.id : ''
  const [action, comment, url, sentAt, dma] = ['action', 'comment', 'url', 'at', 'dma'].map(text)
  const email = text('email').toLowerCase()
  const given_person = text('person').toLowerCase()
  const does = action || (comment ? 'comment' : '')
  if ('id' in read && !external_id) wrong('external_id', 'required', 'is required')
  if (!ACTIONS.includes(does)) wrong('action', action ? 'choice' : 'required', `must be one of ${ACTIONS.join(', ')}`)
  if (does === 'comment' && !comment) wrong('comment', 'required', 'is required')
  if ((does === 'photo' || does === 'video') && !url) wrong('url', 'required', `is required for a ${does} without a file`)
  if (url && !/^https?:\/\//i.test(url)) wrong('url', 'format', 'must begin with http:// or https://')
  if (email && emailKey(email) === null) wrong('email', 'format', 'is not valid')
  if (given_person && !PERSON.test(given_person)) wrong('person', 'format', 'must be 16 hex digits')
  const at = sentAt ? readMoment(sentAt, { zone: 'UTC', day: true }) : now.getTime()
  if (at === null) wrong('at', 'format', 'must be a time such as 2026-03-01T14:05:00Z')
  else if (at > now.getTime() + DAY_MS) wrong('at', 'range', 'is in the future')
  if (dma && !known.has(numberOf(dma))) wrong('dma', 'choice', 'is not a market area')
  if (errors.length || at === null) return { errors }
  return {
    external_id,
    action: does as Act['action'],
    comment: comment!,
    url: url!,
    email,
    // Without an address, each act counts as a person of its own.
    person: given_person || (email ? personOf(email) : digits(`act:${external_id}`)),
    at: new Date(at).toISOString(),
    dma: dma ? numberOf(dma) : null,
  }
}

type CommentRow = ReadTasks['comments']['piece'][number]
/** Rows of one piece. */
const PIECE = 400
/** Lines among which the headings are sought. */
const TOP = 20
const nameOf = (heading: string) => heading.trim().toLowerCase().replace(/\W+/g, '_')

/** The rows of a CSV of comments by its headings, in lower case with underscores, without titles above them. */
export async function* commentRows(bytes: Buffer): AsyncGenerator<CommentRow[]> {
  const { rows } = await openTable(bytes, { workbook: false })
  let names: string[] | null = null
  let lines: TableLine[] = []
  const piece = (): CommentRow[] => {
    if (!names) {
      const at = lines.findIndex(({ cells }, nth) => nth < TOP && cells.some((cell) => FIELDS.has(nameOf(cell))))
      names = (lines[Math.max(0, at)]?.cells ?? []).map(nameOf)
      lines = lines.slice(Math.max(0, at) + 1)
    }
    const found = lines.map(({ line, cells, faults = [] }) => {
      const [fault] = faults.filter(({ at }) => at < 0 || names![at])
      const row = Object.fromEntries(names!.flatMap((name, at) => (name ? [[name, (cells[at] ?? '').trim()]] : [])))
      return { line, row, ...(fault && { fault: fault.at < 0 ? fault.message : `${names![fault.at]} ${fault.message}` }) }
    })
    lines = []
    return found
  }
  for await (const line of rows()) if (lines.push(line) === PIECE) yield piece()
  yield piece()
}
