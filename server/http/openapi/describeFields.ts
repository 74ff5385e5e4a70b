import { FIELDS, type FieldWord } from '../../../contract/fields.ts'
import type { Term } from '../../../contract/vocabulary.ts'
import type { Schema } from './jsonSchema.ts'

const codesOf = (codes: readonly Term[]): string =>
  codes.map(({ value, label }) => (String(value) === label.toLowerCase() ? value : `${value} is ${label}`)).join(', ')

/** A field's description, with its unit and codes. */
function sentenceOf({ about, unit, codes }: FieldWord): string {
  const sentences = [about, ...(unit ? [`In ${unit}.`] : []), ...(codes ? [`Codes: ${codesOf(codes)}.`] : [])]
  return sentences.join(' ')
}

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

/** Completes a property by its name: description, example, and in responses the format of text and numbers. */
export function worded(name: string, schema: Schema, answer: boolean): Schema {
  const word = FIELDS[name]
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
