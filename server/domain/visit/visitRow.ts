import type { FieldCode } from '../../../contract/errorCodes.ts'
import { losesDigits, SEND_AS_TEXT } from '../../../contract/exactNumber.ts'
import { readExternalId } from '../../../contract/externalId.ts'
import { readMoment } from '../../../contract/moments.ts'
import { numberOf } from '../../../contract/money.ts'
import { type Degrees, isNowhere } from '../../../contract/position.ts'
import { marketPlaces, slipOf } from '../../db/markets.ts'
import { BadLine } from '../runtime/respondent.ts'

/** A visit as it was sent, read but not yet checked against services and venues. */
export interface SentVisit {
  line: number
  row: number
  service_id: number
  device: string
  /** The code or id of its venue. */
  venue: string
  /** Seconds since 1970. */
  at: number
  position: Degrees | null
  /** True for 0, 0, which is no position. */
  nowhere: boolean
  /** Why its position is doubtful, and therefore not taken; empty if it isn't. */
  doubt: string
  dma: number | null
  name: string
  address: string
  fields: Record<string, string>
  /** The code of each of these. */
  codes: Record<string, FieldCode>
}

/** The fields of a row. */
const VISIT_FIELDS = ['service_id', 'device', 'venue', 'at', 'latitude', 'longitude', 'dma', 'venue_name', 'address'] as const
const KNOWN: ReadonlySet<string> = new Set(VISIT_FIELDS)

/** Names in a row that aren't fields of a visit. */
export function unknownNames(raw: unknown): string[] {
  if (!isRow(raw)) return []
  const found: string[] = []
  for (const name in raw) if (!KNOWN.has(name)) found.push(name.toWellFormed().replaceAll('\u0000', '').slice(0, 60))
  return found
}

type Raw = Record<string, unknown>
const isRow = (raw: unknown): raw is Raw =>
  raw !== null && typeof raw === 'object' && !Array.isArray(raw) && !(raw instanceof BadLine)

/** Clocks may run a little ahead. */
const AHEAD_SECONDS = 300
const YEAR_2000 = 946_684_800

/** Reads one row; all its errors are in `fields`. */
export function readVisit(
  raw: unknown,
  line: number,
  row: number,
  { service, now }: { service: number | undefined; now: number },
): SentVisit {
  const fields: Record<string, string> = {}
  const codes: Record<string, FieldCode> = {}
  const wrong = (field: string, code: FieldCode, sentence: string) => {
    fields[field] = sentence
    codes[field] = code
  }
  const sent: SentVisit = {
    ...{ line, row, service_id: 0, device: '', venue: '', at: 0, position: null, nowhere: false, doubt: '', dma: null },
    ...{ name: '', address: '', fields, codes },
  }
  if (!isRow(raw)) {
    if (raw instanceof BadLine) wrong('line', 'format', raw.message)
    else wrong('row', 'type', 'row must be an object')
    return sent
  }
  const text = (field: string, most: number) => {
    const value = raw[field]
    if (isEmpty(value)) return ''
    if (typeof value !== 'string' && typeof value !== 'number') wrong(field, 'type', `${field} must be a text`)
    else if (losesDigits(value)) wrong(field, 'type', `${field} ${SEND_AS_TEXT}`)
    else {
      const found = String(value).trim().toWellFormed()
      if (found.length > most) wrong(field, 'range', `${field} must not be longer than ${most} characters`)
      else if (found.includes('\u0000')) wrong(field, 'format', `${field} must not contain a null character`)
      else return found
    }
    return ''
  }
  const id = (field: string, most: number) => {
    const read = readExternalId(raw[field], { most })
    if ('fault' in read) wrong(field, 'format', `${field} ${read.fault}`)
    else if (!read.id) wrong(field, 'required', `${field} is required`)
    return 'id' in read ? read.id : ''
  }
  const number = (field: string, least: number, most: number) => {
    const value = raw[field]
    if (isEmpty(value)) return null
    const found = numberOf(value)
    if (found >= least && found <= most) return found
    wrong(field, Number.isFinite(found) ? 'range' : 'type', `${field} must be a number from ${least} to ${most}`)
    return null
  }
  sent.service_id = isEmpty(raw.service_id) ? (service ?? 0) : numberOf(raw.service_id)
  if (!sent.service_id) wrong('service_id', 'required', 'service_id is required')
  else if (!Number.isSafeInteger(sent.service_id) || sent.service_id < 1)
    wrong('service_id', 'type', 'service_id must be a service’s id')
  sent.device = id('device', 200)
  sent.venue = id('venue', 100)
  const at = secondsOf(raw.at)
  if (isEmpty(raw.at)) wrong('at', 'required', 'at is required')
  else if (at === null) wrong('at', 'format', 'at must be a time such as 2026-03-01T14:05:00Z, or seconds since 1970')
  else if (at > now + AHEAD_SECONDS) wrong('at', 'range', 'at is in the future')
  else if (at < YEAR_2000) wrong('at', 'range', 'at is before the year 2000')
  sent.at = at ?? 0
  const [latitude, longitude] = [number('latitude', -90, 90), number('longitude', -180, 180)]
  if (isEmpty(raw.latitude) !== isEmpty(raw.longitude)) {
    const missing = isEmpty(raw.latitude) ? 'latitude' : 'longitude'
    wrong(missing, 'required', `${missing} is missing: a position needs both`)
  }
  if (latitude !== null && longitude !== null) {
    sent.nowhere = isNowhere({ latitude, longitude })
    sent.doubt = sent.nowhere ? '' : (slipOf({ latitude, longitude }) ?? '')
    sent.position = sent.nowhere || sent.doubt ? null : { latitude, longitude }
  }
  if (!isEmpty(raw.dma)) {
    const dma = numberOf(raw.dma)
    if (marketPlaces().has(dma)) sent.dma = dma
    else wrong('dma', 'choice', 'dma must be the code of a market area, such as 501')
  }
  sent.name = text('venue_name', 200)
  sent.address = text('address', 300)
  return sent
}

const isEmpty = (value: unknown): value is null | undefined | '' =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '')

/** A moment in seconds; null if it is invalid or has no time zone. */
function secondsOf(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? Math.floor(value) : null
  if (typeof value !== 'string') return null
  const trimmed = value.trim()
  if (/^\d{9,11}$/.test(trimmed)) return Number(trimmed)
  const moment = readMoment(trimmed)
  return moment === null ? null : Math.floor(moment / 1000)
}
