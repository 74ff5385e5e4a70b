import type { Sentence } from '../../contract/effectText.ts'
import {
  editable,
  type Field,
  type FieldOption,
  type Fields,
  faultOf,
  type InputOf,
  inputOf,
  type Texts,
  textOf,
  YES_OR_NO,
} from '../../contract/fieldKinds.ts'
import { typedPhone } from '../../contract/foldText.ts'
import { readAmount } from '../../contract/money.ts'
import { andThen } from '../../contract/writeEffects.ts'
import type { Api } from '../data/api.ts'
import { type EditNoun, writeFields } from '../data/writeFields.ts'
import { type Ask, ask, type RawAnswers } from './command.ts'
import type { Subject } from './subject.ts'
import { lockOf } from './words.ts'

interface AskTypes {
  text: 'text'
  name: 'text'
  email: 'text'
  phone: 'text'
  url: 'text'
  zip: 'text'
  coordinates: 'text'
  money: 'number'
  integer: 'number'
  percent: 'number'
  day: 'date'
  choice: 'option'
  several: 'several'
  lines: 'text'
  flag: 'option'
  record: 'entity'
  records: 'entities'
  rows: never
  file: never
  files: never
}
/** Fields that a form fills in with more than an answer: files, rows, and codes without options. */
type Unasked = { kind: 'rows' | 'file' | 'files' }
const isUnasked = (field: Field): field is Extract<Field, Unasked> =>
  field.kind === 'rows' || field.kind === 'file' || field.kind === 'files'
type Optional<F extends Field> = F extends { when: unknown } | { needed: unknown }
  ? { when: NonNullable<Ask['when']> }
  : F extends { required: string } | { kind: 'choice' }
    ? unknown
    : { optional: true }
/** The questions of fields. */
export type AsksOf<F extends Fields> = {
  [K in keyof F as F[K] extends Unasked ? never : K]: Extract<Ask, { type: AskTypes[F[K]['kind']] }> & Optional<F[K]>
}

/** An amount is answered in cents; what wasn't read as one is the text itself. */
const dollarsOf = (answer: unknown): string =>
  /^\d+$/.test(String(answer ?? '')) ? String(Number(answer) / 100) : String(answer ?? '')
/** Converts answers to a form's values. */
export const typedOf = (fields: Fields, answers: RawAnswers): Texts =>
  Object.fromEntries(
    Object.entries(fields).map(([name, { kind }]) => {
      const answer = answers[name]
      if (Array.isArray(answer)) return [name, answer as readonly number[]]
      if (kind === 'records' || kind === 'several' || kind === 'rows' || kind === 'file' || kind === 'files') return [name, []]
      return [name, kind === 'money' ? dollarsOf(answer) : String(answer ?? '')]
    }),
  )
/** Converts answers to a call's input. */
export const answered = <F extends Fields>(fields: F, answers: RawAnswers): InputOf<F> =>
  inputOf(fields, typedOf(fields, answers))

/** The questions of an edit, which asks for every field that can change. */
export const editAsksOf = <F extends Fields>(fields: F) => asksOf(editable(fields), 'edit')

/** Returns the questions for fields. A new record's optional ones aren't asked in turn. */
export const asksOf = <F extends Fields>(fields: F, of: 'create' | 'edit' = 'create'): AsksOf<F> =>
  Object.fromEntries(
    Object.entries<Field>(fields).flatMap(([name, field]) => {
      if (isUnasked(field)) return []
      const { label, required, when, needed, fill, follows, placeholder, was } = field
      const optional = !required && !needed && field.kind !== 'choice'
      const values = (answers: RawAnswers = {}) => typedOf(fields, answers)
      const held = ([subject]: readonly Subject[]) => {
        const typed = textOf(field, name, subject?.record) || (name === 'name' && subject?.name)
        return (field.kind === 'money' ? readAmount(typed).cents : typed) || null
      }
      const common = {
        label,
        check: (typed: string, answers: RawAnswers, [subject]: readonly Subject[] = []) =>
          faultOf(field, field.kind === 'money' ? dollarsOf(typed) : typed, values(answers), subject?.record),
        ...(placeholder ? { placeholder } : {}),
        ...(was ? { was } : {}),
        ...(when ? { when: (answers: RawAnswers) => when(values(answers)) } : {}),
        // A new record is asked only for what it needs.
        ...(needed && of === 'create' ? { when: (answers: RawAnswers) => needed(values(answers)) !== null } : {}),
        ...(optional ? { optional: true } : {}),
        ...(optional && of === 'create' ? { usual: true } : {}),
        ...(of === 'edit' ? { prefill: held } : {}),
        ...(of === 'create' && fill
          ? { follows, prefill: (_: unknown, __: unknown, answers?: RawAnswers) => fill(values(answers)) || null }
          : {}),
      } as { label: string }
      return [[name, askOf(field, common)]]
    }),
  ) as unknown as AsksOf<F>

/** Options to choose among; none is no answer. */
const optionsOf = (options: readonly FieldOption[]) =>
  options.flatMap((option) => (option.value === '' ? [] : [{ ...option, value: String(option.value) }]))

function askOf(field: Exclude<Field, Unasked>, common: { label: string }): Ask {
  switch (field.kind) {
    case 'text':
      return ask.text({ ...common, ...(field.lines ? { lines: field.lines } : {}) })
    case 'email':
    case 'url':
      return ask.text({ ...common, kind: field.kind })
    case 'money':
      return ask.number({ ...common, money: true })
    case 'integer':
      return ask.number({ ...common, ...(field.unit ? { unit: field.unit } : {}) })
    case 'percent':
      return ask.number({ ...common, unit: '%' })
    case 'day':
      return ask.date(common)
    case 'choice':
      return ask.option({ ...common, options: optionsOf(field.options) })
    case 'several':
      return ask.several({ ...common, options: optionsOf(field.options ?? []) })
    case 'lines':
      return ask.text({ ...common, lines: 5 })
    case 'flag':
      return ask.option({ ...common, options: YES_OR_NO })
    case 'record':
      return ask.entity({ ...common, kind: field.of })
    case 'records':
      return ask.entities({ ...common, kind: field.of, max: field.most })
    case 'phone':
      return ask.text({ ...common, keeps: typedPhone })
    case 'name':
    case 'zip':
    case 'coordinates':
      return ask.text(common)
  }
}

/** Nouns with a name. */
type Named = Exclude<EditNoun, 'note' | 'event' | 'post' | 'promo'>
/** What an edit says: that it was saved, or that nothing changed, and its warnings. */
export const savedNotice = ({
  message,
  warnings = [],
}: {
  message: Sentence
  warnings?: readonly string[] | undefined
}): Sentence => andThen(message, warnings)
/** The run of a command that edits a record's fields. */
export const saves =
  <N extends Named, F extends Fields>(noun: N, fields: F) =>
  async ({ api, subject, answers }: { api: Api; subject: Subject; answers: RawAnswers }) => {
    const input = { id: subject.id, ...answered(editable(fields), answers), ...lockOf(subject.record) }
    return { message: savedNotice(await writeFields(api, `${noun}.edit`, input)) }
  }
