import type { FieldCode } from './errorCodes.ts'
import { type Field, isBlank, mostOf } from './fieldKinds.ts'
import { readAmount, readWhole } from './money.ts'

/** The code of what is wrong with a value that a field's reader refused. */
export function fieldCode(field: Field, typed: unknown): FieldCode {
  if (isBlank(typed)) return 'required'
  const isOne = typeof typed === 'string' || typeof typed === 'number'
  switch (field.kind) {
    case 'choice':
      return 'choice'
    case 'flag':
      return typeof typed === 'object' ? 'type' : 'choice'
    case 'several':
      return !isOne && !Array.isArray(typed) ? 'type' : field.options ? 'choice' : 'range'
    case 'lines':
    case 'records':
    case 'rows':
    case 'files':
      return Array.isArray(typed) ? 'range' : 'type'
  }
  if (!isOne) return 'type'
  const text = String(typed).trim()
  switch (field.kind) {
    case 'integer':
    case 'percent':
      return Number.isInteger(readWhole(text)) ? 'range' : 'format'
    case 'money':
      return readAmount(text).cents === null ? 'format' : 'range'
    case 'text':
      return field.pattern && !field.pattern.test(text) ? 'format' : 'range'
    case 'name':
    case 'zip':
      return 'range'
    case 'url':
      return text.length > mostOf(field) ? 'range' : 'format'
    default:
      return 'format'
  }
}
