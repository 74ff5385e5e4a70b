import { ruleOf } from './access.ts'
import type { Call } from './call.ts'
import type { CallId } from './calls.ts'

/** The field names of a call's input. */
const namesOf = (row: Call): string[] => Object.keys((row.input as unknown as { shape?: object }).shape ?? {})

/**
 * True for writes that take `dry=1`.
 * Public calls, streams and uploads don't; nor do calls that store nothing or declare a `dry` of their own.
 */
export const takesDry = (id: CallId, row: Call): boolean =>
  (row.method !== 'GET' || row.unsafe === true) &&
  ruleOf(id).who !== 'public' &&
  !row.as &&
  !row.keepsNothing &&
  !row.lines &&
  !namesOf(row).includes('dry')
