import { notADate, readDate } from './dates.ts'
import { NOT_AN_ID, readId } from './exactNumber.ts'
import { hasUnseen, phoneDigits, showsNothing } from './foldText.ts'
import { isEmail, MESSAGES } from './messages.ts'
import { readDollars, readWhole, wholeFault } from './money.ts'
import type { SubjectKind } from './nouns.ts'
import { readDegrees } from './position.ts'
import { acceptedWords, valueOfWord } from './vocabulary.ts'

/** A form's values: text as typed, choices, ids, files or rows. */
export type Texts = Readonly<Record<string, string | readonly (string | number | object)[]>>
/** An uploaded file as a form shows it; calls take its id. */
export interface StoredFile {
  readonly id: number
  readonly name: string
  readonly bytes: number
}
/** What was read: a value, or the sentence that says why it isn't one. */
export type Reading<V = unknown> = { readonly value: V } | { readonly fault: string }
/** A choice; `value` is as calls spell it. */
export interface FieldOption {
  readonly value: string | number
  readonly label: string
  readonly detail?: string
}

interface Base {
  /** Its label beside its value, if shorter than in a form: "Name" for "Location name". */
  readonly short?: string
  /** The message if it is missing; without one it is optional. */
  readonly required?: string
  readonly hint?: string | ((values: Texts) => string)
  /** What it is, as a sentence of /openapi.json, where its label doesn't say so; true for its hint. */
  readonly about?: string | true
  readonly placeholder?: string
  /** The column that holds it, if named otherwise than in calls. */
  readonly column?: string
  /** What a new record has without it. */
  readonly usual?: string | number
  /** What an empty one becomes, from the field named by `follows` and others. */
  readonly fill?: (values: Texts) => string
  readonly follows?: string
  /** Whether it applies; if not, it isn't shown and is sent empty. */
  readonly when?: (values: Texts) => boolean
  /** What is wrong with a value beside others: an end before its start. */
  readonly against?: (value: string, values: Texts) => string | null
  /** Whether a record may lack it, though it's required: the name of somebody who was invited. */
  readonly mayLack?: (record: Readonly<Record<string, unknown>>) => boolean
  /** What is missing without it beside other values, such as the id at a vendor: the message, or null. */
  readonly needed?: (values: Texts) => string | null
  /** In which cases it applies or is needed, for /openapi.json: "if activity_type is social". */
  readonly where?: string
  /** Without a value it is null. */
  readonly nullable?: true
  /** Each record has its own, so that several aren't given the same. */
  readonly own?: true
  /** Only a new record takes it. */
  readonly creates?: true
  /** A record's read has it, and its lists don't. */
  readonly detail?: true
  /** Searches look in it. */
  readonly searched?: true
  /** Its names in calls of the older spelling, if they aren't its own; without any, they lack it (decisions.md 1). */
  readonly older?: readonly string[]
  /** The name of its question in links that were shared before. */
  readonly was?: string
  /** A value for /openapi.json, which tests write and read back, too. */
  readonly example?: unknown
}
interface Lengths {
  readonly max?: number
  /** The message for one longer than `max`. */
  readonly tooLong?: string
}
interface Kinds {
  text: Base &
    Lengths & {
      readonly lines?: number
      /** Shown in the font of codes. */
      readonly code?: true
      /** What it must look like, and the message for what doesn't. */
      readonly pattern?: Pick<RegExp, 'test'>
      readonly wrong?: string
    }
  /** The name of a record, on one line. */
  name: Base & Lengths
  email: Base & { readonly wrong: string }
  /** Ten digits, however they are written; up to `most` ones of any country. */
  phone: Base & { readonly wrong: string; readonly most?: number }
  /** An http(s) address. */
  url: Base & { readonly wrong: string; readonly max?: number }
  /** A ZIP code as it was typed; the server warns of what isn't one (docs/decisions/fields.md). */
  zip: Base & Lengths
  /** Dollars in forms and calls, cents in its column. */
  money: Base & { readonly wrong: string; readonly unread: string; readonly most?: number; readonly column: string }
  integer: Base & { readonly min?: number; readonly max?: number; readonly unit?: string; readonly wrong?: string }
  /** A whole number of percent. */
  percent: Base & { readonly min?: number; readonly max?: number; readonly wrong: string }
  /** A civil date. */
  day: Base
  /** Latitude and longitude, typed as one text; calls take the two. */
  coordinates: Base & { readonly both: string }
  /** A choice; as a `menu` if it is long or may be empty. */
  choice: Base & { readonly options: readonly FieldOption[]; readonly wrong?: string; readonly menu?: true }
  /** Several choices; without options they are codes that the server knows. */
  several: Base & {
    readonly options?: readonly FieldOption[]
    /** What each is: "an age". */
    readonly what?: string
    readonly most?: number
    /** Choices that are made together; they aren't a value themselves. */
    readonly presets?: readonly { readonly label: string; readonly values: readonly string[] }[]
  }
  /** Texts, one a line in a form, and a list in calls. */
  lines: Base & { readonly most: number }
  record: Base & { readonly of: SubjectKind }
  records: Base & { readonly of: SubjectKind | readonly SubjectKind[]; readonly most: number }
  /** Yes or no. */
  flag: Base
  /** Rows of a new record, such as a file's; forms have a control of their own for them, and calls their schema. */
  rows: Base & { readonly most: number }
  /** An uploaded file; a record has its name, or all about it, under `named`. */
  file: Base & { readonly named: string; readonly types: readonly string[] | ((values: Texts) => readonly string[]) }
  /** Files that a write adds. */
  files: Base & { readonly most: number; readonly types?: readonly string[] }
}
export type FieldKind = keyof Kinds
/** A field of one kind. */
export type FieldOf<K extends FieldKind> = Kinds[K] & { readonly kind: K; readonly label: string }
/** A field of a record that people fill in. */
export type Field = { [K in FieldKind]: FieldOf<K> }[FieldKind]
export type Fields = Readonly<Record<string, Field>>

const of =
  <K extends FieldKind>(kind: K) =>
  <const M extends Kinds[K]>(label: string, more: M) =>
    ({ ...more, kind, label }) as { readonly kind: K; readonly label: string } & M
/** Declares a field of a kind; `field.money('Amount', { … })`. */
export const field = {
  text: of('text'),
  name: of('name'),
  email: of('email'),
  phone: of('phone'),
  url: of('url'),
  zip: of('zip'),
  money: of('money'),
  integer: of('integer'),
  percent: of('percent'),
  day: of('day'),
  coordinates: of('coordinates'),
  choice: of('choice'),
  several: of('several'),
  lines: of('lines'),
  record: of('record'),
  records: of('records'),
  flag: of('flag'),
  rows: of('rows'),
  file: of('file'),
  files: of('files'),
}

/** The type of a form's value. */
export type ValueOf<F extends Field> = F extends { kind: 'records' }
  ? readonly number[]
  : F extends { kind: 'several' }
    ? readonly string[]
    : F extends { kind: 'rows' }
      ? readonly object[]
      : F extends { kind: 'file' | 'files' }
        ? readonly StoredFile[]
        : string
export type ValuesOf<F extends Fields> = { [K in keyof F]: ValueOf<F[K]> }
/** The type in a call. */
export type WireOf<F extends Field> =
  | (F extends { kind: 'choice'; options: readonly { value: infer V }[] } ? V : Wires[F['kind']])
  | (F extends { nullable: true } ? null : never)
interface Wires {
  text: string
  name: string
  email: string
  phone: string
  url: string
  zip: string
  money: number
  integer: number
  percent: number
  day: string
  coordinates: never
  choice: never
  several: string[]
  lines: string[]
  record: number
  records: number[]
  flag: boolean
  rows: readonly object[]
  file: number
  files: number[]
}
/** The fields whose schema a call has from their kind: all but coordinates, which are two, and rows. */
export type Plain<F extends Fields> = { [K in keyof F as F[K] extends { kind: 'coordinates' | 'rows' } ? never : K]: F[K] }
type Position = { latitude: number | null; longitude: number | null }
type Positions<F extends Fields> = Extract<F[keyof F], { kind: 'coordinates' }> extends never ? unknown : Position
/** A call's input. */
export type InputOf<F extends Fields> = { [K in keyof Plain<F>]: WireOf<F[K]> } & Positions<F>

/** Characters that show nothing, or turn the direction of the text behind them. */
const UNSEEN = /[\p{Cs}\u00ad\u200b\u202a-\u202e\u2060\ufeff]/gu
const BLANKS = /[\s\p{Cc}]+/gu
/** A name as it is stored: composed, on one line, without characters that nobody sees; empty if none is seen. */
export function foldName(typed: string): string {
  const name = typed.replace(UNSEEN, '').replace(BLANKS, ' ').normalize().trim()
  return showsNothing(name) ? '' : name
}

/** True for a URL that a browser opens: http or https, with a host. */
function isWebAddress(typed: string): boolean {
  return /^https?:\/\/\S+$/i.test(typed) && URL.canParse(typed) && new URL(typed).hostname !== ''
}

/** An address as it is stored, in lower case and composed, or null if mail can't be sent to it. */
export function readEmail(typed: string): string | null {
  const address = typed.trim().toLowerCase().normalize()
  return isEmail(address) && !/\p{C}/u.test(address) && !hasUnseen(address) ? address : null
}

/** The key of an address that rewards are paid to: compatible letters are one. Null if mail can't be sent to it. */
export const emailKey = (typed: string): string | null => readEmail(typed)?.normalize('NFKC').toLowerCase() ?? null

/** Parses coordinates, "42.36, -71.06"; null for anything else. */
function readCoordinates(typed: string): { latitude: number; longitude: number } | null {
  const parts = typed.trim().split(/[\s,;]+/)
  const [latitude, longitude] = [readDegrees('latitude', parts[0]), readDegrees('longitude', parts[1])]
  if (parts.length !== 2 || 'fault' in latitude || 'fault' in longitude) return null
  return { latitude: latitude.value, longitude: longitude.value }
}

const MOST_OF_TEXT = 200
/** The most characters of a web address. */
const MOST_OF_ADDRESS = 2000
const MOST_OF_NUMBER = 10_000_000
type Limited = Lengths & { readonly kind: FieldKind }
/** The most characters of a text. */
export const mostOf = ({ kind, max = kind === 'url' ? MOST_OF_ADDRESS : MOST_OF_TEXT }: Limited): number => max
/** The sentences about a text that is too long, and about a list. */
export const tooLong = (most: number): string => `needs at most ${most} characters`
export const tooMany = (most: number): string => `needs at most ${most}`
const short = (field: Limited, value: string): Reading<string> =>
  value.length <= mostOf(field) ? { value } : { fault: field.tooLong ?? tooLong(mostOf(field)) }
const orFault = <V>(value: V | null, fault: string): Reading<V> => (value === null ? { fault } : { value })
type Whole = FieldOf<'integer' | 'percent'>
/** The sentence about what isn't a field's whole number. */
export function numberFault({ min = 0, max = MOST_OF_NUMBER, wrong }: Whole, typed: unknown): string {
  const value = readWhole(typed)
  const isLarge = typeof value === 'number' && Number.isInteger(value) && value > max
  // A value beyond the limit gets a sentence that names the limit.
  if (isLarge && !wrong?.includes(String(max))) return `must be ${max} or less`
  if (wrong || typeof value !== 'number') return wholeFault(wrong ?? 'must be a number', typed)
  if (!Number.isInteger(value)) return 'must be a whole number'
  return min === 1 ? 'must be a positive number' : `must be ${min} or more`
}
const whole = (field: Whole, typed: unknown): Reading<number> => {
  const { min = 0, max = MOST_OF_NUMBER } = field
  const value = readWhole(typed)
  return typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max
    ? { value }
    : { fault: numberFault(field, typed) }
}
const id = (typed: unknown): Reading<number> => orFault(readId(typed), NOT_AN_ID)

const YES = /^(1|true|yes)$/i
const NO = /^(0|false|no)$/i
/** What a flag is chosen from. */
export const YES_OR_NO = [
  { value: 'yes', label: 'Yes' },
  { value: 'no', label: 'No' },
] as const

/** The sentence about what isn't one of a field's choices. */
export const notOneOf = ({ options, wrong }: FieldOf<'choice'>): string =>
  wrong ?? `must be one of ${options.flatMap(({ value }) => (value === '' ? [] : [value])).join(', ')}`

/**
 * TABLE  how each kind reads what was typed, sent or found in a file, and isn't blank.
 * Money is read as cents, and everything else as calls have it.
 */
const READERS: { readonly [K in Exclude<FieldKind, ListKind>]: (field: FieldOf<K>, typed: string) => Reading } = {
  text: (field, typed) => {
    const { pattern, wrong = 'is wrong' } = field
    return pattern && !pattern.test(typed.trim()) ? { fault: wrong } : short(field, typed.trim())
  },
  name: (field, typed) => short(field, foldName(typed)),
  email: ({ wrong }, typed) => orFault(readEmail(typed), wrong),
  phone: ({ wrong, most = 10 }, typed) => {
    const digits = phoneDigits(typed.slice(0, 41))
    return orFault(typed.length <= 40 && digits.length >= 10 && digits.length <= most ? digits : null, wrong)
  },
  url: (field, typed) => (isWebAddress(typed.trim()) ? short(field, typed.trim()) : { fault: field.wrong }),
  zip: (field, typed) => short(field, foldName(typed)),
  money: ({ required, wrong, unread, most }, typed) => {
    const read = readDollars(typed, { blank: required ?? wrong, unread, wrong }, most)
    return 'fault' in read ? read : { value: read.cents }
  },
  integer: whole,
  percent: whole,
  day: (_, typed) => orFault(readDate(typed), notADate(typed)),
  coordinates: ({ both }, typed) =>
    orFault(readCoordinates(typed), /[\s,;]/.test(typed.trim()) ? 'Latitude is −90 to 90, longitude −180 to 180.' : both),
  choice: (field, typed) => {
    const option = field.options.find(({ value }) => String(value) === typed)
    return option ? { value: option.value } : { fault: notOneOf(field) }
  },
  record: (_, typed) => id(typed),
  flag: (_, typed) =>
    YES.test(typed.trim()) ? { value: true } : NO.test(typed.trim()) ? { value: false } : { fault: 'must be yes or no' },
}

/** Kinds whose value is a list in a form, a call, or both. */
const LIST_KINDS = ['records', 'rows', 'files', 'file', 'several', 'lines'] as const
type ListKind = (typeof LIST_KINDS)[number]
type List = { [K in ListKind]: FieldOf<K> }[ListKind]
const isList = (field: Field): field is List => (LIST_KINDS as readonly string[]).includes(field.kind)

/** A comma between the digits of an income, which separates no values. */
const THOUSANDS = /(\$\d{1,3}),(?=\d{3}(?!\d))/g
/** A comma list's words. */
export const splitWords = (list: string): string[] => list.replace(THOUSANDS, '$1').split(',')
const isWord = (one: unknown): one is string | number => typeof one === 'string' || typeof one === 'number'
export const NOT_A_LIST = 'must be a list of texts or numbers'
const NO_LIST = { fault: NOT_A_LIST }
const NOT_TEXT = 'must be text'
const WORDED: readonly FieldKind[] = ['text', 'name', 'email', 'phone', 'url', 'zip']

/** Reads choices by value or label; −1 and All, which only the interface has, are none (decisions.md 9). */
function readSeveral(
  { options, what = 'one of the choices', most = Number.POSITIVE_INFINITY }: FieldOf<'several'>,
  typed: unknown,
) {
  const words = (Array.isArray(typed) ? typed : isWord(typed) ? splitWords(String(typed)) : [null]) as unknown[]
  if (!words.every(isWord)) return NO_LIST
  const values = new Set<string>()
  for (const word of words.map((one) => String(one).trim())) {
    if (!word || (options && (word === '-1' || word.toLowerCase() === 'all'))) continue
    const value = options ? valueOfWord(options, word) : word
    if (value === undefined)
      return { fault: `has a value that is not ${what}: ${word.slice(0, 40)}. Accepted: ${acceptedWords(options!)}` }
    values.add(value)
  }
  return values.size > most ? { fault: 'has too many values' } : { value: [...values] }
}

/** The lines of a text that say something. */
export const linesIn = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => !showsNothing(line))

/** Reads a list, which isn't blank. */
function readList(field: List, typed: unknown): Reading<unknown[] | number> {
  if (field.kind === 'several') return readSeveral(field, typed)
  const list = field.kind === 'lines' && typeof typed === 'string' ? linesIn(typed) : typed
  if (field.kind === 'file' && !Array.isArray(list)) return id(list)
  if (!Array.isArray(list) || (field.kind === 'lines' && !list.every(isWord))) return NO_LIST
  if (field.kind === 'file') return { value: list }
  if (list.length > field.most) return { fault: tooMany(field.most) }
  return { value: field.kind === 'lines' ? list.map((line) => String(line).trim()) : list }
}

/** True if nothing was typed or sent, or nothing that is seen. */
export function isBlank(typed: unknown): boolean {
  if (typed === undefined || typed === null) return true
  // An object may have no text: {"toString": 1}.
  if (typeof typed === 'object') return Array.isArray(typed) && !typed.length
  return showsNothing(String(typed))
}

/**
 * Reads a field's value from what was typed in a form or palette, sent by a program, or found in a file.
 * What is blank is the field's `required` message, or a value of null.
 */
export function readField(field: Field, typed: unknown): Reading {
  const blank = field.required ? { fault: field.required } : { value: null }
  if (isBlank(typed)) return blank
  if (isList(field)) {
    const read = readList(field, typed)
    return 'value' in read && Array.isArray(read.value) && !read.value.length ? blank : read
  }
  const isOne = isWord(typed) || (typeof typed === 'boolean' && field.kind === 'flag')
  if (!isOne && (WORDED.includes(field.kind) || field.kind === 'day')) return { fault: NOT_TEXT }
  // Nothing reads as JSON of another type, so that the sentence is that of a wrong text.
  return (READERS[field.kind] as (field: Field, typed: string) => Reading)(field, isOne ? String(typed) : JSON.stringify(typed))
}

/** What calls have for a blank value: an empty text or list, or nothing. */
export const blankOf = (field: Field): '' | [] | undefined => {
  if (field.kind === 'lines' || field.kind === 'several' || field.kind === 'files') return []
  return WORDED.includes(field.kind) || (field.kind === 'choice' && field.options.some(({ value }) => value === ''))
    ? ''
    : undefined
}

/** A sentence about a field, which begins with its label unless it names what it is about. */
export const sentenceOf = (label: string, fault: string): string =>
  /^(is|has|must|needs|can’t)\b/.test(fault) ? `${label} ${fault}` : fault

/** Says what is wrong with a value, in the specification's words; null if nothing is. `of` is the record edited. */
export function faultOf(field: Field, value: Texts[string], values: Texts = {}, of?: object): string | null {
  if (field.when && !field.when(values)) return null
  if (of && isBlank(value) && field.mayLack?.(of as Readonly<Record<string, unknown>>)) return null
  const read = readField(field, value)
  if ('fault' in read) return sentenceOf(field.label, read.fault)
  return (read.value === null ? field.needed?.(values) : field.against?.(String(read.value), values)) ?? null
}

/** Says what is wrong with a form's values, by field. */
export const faultsOf = <F extends Fields>(fields: F, values: Texts, of?: object): Partial<Record<keyof F & string, string>> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      const fault = faultOf(field, values[name] ?? '', values, of)
      return fault ? [[name, fault]] : []
    }),
  ) as Partial<Record<keyof F & string, string>>

/** A record's file as a form has it, by its name or all about it; another one only has an id. */
function fileOf(id: number, about: unknown): StoredFile {
  if (typeof about !== 'object') return { id, name: String(about ?? ''), bytes: 0 }
  const file = about as { id: number; original_name: string; size: number } | null
  return file?.id === id ? { id, name: file.original_name, bytes: file.size } : { id, name: `File ${id}`, bytes: 0 }
}
/** The types of files that a field takes beside other values. */
export const typesOf = ({ types }: FieldOf<'file'> | FieldOf<'files'>, values: Texts): readonly string[] | undefined =>
  typeof types === 'function' ? types(values) : types

function listOf(field: List, name: string, of: Readonly<Record<string, unknown>> = {}): Texts[string] {
  const value = of[name]
  switch (field.kind) {
    case 'lines':
      return Array.isArray(value) ? value.filter(isWord).join('\n') : ''
    case 'several': {
      const list = Array.isArray(value) ? value : isWord(value) ? String(value).split(',') : []
      return list.filter(isWord).map(String).filter(Boolean)
    }
    case 'file':
      return typeof value === 'number' ? [fileOf(value, of[field.named])] : []
    case 'files':
      return Array.isArray(value) ? value.filter((id) => typeof id === 'number').map((id) => ({ id, name: '', bytes: 0 })) : []
    default:
      return (value as readonly number[] | undefined) ?? []
  }
}

/** A record's value as a form has it; that of a new one without a record. */
export function textOf(field: Field, name: string, record: object | undefined) {
  const of = record as Readonly<Record<string, unknown>> | undefined
  if (isList(field)) return listOf(field, name, of)
  if (!of) return String(field.usual ?? '')
  if (field.kind === 'coordinates') {
    const { latitude, longitude, position } = of
    return position === 'exact' && typeof latitude === 'number' ? `${latitude}, ${longitude}` : ''
  }
  if (field.kind === 'money') return of[field.column] === undefined ? '' : String(Number(of[field.column]) / 100)
  if (field.kind === 'flag') return of[name] === undefined ? '' : of[name] ? 'yes' : 'no'
  const text = typeof of[name] === 'object' ? '' : String(of[name] ?? '')
  return field.kind === 'day' ? (readDate(text) ?? text) : text
}
/**
 * What is wrong after a change, by field.
 * A field that isn't changed may have the fault that it has already.
 */
export function newFaults<F extends Fields>(fields: F, was: Texts, now: Texts, of?: object): ReturnType<typeof faultsOf<F>> {
  const before = faultsOf(fields, was, of)
  const same = (name: string) => JSON.stringify(was[name]) === JSON.stringify(now[name])
  return Object.fromEntries(
    Object.entries(faultsOf(fields, now, of)).filter(([name, fault]) => !same(name) || before[name] !== fault),
  ) as ReturnType<typeof faultsOf<F>>
}

/** A record's values, or those of a new one, as a form has them. */
export const textsOf = <F extends Fields>(fields: F, of?: object): ValuesOf<F> =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, textOf(field, name, of)])) as ValuesOf<F>

/** A form's value as calls take it, by name: two for coordinates. */
export function wireOf(field: Field, name: string, values: Texts): Record<string, unknown> {
  const value = values[name] ?? ''
  const applies = !field.when || field.when(values)
  if (!applies && isList(field)) return { [name]: blankOf(field) ?? null }
  if (typeof value !== 'string') {
    const ids = field.kind === 'file' || field.kind === 'files' ? (value as readonly StoredFile[]).map(({ id }) => id) : value
    return { [name]: field.kind === 'file' ? (ids.at(-1) ?? null) : ids }
  }
  const typed = applies && !isBlank(value) ? value.trim() : (field.fill?.(values) ?? '')
  const read = readField({ ...field, required: undefined } as Field, typed)
  // What can't be read is sent as it was typed, for the server to refuse.
  const sent = 'fault' in read ? (field.kind === 'lines' ? linesIn(typed) : typed) : read.value
  if (field.kind === 'coordinates') return { latitude: null, longitude: null, ...(sent as object | null) }
  if (sent === null) return { [name]: field.nullable ? null : blankOf(field) }
  return { [name]: field.kind === 'money' && typeof sent === 'number' ? sent / 100 : sent }
}
/** A form's values as calls take them; `names` are the changed ones of an edit. */
export const inputOf = <F extends Fields>(fields: F, values: Texts, names: readonly string[] = Object.keys(fields)) =>
  Object.assign({}, ...names.map((name) => wireOf(fields[name]!, name, values))) as InputOf<F>

/** A form's value in words, as a conflict and a record's row show it. */
export function wordsOf(field: Field, value: unknown): string {
  const labelOf = (options: readonly FieldOption[], one: unknown) =>
    options.find((option) => String(option.value) === String(one))?.label ?? String(one)
  if (value === '' || value === undefined || value === null) return ''
  if (field.kind === 'choice') return labelOf(field.options, value)
  if (field.kind === 'flag') return labelOf(YES_OR_NO, value)
  if (!Array.isArray(value)) return String(value)
  if (field.kind === 'several') return value.map((one) => labelOf(field.options ?? [], one)).join(', ')
  return value.map((one) => (typeof one === 'object' && one && 'name' in one ? one.name : one)).join(', ')
}

/** A field's label beside its value, or over a column of values. */
export const shortLabelOf = ({ short, label }: Pick<Field, 'short' | 'label'>): string => short ?? label
/** The labels over columns of values. */
export const shortLabelsOf = <F extends Fields>(fields: F) =>
  Object.fromEntries(Object.entries(fields).map(([name, one]) => [name, shortLabelOf(one)])) as Record<keyof F & string, string>
/** The labels of a form. */
export const labelsOf = <F extends Fields>(fields: F) =>
  Object.fromEntries(Object.entries(fields).map(([name, { label }]) => [name, label])) as Record<keyof F & string, string>
type Editable<F extends Fields> = { [K in keyof F as F[K] extends { creates: true } ? never : K]: F[K] }
/** The fields that an edit takes. */
export const editable = <F extends Fields>(fields: F) =>
  Object.fromEntries(Object.entries(fields).filter(([, field]) => !field.creates)) as unknown as Editable<F> & Fields
/** Some of a noun's fields. */
export const pick = <F extends Fields, const N extends readonly (keyof F & string)[]>(fields: F, ...names: N) =>
  Object.fromEntries(names.map((name) => [name, fields[name]])) as Pick<F, N[number]>

/** The other fields of a noun. */
export const omit = <F extends Fields, const N extends readonly (keyof F & string)[]>(fields: F, ...names: N) =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name))) as Omit<F, N[number]>

/** A start isn't behind the end that `end` names. */
export const notBehind =
  (end: string) =>
  (start: string, values: Texts): string | null => {
    const typed = values[end]
    const until = typeof typed === 'string' ? readDate(typed) : null
    return until && start > until ? MESSAGES.startBeforeEnd : null
  }

/** An end, which isn't before the start that `start` names. */
export const endOf = <const M extends Kinds['day']>(start: string, more: M) =>
  field.day('End', {
    ...more,
    against: (end, values) => {
      const begin = values[start]
      const from = typeof begin === 'string' ? readDate(begin) : null
      return from && end < from ? MESSAGES.startBeforeEnd : null
    },
  })
