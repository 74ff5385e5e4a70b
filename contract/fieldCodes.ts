import type { FieldCode } from './errorCodes.ts'
import { type Field, isBlank, mostOf, readField } from './fieldKinds.ts'
import { YEARS } from './moments.ts'
import { isLarge, readAmount, readWhole } from './money.ts'

/** The code of what is wrong with a value that a field's reader refused. */
export function fieldCode(field: Field, typed: unknown): FieldCode {
  if (isBlank(typed)) return 'required'
  const isOne = typeof typed === 'string' || typeof typed === 'number'
  switch (field.kind) {
    case 'choice':
      return isOne ? 'choice' : 'type'
    case 'flag':
      return typeof typed === 'object' ? 'type' : 'choice'
    case 'several': {
      const isList = Array.isArray(typed) && typed.every((one) => typeof one === 'string' || typeof one === 'number')
      if (!isOne && !isList) return 'type'
      // Commas alone, and −1.
      if ('value' in readField({ ...field, required: undefined } as Field, typed)) return 'required'
      return field.options ? 'choice' : 'range'
    }
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
      return readAmount(text).cents === null && !isLarge(text) ? 'format' : 'range'
    case 'text':
      return field.pattern && !field.pattern.test(text) ? 'format' : 'range'
    case 'name':
    case 'zip':
      return 'range'
    case 'url':
      return text.length > mostOf(field) ? 'range' : 'format'
    case 'day': {
      const [year] = /^\d{4}(?=-\d\d-\d\d$)/.exec(text) ?? []
      return year && (Number(year) < YEARS.first || Number(year) > YEARS.last) ? 'range' : 'format'
    }
    default:
      return 'format'
  }
}

/** The code of a field's fault, which may be beside other values. */
export const faultCode = (field: Field, typed: unknown): FieldCode =>
  isBlank(typed) || 'fault' in readField(field, typed) ? fieldCode(field, typed) : 'invalid'
