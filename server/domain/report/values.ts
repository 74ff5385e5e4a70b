import { shortLabelsOf } from '../../../contract/fieldKinds.ts'
import { LONGEST_INTERVIEW_HOURS, minutesOf } from '../../../contract/interview.ts'
import { dayOf } from '../../../contract/moments.ts'
import { knownPosition } from '../../../contract/position.ts'
import { demographicFields } from '../../../contract/targetFields.ts'
import {
  agesOf,
  CHILDREN,
  ETHNICITIES,
  GENDERS,
  INCOMES,
  labelOf,
  MARITAL,
  OUTCOMES,
  type Term,
} from '../../../contract/vocabulary.ts'
import { zoneOffset } from '../../../contract/zone.ts'
import type { Cell } from '../../core/csv.ts'
import { replaceEmails } from '../../core/emails.ts'
import type { RespondentTable } from '../../db/schema.ts'
import { answerColumns } from '../responses/answerCells.ts'
import { unpackCell } from '../runtime/cells.ts'

/** A respondent as reports read it; `started_at` is missing in rows of older releases. */
export type Answering = Pick<
  RespondentTable,
  'respondent_id' | 'at' | 'cell' | 'outcome' | 'answers' | 'latitude' | 'longitude' | 'dma' | 'marital' | 'children'
> & { started_at?: string | null }
/** A respondent with parsed answers, read once for all columns. */
export interface Responding {
  row: Answering
  answers: Readonly<Record<string, unknown>>
  who: ReturnType<typeof unpackCell>
}

/** Prepares a respondent for a report's columns. */
export const responding = (row: Answering): Responding => ({
  row,
  answers: row.answers ? (JSON.parse(row.answers) as Record<string, unknown>) : {},
  who: unpackCell(row.cell),
})

/** Civil dates and times of a time zone as text; offsets are cached by quarter of an hour. */
export interface ZoneClock {
  /** YYYY-MM-DD */
  day(at: string): string
  /** HH:MM:SS */
  time(at: string): string
}
const QUARTER = 900_000
const clocks = new Map<string, ZoneClock>()
/** The clock of a time zone. */
export function zoneClock(timeZone: string): ZoneClock {
  const known = clocks.get(timeZone) ?? newClock(timeZone)
  clocks.set(timeZone, known)
  return known
}
function newClock(timeZone: string): ZoneClock {
  const offsets = new Map<number, number>()
  const local = (at: string): string => {
    const ms = Date.parse(at)
    const quarter = Math.floor(ms / QUARTER)
    let offset = offsets.get(quarter)
    if (offset === undefined) {
      if (offsets.size > 100_000) offsets.clear()
      offset = zoneOffset(quarter * QUARTER, timeZone)
      offsets.set(quarter, offset)
    }
    return new Date(ms + offset).toISOString()
  }
  return { day: (at) => local(at).slice(0, 10), time: (at) => local(at).slice(11, 19) }
}

const label = (terms: readonly Term[], value: unknown): string => labelOf(terms, value, '')
const tenth = (degrees: number): string => (Math.round(degrees * 10) / 10).toFixed(1)

/** A column filled from the respondent's record, without a question. */
interface OwnColumn {
  key: string
  name: string
  definition: string
  type: string
  /** Comes after the questions, and isn't included by default. */
  extra?: true
}

const demographic = shortLabelsOf(demographicFields)
/** TABLE  the columns without a question in their default order; those marked extra follow the questions. */
export const OWN_COLUMNS: readonly OwnColumn[] = [
  { key: 'record', name: 'Record', definition: 'The respondent’s ID', type: 'record' },
  { key: 'start_date', name: 'Start date', definition: 'The day the respondent began', type: 'start_date' },
  { key: 'start_time', name: 'Start time', definition: 'The time of day the respondent began', type: 'start_time' },
  { key: 'end_date', name: 'End date', definition: 'The day the respondent finished', type: 'end_date' },
  {
    key: 'interview_time',
    name: 'Interview time (minutes)',
    definition: `Minutes from beginning to end; empty above ${LONGEST_INTERVIEW_HOURS} hours, when it was left open`,
    type: 'interview_time',
  },
  { key: 'lat_long', name: 'Position', definition: 'Where the respondent was, to a tenth of a degree', type: 'lat_long' },
  { key: 'market_area', name: 'Market area', definition: 'The market area (DMA) the respondent was in', type: '' },
  { key: 'outcome', name: 'Outcome', definition: 'How the interview ended', type: '', extra: true },
  { key: 'age', name: demographic.age, definition: 'The respondent’s age group', type: '', extra: true },
  { key: 'gender', name: demographic.gender, definition: 'The respondent’s gender', type: '', extra: true },
  { key: 'income', name: demographic.hhi, definition: 'The household’s income band', type: '', extra: true },
  { key: 'ethnicity', name: demographic.ethnicity, definition: 'The respondent’s ethnicity', type: '', extra: true },
  {
    key: 'marital_status',
    name: demographic.marital_status,
    definition: 'The respondent’s marital status',
    type: '',
    extra: true,
  },
  { key: 'children', name: demographic.children, definition: demographicFields.children.label, type: '', extra: true },
]

/** The data that a column needs besides the respondent. */
export interface ValueContext {
  clock: ZoneClock
  /** Labels the ages. */
  generation: string
  /** Names of market areas by code. */
  markets: ReadonlyMap<number, string>
}
type Value = (one: Responding) => Cell

/** Values for types that the record fills, whatever the column. */
const TYPED: Readonly<Record<string, (context: ValueContext) => Value>> = {
  record: () => (one) => one.row.respondent_id,
  start_date:
    ({ clock }) =>
    ({ row }) =>
      row.started_at ? clock.day(row.started_at) : '',
  start_time:
    ({ clock }) =>
    ({ row }) =>
      row.started_at ? clock.time(row.started_at) : '',
  end_date:
    ({ clock }) =>
    ({ row }) =>
      clock.day(row.at),
  interview_time:
    () =>
    ({ row }) =>
      minutesOf({ at: row.at, started_at: row.started_at ?? null }) ?? '',
}

const OWN: Readonly<Record<string, (context: ValueContext) => Value>> = {
  ...TYPED,
  lat_long:
    () =>
    ({ row }) => {
      const position = knownPosition(row)
      return position === null ? '' : `${tenth(position.latitude)}, ${tenth(position.longitude)}`
    },
  market_area:
    ({ markets }) =>
    ({ row }) =>
      row.dma === null ? '' : (markets.get(row.dma) ?? row.dma),
  outcome:
    () =>
    ({ row }) =>
      label(OUTCOMES, row.outcome),
  age:
    ({ generation }) =>
    ({ who }) =>
      label(agesOf(generation), who.age),
  gender:
    () =>
    ({ who }) =>
      label(GENDERS, GENDERS[who.gender - 1]?.value),
  income:
    () =>
    ({ who }) =>
      label(INCOMES, who.hhi),
  ethnicity:
    () =>
    ({ who }) =>
      label(ETHNICITIES, ETHNICITIES[who.ethnicity - 1]?.value),
  marital_status:
    () =>
    ({ row }) =>
      MARITAL[row.marital]?.label ?? '',
  children:
    () =>
    ({ row }) =>
      label(CHILDREN, row.children),
}

const IP = /\b\d{1,3}(?:\.\d{1,3}){3}\b|\b[0-9a-f]{1,4}(?::[0-9a-f]{0,4}){3,7}\b/gi
const PHONE = /(?<![\w.])\+?\(?\d{1,3}\)?(?:[-. ]?\(?\d{2,4}\)?){2,3}(?![\w.])/g
const POSITION = /(-?\d{1,3}\.\d{2,})\s*,\s*(-?\d{1,3}\.\d{2,})/g

/** A text without emails, phone numbers and IP addresses, and with positions rounded to a tenth of a degree. */
export function withoutPersonal(text: string): string {
  if (!/[@\d]/.test(text)) return text
  return replaceEmails(text, '[email]')
    .replace(IP, '[IP]')
    .replace(POSITION, (_, lat: string, long: string) => `${tenth(Number(lat))}, ${tenth(Number(long))}`)
    .replace(PHONE, (found) => (found.replace(/\D/g, '').length >= 9 ? '[phone]' : found))
}

/** Formats a text for a type; null if it doesn't fit. */
const WRITTEN: Readonly<Record<string, (text: string) => string | null>> = {
  zip_code(text) {
    const [, digits] = /^(\d{1,5})(?:-\d{4})?$/.exec(text.trim()) ?? []
    return digits ? digits.padStart(5, '0') : null
  },
  lat_long(text) {
    const [, lat, long] = /^(-?\d+(?:\.\d+)?)(?:\s*[,;]\s*|\s+)(-?\d+(?:\.\d+)?)$/.exec(text.trim()) ?? []
    if (lat === undefined || long === undefined || Math.abs(Number(lat)) > 90 || Math.abs(Number(long)) > 180) return null
    return `${tenth(Number(lat))}, ${tenth(Number(long))}`
  },
  birthdate(text) {
    const day = text.trim()
    const [, year, month, date] = /^(\d{4})-(\d\d?)-(\d\d?)/.exec(day) ?? []
    const [, month2, date2, year2] = /^(\d\d?)[/.](\d\d?)[/.](\d{4})$/.exec(day) ?? []
    const [y, m, d] = [year ?? year2, month ?? month2, date ?? date2]
    if (!y || !m || !d) return null
    if (dayOf(y, m, d) === null) return null
    return `${m.padStart(2, '0')}/${d.padStart(2, '0')}/${y}`
  },
}

/** The text of an answer formatted for a type, or null; types without a format accept any. */
export const fitting = (type: string, text: string): string | null => (WRITTEN[type] ? WRITTEN[type](text) : text)

/** A column's question: the ids under which its answers are stored, and its options. */
export interface ReportQuestion {
  ids: readonly number[]
  offered: ReadonlySet<string>
  several: boolean
  isNumber: boolean
}

/** A respondent's answers to a question, before the column's type is applied; null without an answer. */
export function answerOf({ answers }: Responding, { ids }: ReportQuestion): unknown[] | null {
  for (const id of ids) {
    const stored = answers[id]
    if (stored !== undefined && stored !== null) return Array.isArray(stored) ? stored : [stored]
  }
  return null
}

/** A column of a report's file: its heading, what its cells are, and its value for a respondent. */
export interface FileColumn {
  heading: string
  kind: 'plain' | 'text' | 'number' | 'day'
  value: Value
}
const KIND_OF: Readonly<Record<string, FileColumn['kind']>> = { start_date: 'day', end_date: 'day', interview_time: 'number' }

/**
 * A report's column as written to its file (screens-projects.md, Client reporting).
 * `apart` makes several of a question with several answers: one for each option, and one for other answers.
 */
export function fileColumnsOf(
  column: { column_key: string; column_name: string; column_type: string | null },
  question: ReportQuestion | null,
  context: ValueContext,
  apart = false,
): FileColumn[] {
  const type = column.column_type ?? ''
  const heading = column.column_name
  const own = TYPED[type] ?? (question ? undefined : (OWN[type] ?? OWN[column.column_key]))
  if (own || !question) return [{ heading, kind: KIND_OF[type] ?? 'text', value: own ? own(context) : () => '' }]
  const written = WRITTEN[type]
  const { offered, several, isNumber } = question
  const answer_type = several ? 'multiple' : isNumber ? 'number' : 'single'
  const textOf = (value: unknown) => {
    const text = String(value)
    if (written) return written(text) ?? withoutPersonal(text)
    return offered.has(text) ? text : withoutPersonal(text)
  }
  const [first] = question.ids
  const plain = !written && !several
  return answerColumns({ name: heading, answer_type, offered: [...offered] }, apart && !written).map((cells) => ({
    heading: cells.heading,
    kind: cells.isNumber && !written ? 'number' : 'text',
    value: (one) => {
      // Nearly every cell is one of the question's options.
      const only = plain && first !== undefined ? one.answers[first] : undefined
      if (typeof only === 'string' && offered.has(only)) return only
      const stored = answerOf(one, question)
      return stored ? cells.textOf(stored.map(textOf)) : ''
    },
  }))
}
