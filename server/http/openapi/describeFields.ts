import { ofField, own, sentenceOf, wordAt, wordOfInput } from '../../../contract/describedFields.ts'
import type { Fields } from '../../../contract/fieldKinds.ts'
import type { FieldWord } from '../../../contract/fields.ts'
import { fieldTables } from '../../../contract/fieldTables.ts'
import { recordWords } from '../../../contract/fieldWords.ts'
import { olderFields } from '../../../contract/olderFields.ts'
import { projectFields } from '../../../contract/projectFields.ts'
import type { Schema } from './jsonSchema.ts'

/** Patterns of examples that imply a text's format. */
const FORMS: readonly (readonly [RegExp, string])[] = [
  [/^\d{4}-\d\d-\d\dT/, 'date-time'],
  [/^\d{4}-\d\d-\d\d$/, 'date'],
  [/^\S+@example\.com$/, 'email'],
]

/** The types that a schema allows, without null. */
function typesOf(schema: Schema): string[] {
  const among = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined
  if (among) return among.flatMap(typesOf)
  return [schema.type].flat().filter((type): type is string => typeof type === 'string' && type !== 'null')
}

const typeOf = (value: unknown): string => (Number.isInteger(value) ? 'integer' : typeof value)

/** True if a schema surely accepts the example: it has its type, and nothing narrows it. */
function takes(schema: Schema, example: unknown): boolean {
  const among = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined
  if (among) return among.some((one) => takes(one, example))
  const fits = typesOf(schema).some((type) => type === typeOf(example) || (type === 'number' && typeOf(example) === 'integer'))
  if (!fits || 'enum' in schema || 'const' in schema || 'pattern' in schema || 'format' in schema) return false
  if (typeof example === 'number')
    return example <= Number(schema.maximum ?? Infinity) && example >= Number(schema.minimum ?? -Infinity)
  const { length } = String(example)
  return length >= Number(schema.minLength ?? 0) && length <= Number(schema.maxLength ?? Infinity)
}

/** Marks a number that is always whole as an integer, in each part of a union. */
function whole(schema: Schema): Schema {
  const among = schema.anyOf as Schema[] | undefined
  if (among) return { ...schema, anyOf: among.map(whole) }
  const { type } = schema
  if (type === 'number') return { ...schema, type: 'integer' }
  if (Array.isArray(type)) return { ...schema, type: type.map((one) => (one === 'number' ? 'integer' : one)) }
  return schema
}

/** A noun's fields as its records name them; those of the older spelling have other days. */
interface RecordFields {
  readonly fields: Fields
  readonly older?: boolean
}
/** Money is in cents, under its column. */
const inRecords = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [field.kind === 'money' ? field.column : name, field]))
const RECORDS: Readonly<Record<string, RecordFields>> = {
  ...Object.fromEntries(Object.entries(fieldTables).map(([noun, fields]) => [noun, { fields: inRecords(fields) }])),
  campaign: { fields: inRecords(olderFields(projectFields)), older: true },
}
/** The fields of the record that a schema is named after, or that is at a place of a read's or list's response. */
function recordAt(place: string, shape = ''): RecordFields | undefined {
  const [, noun, path] = /^(\w+)\.(?:get|list)\w*>(.*)$/.exec(place) ?? []
  return RECORDS[shape.toLowerCase()] ?? (/^data(\[\])?(\.children\[\])?$/.test(path ?? '') ? RECORDS[noun!] : undefined)
}

const takesNull = (schema: Schema): boolean =>
  [schema.type].flat().includes('null') || ((schema.anyOf as Schema[] | undefined) ?? []).some(takesNull)
const isListed = (schema: Schema): boolean =>
  Boolean(schema.enum) || ((schema.anyOf as Schema[] | undefined) ?? []).some(isListed)

/** A property's words: those of its field, with the example of its name; or those of its name. */
function wordOf(name: string, schema: Schema, place: string, shape?: string): FieldWord | undefined {
  const listed = isListed(schema)
  const record = schema.description === undefined ? recordAt(place, shape) : undefined
  const field = record && own(record.fields, name)
  if (field)
    return ofField(name, field, recordWords(field, { nullable: takesNull(schema), listed, older: record.older ?? false }))
  const [, call = '', io] = /^([\w.]+)([<>])/.exec(place) ?? []
  const types = typesOf(schema)
  if (schema.description === undefined && place === `${call}<`) return wordOfInput(call, name, listed, types)
  return wordAt(name, { call, shape, within: io === '<' ? 'input' : undefined, types })
}

/** Completes a property: its description, an example, and in responses the format of text and numbers. */
export function worded(name: string, schema: Schema, answer: boolean, place = '', shape?: string): Schema {
  const word = wordOf(name, schema, place, shape)
  if (!word) return schema
  const types = typesOf(schema)
  const refined = word.as === 'integer' && answer ? whole(schema) : schema
  const form =
    typeof word.example === 'string' &&
    types.length === 1 &&
    types[0] === 'string' &&
    !schema.enum &&
    !schema.description &&
    answer
      ? FORMS.find(([pattern]) => pattern.test(word.example as string))?.[1]
      : undefined
  const example = word.example !== undefined && takes(refined, word.example) ? { example: word.example } : {}
  return {
    ...refined,
    ...(form && !refined.anyOf ? { format: form } : {}),
    description: refined.description ?? sentenceOf(word),
    ...(refined.example === undefined ? example : {}),
  }
}
