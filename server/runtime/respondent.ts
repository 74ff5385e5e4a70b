import { isIP } from 'node:net'
import { AGES, CHILDREN, INCOMES, MARITAL, OUTCOMES, type Outcome } from '../../contract/vocabulary.ts'
import { type Demographics, dwellBucket, ETHNICITY_INDEX, GENDER_INDEX, packCell } from './cells.ts'

/** A respondent as an importer sends it (decisions.md 10); what is left out is unknown. */
export interface RespondentInput {
  respondent_id: string
  outcome: Outcome
  /** ISO time; without a zone it is UTC. */
  at: string
  /** Age id 1–7. */
  age?: number | null
  gender?: string | null
  /** Income band 0–6. */
  hhi?: number | null
  ethnicity?: string | null
  marital_status?: string | null
  /** Children id 0–4. */
  children?: number | null
  latitude?: number | null
  longitude?: number | null
  /** Market area code. */
  dma?: number | null
  /** Minutes at the place. */
  dwell?: number | null
  notice?: boolean | null
  /** Answers by question id: a text, or several. */
  answers?: Readonly<Record<string, string | number | readonly (string | number)[]>> | null
  email_hash?: string | null
  ip?: string | null
  /** Marked by the sender as suspicious. */
  fraud?: boolean | null
}

/** A respondent in the numbers that are stored and counted. */
export interface Respondent extends Demographics {
  id: string
  outcome: Outcome
  at: string
  cell: number
  /** Index in MARITAL, −1 unknown. */
  marital: number
  /** Children id, −1 unknown. */
  children: number
  latitude: number | null
  longitude: number | null
  dma: number | null
  minutes: number | null
  answers: Readonly<Record<string, unknown>> | null
  email_hash: string
  ip: string
  fraud: number
}

const MARITAL_INDEX = new Map<string, number>(MARITAL.map((term, at) => [term.value, at]))

/** A respondent that is known to be well formed (the demo data's), in stored numbers. */
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
  }
}

/** What is wrong with a row: its number in the batch from 1, the field, and a sentence. */
export interface RowError {
  row: number
  field: string
  message: string
}
/** A line of an NDJSON batch that is no JSON object. */
export class BadLine {
  readonly message: string
  constructor(message: string) {
    this.message = message
  }
}

/** What the rows of a batch are held against. */
export interface Against {
  questions: ReadonlySet<number>
  now: Date
}

class Fault extends Error {
  readonly field: string
  constructor(field: string, sentence: string) {
    super(`${field} ${sentence}`)
    this.field = field
  }
}

/** Checks one row of a batch; answers the respondent, or the first thing that is wrong with it. */
export function readRespondent(raw: unknown, against: Against): Respondent | { field: string; message: string } {
  try {
    if (raw instanceof BadLine) return { field: 'line', message: raw.message }
    if (!raw || typeof raw !== 'object' || Array.isArray(raw)) return { field: 'row', message: 'row must be an object' }
    return packRespondent(checked(raw as Record<string, unknown>, against))
  } catch (error) {
    if (error instanceof Fault) return { field: error.field, message: error.message }
    throw error
  }
}

function checked(raw: Record<string, unknown>, against: Against): RespondentInput {
  const latitude = number(raw, 'latitude', -90, 90)
  const longitude = number(raw, 'longitude', -180, 180)
  if ((latitude === null) !== (longitude === null))
    throw new Fault(latitude === null ? 'latitude' : 'longitude', 'is missing: a position needs both')
  return {
    respondent_id: text({ respondent_id: raw.respondent_id ?? raw.id }, 'respondent_id', 100) || missing('respondent_id'),
    outcome: (word(raw, 'outcome', OUTCOMES) as Outcome | null) ?? missing('outcome'),
    at: time(raw.at ?? raw.time, against.now),
    age: id(raw, 'age', AGES),
    gender: wordIn(raw, 'gender', GENDER_INDEX),
    hhi: id(raw, 'hhi', INCOMES),
    ethnicity: wordIn(raw, 'ethnicity', ETHNICITY_INDEX),
    marital_status: word(raw, 'marital_status', MARITAL),
    children: id(raw, 'children', CHILDREN),
    latitude,
    longitude,
    dma: whole(raw, 'dma', 1, 99_999),
    dwell: number({ dwell: raw.dwell ?? raw.dwell_minutes }, 'dwell', 0, 100_000),
    notice: yesNo(raw, 'notice'),
    answers: answers(raw.answers, against.questions),
    email_hash: hash(raw),
    ip: address(raw),
    fraud: yesNo(raw, 'fraud'),
  }
}

const missing = (field: string): never => {
  throw new Fault(field, 'is required')
}
const isEmpty = (value: unknown): value is null | undefined | '' => value === undefined || value === null || value === ''
const shown = (terms: readonly { value: string | number }[]) => terms.map((term) => term.value).join(', ')

function text(raw: Record<string, unknown>, field: string, max: number): string {
  const value = raw[field]
  if (isEmpty(value)) return ''
  if (typeof value !== 'string' && typeof value !== 'number') throw new Fault(field, 'must be a text')
  // Half a letter becomes the sign for one that can't be read, as the database would make of it: else two ids are one there and two here.
  const found = String(value).trim().toWellFormed()
  if (found.length > max) throw new Fault(field, `must not be longer than ${max} characters`)
  if (found.includes('\u0000')) throw new Fault(field, 'must not hold a zero character')
  return found
}

function word(raw: Record<string, unknown>, field: string, terms: readonly { value: string }[]): string | null {
  const found = text(raw, field, 40).toLowerCase()
  if (!found) return null
  if (!terms.some((term) => term.value === found)) throw new Fault(field, `must be one of ${shown(terms)}`)
  return found
}

function wordIn(raw: Record<string, unknown>, field: string, known: ReadonlyMap<string, number>): string | null {
  const found = text(raw, field, 40).toLowerCase()
  if (!found) return null
  if (!known.has(found)) throw new Fault(field, `must be one of ${[...known.keys()].join(', ')}`)
  return found
}

function number(raw: Record<string, unknown>, field: string, least: number, most: number): number | null {
  const value = raw[field]
  if (isEmpty(value)) return null
  const found = typeof value === 'number' ? value : typeof value === 'string' ? Number(value.trim() || Number.NaN) : Number.NaN
  if (!(found >= least && found <= most)) throw new Fault(field, `must be a number from ${least} to ${most}`)
  return found
}

function whole(raw: Record<string, unknown>, field: string, least: number, most: number): number | null {
  const found = number(raw, field, least, most)
  if (found !== null && !Number.isInteger(found)) throw new Fault(field, 'must be a whole number')
  return found
}

function id(raw: Record<string, unknown>, field: string, terms: readonly { value: number }[]): number | null {
  const value = raw[field]
  if (isEmpty(value)) return null
  const found = Number(value)
  if (typeof value === 'boolean' || !terms.some((term) => term.value === found))
    throw new Fault(field, `must be one of ${shown(terms)}`)
  return found
}

function yesNo(raw: Record<string, unknown>, field: string): boolean | null {
  const value = raw[field]
  if (isEmpty(value)) return null
  if (value === true || value === 1 || /^(yes|true|1)$/i.test(String(value))) return true
  if (value === false || value === 0 || /^(no|false|0)$/i.test(String(value))) return false
  throw new Fault(field, 'must be yes or no')
}

/** A clock may run a little ahead; a day ahead is a mistake. */
const AHEAD = 86_400_000
function time(value: unknown, now: Date): string {
  if (isEmpty(value)) return now.toISOString()
  const given = typeof value === 'string' ? value.trim() : ''
  // Most senders write what we store: there is nothing to take apart then.
  const plain = given.length === 24 && given.endsWith('Z')
  const parts = plain ? null : /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)\s*(Z|[+-]\d\d:?\d\d)?$/i.exec(given)
  const zone = parts?.[3]?.replace(/^([+-]\d\d)(\d\d)$/, '$1:$2').toUpperCase() ?? 'Z'
  const moment = plain ? Date.parse(given) : parts ? Date.parse(`${parts[1]}T${parts[2]}${zone}`) : Number.NaN
  if (Number.isNaN(moment)) throw new Fault('at', 'must be a time such as 2026-03-01T14:05:00Z')
  if (moment > now.getTime() + AHEAD) throw new Fault('at', 'lies in the future')
  if (moment < 946_684_800_000) throw new Fault('at', 'lies before the year 2000')
  return new Date(moment).toISOString()
}

function answers(value: unknown, questions: ReadonlySet<number>): RespondentInput['answers'] {
  if (isEmpty(value)) return null
  if (typeof value !== 'object' || Array.isArray(value)) throw new Fault('answers', 'must be an object of answers by question id')
  const kept: Record<string, string | string[]> = {}
  for (const [question, answer] of Object.entries(value)) {
    const field = `answers.${question.slice(0, 20)}`
    // Spelled as an id is, else `1` and `1.0` would be two answers to one question.
    if (String(Number(question)) !== question || !questions.has(Number(question)))
      throw new Fault(field, 'is not a question of this survey')
    if (isEmpty(answer)) continue
    if (!Array.isArray(answer)) {
      const said = text({ [field]: answer }, field, 200)
      if (said) kept[question] = said
      continue
    }
    if (answer.length > 50) throw new Fault(field, 'must not hold more than 50 answers')
    // Said twice in one answer still counts once.
    const said = [...new Set(answer.map((one) => text({ [field]: one }, field, 200)).filter(Boolean))]
    if (said.length) kept[question] = said
  }
  return kept
}

function hash(raw: Record<string, unknown>): string {
  const found = text(raw, 'email_hash', 128)
  if (found && !/^[\w+/=-]{8,128}$/.test(found)) throw new Fault('email_hash', 'must be a hash, not an address')
  return found.toLowerCase()
}

function address(raw: Record<string, unknown>): string {
  const found = text(raw, 'ip', 45)
  if (found && !isIP(found)) throw new Fault('ip', 'must be an IP address')
  return found
}
