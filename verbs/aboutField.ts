import { FIELDS } from '../contract/fields.ts'
import { PROGRAM_DEFAULTS } from './request.ts'
import type { Field } from './verbs.ts'

/** A field's description from the dictionary of fields, with its unit, codes and default. */
export function aboutField({ name, schema, required, words }: Field): string {
  const word = Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined
  const codes = word?.codes?.map(({ value, label }) => (String(value) === label.toLowerCase() ? value : `${value} is ${label}`))
  const usual = PROGRAM_DEFAULTS[name] ?? schema.default
  const defaultText = usual === '' || usual === undefined || typeof usual === 'object' ? [] : [`Default ${usual}.`]
  return [
    schema.description ?? word?.about ?? '',
    ...(!schema.description && word?.unit ? [`In ${word.unit}.`] : []),
    ...(!schema.description && codes ? [`Codes: ${codes.join(', ')}.`] : []),
    ...(words.length > 8 ? [`One of ${words.join(', ')}.`] : []),
    ...defaultText,
    ...(required ? ['Needed.'] : []),
  ]
    .filter(Boolean)
    .join(' ')
}
