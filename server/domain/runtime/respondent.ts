import type { Selectable } from 'kysely'
import type { FieldCode } from '../../../contract/errorCodes.ts'
import { losesDigits, SEND_AS_TEXT } from '../../../contract/exactNumber.ts'
import { readExternalId } from '../../../contract/externalId.ts'
import { nameKey } from '../../../contract/foldText.ts'
import { readIpAddress } from '../../../contract/ipAddress.ts'
import { readMoment } from '../../../contract/moments.ts'
import { numberOf } from '../../../contract/money.ts'
import { isNowhere } from '../../../contract/position.ts'
import { RESPONDENT_FIELDS, RESPONDENT_SPELLINGS } from '../../../contract/respondent.ts'
import { AGES, CHILDREN, INCOMES, MARITAL, OUTCOMES, type Outcome, type Term } from '../../../contract/vocabulary.ts'
import type { RespondentTable } from '../../db/schema.ts'
import type { SentPartners } from '../partner/sentPartners.ts'
import { type Demographics, dwellBucket, ETHNICITY_INDEX, GENDER_INDEX, packCell, unpackCell } from './cells.ts'

/** A respondent as importers send it (decisions.md 10); missing values are unknown. */
export interface RespondentInput {
  respondent_id: string
  outcome: Outcome
  /** ISO time, UTC unless it has a zone. */
  at: string
  /** Age id, 1–7. */
  age?: number | null
  gender?: string | null
  /** Income band, 0–6. */
  hhi?: number | null
  ethnicity?: string | null
  marital_status?: string | null
  /** Children id, 0–4. */
  children?: number | null
  latitude?: number | null
  longitude?: number | null
  /** Market area code. */
  dma?: number | null
  /** Minutes at the place. */
  dwell?: number | null
  notice?: boolean | null
  /** Answers by question id: a text or several. */
  answers?: Readonly<Record<string, string | number | readonly (string | number)[]>> | null
  email_hash?: string | null
  ip?: string | null
  /** True if the sender suspects fraud. */
  fraud?: boolean | null
  /** When it began; `at` is when it ended. */
  started_at?: string | null
  /** Its admission, and the partner who sent it. */
  rid?: string | null
  partner_id?: number | null
}

/** A respondent as the numbers to store and count. */
export interface Respondent extends Demographics {
  id: string
  outcome: Outcome
  at: string
  cell: number
  /** Index in MARITAL; −1 if unknown. */
  marital: number
  /** Children id; −1 if unknown. */
  children: number
  latitude: number | null
  longitude: number | null
  dma: number | null
  minutes: number | null
  answers: Readonly<Record<string, unknown>> | null
  email_hash: string
  ip: string
  fraud: number
  started_at: string | null
  rid: string | null
  partner_id: number | null
}

const MARITAL_INDEX = new Map<string, number>(MARITAL.map((term, at) => [term.value, at]))

/** Packs a well-formed respondent (the demo data's) into stored numbers. */
export function packRespondent(row: RespondentInput): Respondent {
  const minutes = row.dwell ?? null
  const who = {
    age: row.age ?? 0,
    gender: row.gender ? (GENDER_INDEX.get(row.gender) ?? 0) : 0,
    hhi: row.hhi ?? 7,
    ethnicity: row.ethnicity ? (ETHNICITY_INDEX.get(row.ethnicity) ?? 0) : 0,
    dwell: dwellBucket(minutes),
    notice: row.notice === true ? 1 : row.notice === false ? 2 : 0,
  }
  return {
    age: who.age,
    gender: who.gender,
    hhi: who.hhi,
    ethnicity: who.ethnicity,
    dwell: who.dwell,
    notice: who.notice,
    id: row.respondent_id,
    outcome: row.outcome,
    at: row.at,
    cell: packCell(who),
    marital: row.marital_status ? (MARITAL_INDEX.get(row.marital_status) ?? -1) : -1,
    children: row.children ?? -1,
    latitude: row.latitude ?? null,
    longitude: row.longitude ?? null,
    dma: row.dma ?? null,
    minutes,
    answers: row.answers ?? null,
    email_hash: row.email_hash ?? '',
    ip: row.ip ?? '',
    fraud: row.fraud ? 1 : 0,
    started_at: row.started_at ?? null,
    rid: row.rid ?? null,
    partner_id: row.partner_id ?? null,
  }
}

/** The values that a stored row was counted by. */
export function storedRespondent(row: Selectable<RespondentTable>): Respondent {
  return {
    ...unpackCell(row.cell),
    id: row.respondent_id,
    outcome: row.outcome,
    at: row.at,
    cell: row.cell,
    marital: row.marital,
    children: row.children,
    latitude: row.latitude,
    longitude: row.longitude,
    dma: row.dma,
    minutes: row.dwell,
    answers: row.answers ? (JSON.parse(row.answers) as Record<string, unknown>) : null,
    email_hash: row.email_hash,
    ip: row.ip,
    fraud: Number(row.fraud),
    started_at: row.started_at,
    // Rows that were withdrawn in an older release lack them.
    rid: row.rid ?? null,
    partner_id: row.partner_id ?? null,
  }
}

/** A field's error as a sentence. */
export interface FieldError {
  field: string
  code: FieldCode
  message: string
}
/** An error with its row (line or list place, from 1) and its respondent id, if readable. */
export interface RowError extends FieldError {
  row: number
  respondent_id: string | null
}
/** A line of an NDJSON batch that isn't a JSON object. */
export class BadLine {
  readonly message: string
  constructor(message: string) {
    this.message = message
  }
}

/** The data that rows are validated against. */
export interface Against {
  questions: ReadonlySet<number>
  /** The open questions among them. */
  open: ReadonlySet<number>
  /** The options of questions, each by itself and by its key. */
  options: ReadonlyMap<number, ReadonlyMap<string, string>>
  /** The partners that may be named. */
  partners?: SentPartners
  now: Date
}

class Fault extends Error {
  readonly field: string
  readonly code: FieldCode
  constructor(field: string, sentence: string, code: FieldCode = 'invalid') {
    super(`${field} ${sentence}`)
    this.field = field
    this.code = code
  }
}

/** Reads one row of a batch: the respondent, or all its errors. */
export function readRespondent(raw: unknown, against: Against): Respondent | { errors: FieldError[] } {
  if (raw instanceof BadLine) return { errors: [{ field: 'line', code: 'format', message: raw.message }] }
  if (!raw || typeof raw !== 'object' || Array.isArray(raw))
    return { errors: [{ field: 'row', code: 'type', message: 'row must be an object' }] }
  try {
    return packRespondent(checked(raw as Record<string, unknown>, against))
  } catch (error) {
    if (error instanceof Fault) return { errors: everyFault(raw as Record<string, unknown>, against) }
    throw error
  }
}

/** A row's id, if it is readable. */
export function idOf(raw: unknown): string | null {
  if (!raw || typeof raw !== 'object') return null
  const { respondent_id, id } = raw as { respondent_id?: unknown; id?: unknown }
  const sentId = respondent_id ?? id
  return typeof sentId === 'string' || typeof sentId === 'number'
    ? String(sentId).trim().toWellFormed().normalize().slice(0, 100) || null
    : null
}

const KNOWN: ReadonlySet<string> = new Set([...Object.keys(RESPONDENT_FIELDS), ...Object.keys(RESPONDENT_SPELLINGS)])

/** Names in a row that aren't fields of a respondent. */
export function unknownFields(raw: unknown): string[] {
  if (!raw || typeof raw !== 'object' || Array.isArray(raw) || raw instanceof BadLine) return []
  const found: string[] = []
  for (const name in raw) if (!KNOWN.has(name)) found.push(name.toWellFormed().replaceAll('\u0000', '').slice(0, 60))
  return found
}

/** `agee is not a field of a respondent: did you mean age?` */
export function unknownSentence(name: string): string {
  const near = [...KNOWN].find((known) => distance(name.toLowerCase(), known) <= (known.length > 4 ? 2 : 1))
  return `${name} is not a field of a respondent${near ? `: did you mean ${near}?` : ''}`
}

/** The edit distance between two words. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let i = 1; i <= one.length; i++) {
    const next = [i]
    for (let j = 1; j <= other.length; j++)
      next.push(Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + (one[i - 1] === other[j - 1] ? 0 : 1)))
    row = next
  }
  return row[other.length]!
}

type Raw = Record<string, unknown>
/** TABLE  the reader of each field; dependent fields share one. */
const READ = {
  respondent_id: (raw: Raw) => {
    const read = readExternalId(raw.respondent_id ?? raw.id, { most: 100, inAddress: true })
    if ('fault' in read) throw new Fault('respondent_id', read.fault, 'format')
    return read.id || missing('respondent_id')
  },
  outcome: (raw: Raw) => (word(raw, 'outcome', OUTCOMES) as Outcome | null) ?? missing('outcome'),
  at: (raw: Raw, { now }: Against) => time('at', raw.at ?? raw.time, now),
  started_at: (raw: Raw, { now }: Against) => {
    if (isEmpty(raw.started_at)) return null
    const began = time('started_at', raw.started_at, now)
    if (began > time('at', raw.at ?? raw.time, now)) throw new Fault('started_at', 'is after the end')
    return began
  },
  age: (raw: Raw) => age(raw),
  gender: (raw: Raw) => wordIn(raw, 'gender', GENDER_INDEX),
  hhi: (raw: Raw) => id(raw, 'hhi', INCOMES),
  ethnicity: (raw: Raw) => wordIn(raw, 'ethnicity', ETHNICITY_INDEX),
  marital_status: (raw: Raw) => word(raw, 'marital_status', MARITAL),
  children: (raw: Raw) => id(raw, 'children', CHILDREN),
  latitude: (raw: Raw) => number(raw, 'latitude', -90, 90),
  longitude: (raw: Raw) => number(raw, 'longitude', -180, 180),
  position: (raw: Raw) => {
    if (isEmpty(raw.latitude) !== isEmpty(raw.longitude))
      throw new Fault(isEmpty(raw.latitude) ? 'latitude' : 'longitude', 'is missing: a position needs both', 'required')
  },
  dma: (raw: Raw) => whole(raw, 'dma', 1, 99_999),
  dwell: (raw: Raw) => number({ dwell: raw.dwell ?? raw.dwell_minutes }, 'dwell', 0, 100_000),
  notice: (raw: Raw) => yesNo(raw, 'notice'),
  rid: (raw: Raw) => {
    const rid = text(raw, 'rid', 40)
    if (rid && !/^[\w-]{8,40}$/.test(rid)) throw new Fault('rid', 'must be 8 to 40 letters, digits, _ or -', 'format')
    return rid || null
  },
  partner_id: (raw: Raw, { partners }: Against) => {
    const id = whole(raw, 'partner_id', 1, 2_147_483_647)
    if (id === null || !partners) return id
    const current = partners.current.get(id)
    if (current === undefined) throw new Fault('partner_id', partners.wrong, 'choice')
    // What a deleted partner sent still counts, as theirs.
    return current ?? id
  },
  answers: (raw: Raw, against: Against) => answers(raw.answers, against),
  email_hash: (raw: Raw) => hash(raw),
  ip: (raw: Raw) => address(raw),
  fraud: (raw: Raw) => yesNo(raw, 'fraud'),
}

/** True for a row at 0, 0, which is no position. */
export const isAtNowhere = (raw: unknown): boolean => {
  const { latitude, longitude } = (raw ?? {}) as Raw
  return isNowhere({ latitude: numberOf(latitude), longitude: numberOf(longitude) })
}

function checked(raw: Raw, against: Against): RespondentInput {
  READ.position(raw)
  const position = isAtNowhere(raw) ? null : raw
  return {
    respondent_id: READ.respondent_id(raw),
    outcome: READ.outcome(raw),
    at: READ.at(raw, against),
    started_at: READ.started_at(raw, against),
    rid: READ.rid(raw),
    partner_id: READ.partner_id(raw, against),
    age: READ.age(raw),
    gender: READ.gender(raw),
    hhi: READ.hhi(raw),
    ethnicity: READ.ethnicity(raw),
    marital_status: READ.marital_status(raw),
    children: READ.children(raw),
    latitude: position && READ.latitude(position),
    longitude: position && READ.longitude(position),
    dma: READ.dma(raw),
    dwell: READ.dwell(raw),
    notice: READ.notice(raw),
    answers: READ.answers(raw, against),
    email_hash: READ.email_hash(raw),
    ip: READ.ip(raw),
    fraud: READ.fraud(raw),
  }
}

/** Reads a bad row again, field by field; good rows skip this, because collecting errors is slow. */
function everyFault(raw: Raw, against: Against): FieldError[] {
  const errors: FieldError[] = []
  for (const [field, read] of Object.entries(READ)) {
    // Answers are checked question by question.
    const parts: Raw[] =
      field === 'answers' && raw.answers && typeof raw.answers === 'object' && !Array.isArray(raw.answers)
        ? Object.entries(raw.answers)
            .slice(0, 1000)
            .map(([question, answer]) => ({ answers: { [question]: answer } }))
        : [raw]
    for (const part of parts) {
      try {
        read(part, against)
      } catch (error) {
        if (!(error instanceof Fault)) throw error
        if (!errors.some((known) => known.field === error.field))
          errors.push({ field: error.field, code: error.code, message: error.message })
      }
    }
  }
  return errors
}

const missing = (field: string): never => {
  throw new Fault(field, 'is required', 'required')
}
const isEmpty = (value: unknown): value is null | undefined | '' => value === undefined || value === null || value === ''
const shown = (terms: readonly { value: string | number }[]) => terms.map((term) => term.value).join(', ')
/** A sent value as JSON, shortened. */
const shortened = (value: unknown): string => {
  const found = JSON.stringify(value) ?? String(value)
  return found.length > 40 ? `${found.slice(0, 40).toWellFormed()}…` : found
}
/** Codes with their meaning: `1 (13 to 17), 2 (18 to 24), …`. */
const codes = (terms: readonly Term[]): string => terms.map(({ value, label }) => `${value} (${label})`).join(', ')

function text(raw: Record<string, unknown>, field: string, max: number): string {
  const value = raw[field]
  if (isEmpty(value)) return ''
  if (typeof value !== 'string' && typeof value !== 'number') throw new Fault(field, 'must be a text', 'type')
  if (losesDigits(value)) throw new Fault(field, SEND_AS_TEXT)
  // Replaces lone surrogates like the database, so that both compare ids alike.
  const found = String(value).trim().toWellFormed()
  if (found.length > max) throw new Fault(field, `must not be longer than ${max} characters`, 'range')
  if (found.includes('\u0000')) throw new Fault(field, 'must not contain a null character')
  return found
}

function word(raw: Record<string, unknown>, field: string, terms: readonly { value: string }[]): string | null {
  const found = text(raw, field, 40).toLowerCase()
  if (!found) return null
  if (!terms.some((term) => term.value === found))
    throw new Fault(field, `must be one of ${shown(terms)}, not ${shortened(raw[field])}`, 'choice')
  return found
}

function wordIn(raw: Record<string, unknown>, field: string, known: ReadonlyMap<string, number>): string | null {
  const found = text(raw, field, 40).toLowerCase()
  if (!found) return null
  if (!known.has(found))
    throw new Fault(field, `must be one of ${[...known.keys()].join(', ')}, not ${shortened(raw[field])}`, 'choice')
  return found
}

function number(raw: Record<string, unknown>, field: string, least: number, most: number): number | null {
  const value = raw[field]
  if (isEmpty(value)) return null
  const found = numberOf(value)
  if (!(found >= least && found <= most)) throw new Fault(field, `must be a number from ${least} to ${most}`, 'range')
  return found
}

function whole(raw: Record<string, unknown>, field: string, least: number, most: number): number | null {
  const found = number(raw, field, least, most)
  if (found !== null && !Number.isInteger(found)) throw new Fault(field, 'must be a whole number', 'type')
  return found
}

function id(raw: Record<string, unknown>, field: string, terms: readonly Term<number>[]): number | null {
  const value = raw[field]
  if (isEmpty(value)) return null
  const found = numberOf(value)
  if (!terms.some((term) => term.value === found))
    throw new Fault(field, `must be a code, not ${shortened(value)}: send ${codes(terms)}`, 'choice')
  return found
}

/** Lower bounds in years of the age codes, to convert ages sent in years. */
const AGE_FROM = [13, 18, 25, 35, 45, 55, 65]
function age(raw: Record<string, unknown>): number | null {
  try {
    return id(raw, 'age', AGES)
  } catch (error) {
    const years = numberOf(raw.age)
    if (!(error instanceof Fault) || !(years >= 13 && years <= 120)) throw error
    const code = AGE_FROM.findLastIndex((from) => years >= from) + 1
    throw new Fault(
      'age',
      `must be a code, not ${shortened(raw.age)}: for ${years} years send ${code}, of ${codes(AGES)}`,
      'choice',
    )
  }
}

function yesNo(raw: Record<string, unknown>, field: string): boolean | null {
  const value = raw[field]
  if (isEmpty(value)) return null
  if (typeof value === 'object') throw new Fault(field, 'must be yes or no', 'choice')
  if (value === true || value === 1 || /^(yes|true|1)$/i.test(String(value))) return true
  if (value === false || value === 0 || /^(no|false|0)$/i.test(String(value))) return false
  throw new Fault(field, 'must be yes or no', 'choice')
}

/** Clocks may run a little ahead; a day ahead is a mistake. */
const AHEAD = 86_400_000
function time(field: string, value: unknown, now: Date): string {
  if (isEmpty(value)) return now.toISOString()
  const trimmed = typeof value === 'string' ? value.trim() : ''
  const moment = readMoment(trimmed, { zone: 'UTC' })
  if (moment === null) throw new Fault(field, 'must be a time such as 2026-03-01T14:05:00Z', 'format')
  if (moment > now.getTime() + AHEAD) throw new Fault(field, 'is in the future', 'range')
  if (moment < 946_684_800_000) throw new Fault(field, 'is before the year 2000', 'range')
  return new Date(moment).toISOString()
}

/** The longest answer in characters, and the longest open one. */
const LONGEST = 200
const LONGEST_OPEN = 10_000
function answers(value: unknown, { questions, open, options }: Against): RespondentInput['answers'] {
  if (isEmpty(value)) return null
  if (typeof value !== 'object' || Array.isArray(value))
    throw new Fault('answers', 'must be an object of answers by question id', 'type')
  const accepted: Record<string, string | string[]> = {}
  for (const [question, answer] of Object.entries(value)) {
    const field = `answers.${question.slice(0, 20)}`
    // Must be spelled like the id, or `1` and `1.0` would count as two answers to one question.
    if (String(Number(question)) !== question || !questions.has(Number(question)))
      throw new Fault(field, 'is not a question of this survey', 'unknown_field')
    if (isEmpty(answer)) continue
    const most = open.has(Number(question)) ? LONGEST_OPEN : LONGEST
    const offered = options.get(Number(question))
    // An option in another spelling is that option: as people see them, they are one answer.
    const read = (one: unknown) => {
      const sent = text({ [field]: one }, field, most)
      return offered?.get(sent) ?? offered?.get(nameKey(sent)) ?? sent.normalize()
    }
    if (!Array.isArray(answer)) {
      const single = read(answer)
      if (single) accepted[question] = single
      continue
    }
    if (answer.length > 50) throw new Fault(field, 'must not have more than 50 answers', 'range')
    // A repeat within one answer counts once.
    const several = [...new Set(answer.map(read).filter(Boolean))]
    if (several.length) accepted[question] = several
  }
  return accepted
}

function hash(raw: Record<string, unknown>): string {
  const found = text(raw, 'email_hash', 128)
  if (found && !/^[\w+/=-]{8,128}$/.test(found)) throw new Fault('email_hash', 'must be a hash, not an address', 'format')
  return found.toLowerCase()
}

function address(raw: Record<string, unknown>): string {
  const sent = text(raw, 'ip', 45)
  const found = sent && readIpAddress(sent)
  if (found === null) throw new Fault('ip', 'must be an IP address', 'format')
  return found
}
