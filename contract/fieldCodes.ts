import type { FieldCode } from './errorCodes.ts'
import { type Field, isList } from './fieldKinds.ts'
import { readDecimal } from './money.ts'

/** The code of what is wrong with a value that a field's reader refused. */
export function fieldCode(field: Field, typed: string): FieldCode {
  if (!typed.trim()) return 'required'
  switch (field.kind) {
    case 'choice':
    case 'flag':
      return 'choice'
    case 'integer':
    case 'percent':
    case 'money':
      return typeof readDecimal(typed) === 'number' ? 'range' : 'format'
    case 'text':
    case 'name':
      return 'range'
    default:
      return isList(field) ? 'invalid' : 'format'
  }
}
