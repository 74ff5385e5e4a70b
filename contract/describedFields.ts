import type { z } from 'zod'
import type { Call } from './call.ts'
import { type CallId, calls } from './calls.ts'
import { blankOf, type Field, type Fields, pick } from './fieldKinds.ts'
import { FIELDS, type FieldWord } from './fields.ts'
import { fieldTables } from './fieldTables.ts'
import { aboutOf, type BlankIn, codesOf, exampleOf, takenWords, unitIn } from './fieldWords.ts'
import { OLDER_CALLS } from './olderCalls.ts'
import { olderFields } from './olderFields.ts'
import { projectFields } from './projectFields.ts'
import { newProjectFields, olderCallFields } from './requestFields.ts'
import { demographicFields, marketFields } from './targetFields.ts'
import { inviteFields } from './userFields.ts'
import { newBrandFields } from './visitationFields.ts'

/** What a table has of its own, by a name that may be a stranger's. */
export const own = <T>(table: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined

/** A description, with its unit if that isn't in its words, and its codes. */
export const sentenceOf = ({ about, unit, codes }: FieldWord): string =>
  [about, unitIn(about, unit), codes ? codesOf(codes) : ''].filter(Boolean).join(' ')

/** A field's example and type; money is in dollars or cents. */
function kindWord(field: Field): Omit<FieldWord, 'about'> {
  const example = field.kind === 'money' ? undefined : exampleOf(field)
  const isWhole = ['integer', 'percent', 'record', 'file'].includes(field.kind)
  return { ...(example === undefined ? {} : { example }), ...(isWhole ? { as: 'integer' } : {}) }
}
const codesIn = (field: Field) =>
  'options' in field && field.options ? { codes: field.options.filter(({ value }) => value !== '') } : {}

/** Words by name, for properties that aren't of a table's call or record: the dictionary's, or a table's. */
const WORDS: Readonly<Record<string, FieldWord>> = {
  ...Object.fromEntries(
    Object.values(fieldTables).flatMap((fields) =>
      Object.entries(fields).map(([name, field]) => [name, { about: aboutOf(field), ...kindWord(field), ...codesIn(field) }]),
    ),
  ),
  ...FIELDS,
}

/** The words of a field whose sentences are known, with the example of its name if it has none. */
export function ofField(name: string, field: Field, about: string): FieldWord {
  const { example, as } = own(WORDS, name) ?? {}
  return { ...(example === undefined ? {} : { example }), ...(as ? { as } : {}), about, ...kindWord(field) }
}

/** The fields of inputs, by noun or call. */
const INPUTS: Readonly<Record<string, Fields>> = {
  ...fieldTables,
  campaign: olderFields(projectFields),
  'brand.create': newBrandFields,
  'project.create': { ...projectFields, ...pick(newProjectFields, 'end_dt', 'reward_amount_cents') },
  'request.correct': projectFields,
  'target.check': { ...marketFields, ...demographicFields },
  'user.inviteOlder': inviteFields,
  'campaign.create': olderFields({ ...projectFields, ...olderCallFields }),
}
/** TABLE  what writes take under a field's name that isn't the field: a channel partner, a client's group. */
const OTHERS: readonly string[] = [
  'client.editLocationGroup name',
  'project.assign partner_id',
  'project.assignPartner partner_id',
  'project.mailPartnerNow partner_id',
]
/** The field of a call: of its own table, or a write's of its noun's. */
export function fieldOfCall(call: string, name: string): Field | undefined {
  const field = own(own(INPUTS, call) ?? {}, name)
  if (field || !call || OTHERS.includes(`${call} ${name}`) || calls[call as CallId].method === 'GET') return field
  return own(own(INPUTS, call.split('.')[0]!) ?? {}, name)
}

/** What a call's own schema of a field does with a blank value. */
function blankIn(call: string, name: string, field: Field): BlankIn {
  const { shape } = (calls[call as CallId] as Call).input as unknown as { shape: Readonly<Record<string, z.ZodType>> }
  const blank = field.kind === 'records' || field.kind === 'rows' ? [] : (blankOf(field) ?? '')
  const read = shape[name]!.safeParse(blank)
  if (!read.success) return 'refused'
  return read.data === null ? 'null' : read.data === undefined ? 'missing' : 'taken'
}

/** Where a name is: in which call, and perhaps named shape; within its input or output; with a value of which types. */
export interface NamePlace {
  readonly call: string
  readonly shape?: string | undefined
  readonly within?: 'query' | 'input' | undefined
  readonly types: readonly string[]
}
/** A name's word at a place: what it means in the narrowest part of it where it means something else, or everywhere. */
export function wordAt(name: string, { call, shape = '', within, types }: NamePlace): FieldWord | undefined {
  const word = own(WORDS, name)
  const type = types.length === 1 ? types[0]!.replace('integer', 'number') : ''
  const at = [call, OLDER_CALLS[call] ?? '', shape, call.split('.')[0]!, within ?? '', type].find((part) =>
    Object.hasOwn(word?.elsewhere ?? {}, part),
  )
  return at === undefined ? word : word!.elsewhere![at]
}

/** The words of a call's field by its table, or by its name; `listed` if its values are an enumeration. */
export function wordOfInput(call: string, name: string, listed: boolean, types: readonly string[]): FieldWord | undefined {
  const field = fieldOfCall(call, name)
  if (field) return ofField(name, field, takenWords(field, listed, blankIn(call, name, field)))
  return wordAt(name, { call, within: calls[call as CallId].method === 'GET' ? 'query' : 'input', types })
}
