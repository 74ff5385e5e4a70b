import { sentenceOf, wordOfInput } from '../contract/describedFields.ts'
import { PROGRAM_DEFAULTS } from './request.ts'
import { type Field, typesOf } from './verbs.ts'

/** A field's description as in /openapi.json, with its default. */
export function aboutField({ call, name, schema, required, words }: Field): string {
  const word = wordOfInput(call, name, words.length > 0, [...typesOf(schema)])
  const usual = PROGRAM_DEFAULTS[name] ?? schema.default
  const defaultText = usual === '' || usual === undefined || typeof usual === 'object' ? [] : [`Default ${usual}.`]
  return [
    schema.description ?? (word ? sentenceOf(word) : ''),
    ...(words.length > 8 ? [`One of ${words.join(', ')}.`] : []),
    ...defaultText,
    ...(required ? ['Needed.'] : []),
  ]
    .filter(Boolean)
    .join(' ')
}
