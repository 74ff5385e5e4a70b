import { blankOf, type Field, type FieldOf, type FieldOption, mostOf } from './fieldKinds.ts'
import { count } from './format.ts'

/** A field's codes with their meanings, as a sentence. */
export const codesOf = (codes: readonly FieldOption[]): string =>
  `Codes: ${codes.map(({ value, label }) => (String(value).toLowerCase() === label.toLowerCase() ? value : `${value} is ${label}`)).join(', ')}.`

/** A sentence of its unit, unless a description names it. */
export const unitIn = (about: string, unit = ''): string => (unit && !about.toLowerCase().includes(unit) ? `In ${unit}.` : '')

const isSome = ({ value }: FieldOption): boolean => value !== ''
const sentences = (...all: readonly (string | false | undefined)[]): string => all.filter(Boolean).join(' ')
const wholeFrom = ({ min = 0, max = 10_000_000 }: FieldOf<'integer' | 'percent'>, what: string) =>
  `A whole ${what} from ${count(min)} to ${count(max)}`
const upTo = (most: number, what: string) => `A list of at most ${count(most)} ${what}.`

/** TABLE  what a call takes, by the field's kind; `listed` if its values are an enumeration of the document. */
const TAKES: { readonly [K in Field['kind']]: (field: FieldOf<K>, listed: boolean) => string } = {
  text: (field) => `At most ${count(mostOf(field))} characters.`,
  name: (field) => `At most ${count(mostOf(field))} characters.`,
  zip: (field) => `At most ${count(mostOf(field))} characters.`,
  email: () => 'An email address.',
  phone: ({ most = 10 }) =>
    most > 10 ? `10 to ${most} digits, however they are written.` : 'Ten digits, however they are written.',
  url: () => 'A web address with http or https.',
  money: () => 'In dollars.',
  integer: (field) => `${wholeFrom(field, 'number')}${field.unit ? `, in ${field.unit}` : ''}.`,
  percent: (field) => `${wholeFrom(field, 'percentage')}.`,
  day: () => 'A day, as 2026-03-01 or 3/1/2026.',
  coordinates: () => 'Latitude and longitude.',
  choice: ({ options }, listed) => (listed ? '' : codesOf(options.filter(isSome))),
  several: (field) => sentences('A list, also as a comma-separated text.', field.options && codesOf(field.options)),
  lines: ({ most }) => upTo(most, 'texts'),
  record: () => 'Its ID.',
  records: ({ most }) => upTo(most, 'IDs'),
  flag: () => 'True or false.',
  rows: ({ most }) => upTo(most, 'rows'),
  file: ({ types }) => `The ID of an upload${typeof types === 'function' ? '' : ` (${types.join(', ')})`}.`,
  files: ({ most, types }) => upTo(most, `IDs of uploads${types ? ` (${types.join(', ')})` : ''}`),
}
/** What a call's own schema does with a blank value: refuses it, or takes it as null, as missing or as it is. */
export type BlankIn = 'refused' | 'null' | 'missing' | 'taken'
const NO_BLANK = 'Can’t be blank.'
/** What a call does with a blank value, and in which cases the field applies or is needed. */
function blankIn(field: Field, blank?: BlankIn): readonly (string | false | undefined)[] {
  const { required, when, needed, nullable, mayLack, where } = field
  const cases = where && (needed ? `Required ${where}.` : required ? `Can’t be blank ${where}.` : `Applies ${where}.`)
  if (blank === 'refused') return [cases, NO_BLANK]
  if (required && when) return [cases]
  if (blank === 'missing') return [cases, 'Blank is as if it weren’t sent.']
  if (required) return [mayLack ? 'Can’t be blank once there is one.' : NO_BLANK]
  if (blank ? blank === 'null' : nullable) return [cases, !needed && 'Blank is null.']
  return [cases, !blank && !takesBlank(field) && NO_BLANK]
}
/** A field whose schema takes a blank value as a text or list. */
const takesBlank = (field: Field): boolean => field.kind === 'records' || field.kind === 'rows' || blankOf(field) !== undefined

/** What a field is: its own sentence, its label with its hint, or its label. */
export const aboutOf = ({ about, hint, label }: Field): string =>
  about === true ? `${label}. ${String(hint).replace(/\.$/, '')}.` : (about ?? `${label}.`)

/** A field in sentences of /openapi.json, as a call takes it: what it is, what is accepted, what a blank means. */
export const inputWords = (field: Field): string => takenWords(field, false)
/** The same for a call that has a schema of its own for it, which decides on blank values. */
export const takenWords = (field: Field, listed: boolean, blank?: BlankIn): string =>
  sentences(
    aboutOf(field),
    (TAKES[field.kind] as (field: Field, listed: boolean) => string)(field, listed),
    ...blankIn(field, blank),
  )

const EXAMPLES: Partial<Record<Field['kind'], unknown>> = { record: 4180, file: 4180, url: 'https://survey.example.com/s/4180' }
/** A field's example for /openapi.json, as calls take it; records have money in cents. */
export const exampleOf = ({ kind, example }: Field): unknown => example ?? EXAMPLES[kind]

/** How a record has a field. */
interface Recorded {
  readonly nullable: boolean
  /** Its values are an enumeration of the document. */
  readonly listed: boolean
  /** In the older spelling. */
  readonly older: boolean
}
/** What a record has, by the field's kind. */
function valueIn(field: Field, { listed, older }: Recorded): readonly (string | false | undefined)[] {
  switch (field.kind) {
    case 'money':
      return ['In cents of a dollar.']
    case 'percent':
      return ['In per cent.']
    case 'integer':
      return [unitIn(aboutOf(field), field.unit)]
    case 'day':
      return [older && 'As MM/DD/YYYY; empty without one.']
    case 'record':
    case 'file':
      return ['Its ID.']
    case 'records':
    case 'files':
      return ['Their IDs.']
    case 'choice':
      return [!listed && codesOf(field.options.filter(isSome))]
    case 'several':
      return ['A comma-separated list.', field.options && codesOf(field.options)]
    default:
      return []
  }
}
/** The sentences about a field that a record has. */
export const recordWords = (field: Field, recorded: Recorded): string =>
  sentences(aboutOf(field), ...valueIn(field, recorded), recorded.nullable && 'Null without one.')
