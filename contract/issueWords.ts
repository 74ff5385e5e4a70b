import type { z } from 'zod'
import { showsNothing } from './foldText.ts'

/* Sentences about what a schema refuses, for responses and forms. */

/** TABLE  kinds of values in the words of a sentence. */
const KINDS: Record<string, string> = {
  number: 'a number',
  int: 'a whole number',
  string: 'text',
  boolean: 'yes or no',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}
/** TABLE  text formats in the words of a sentence. */
const FORMATS: Record<string, string> = {
  url: 'a web address (https://…)',
  email: 'an email address',
  date: 'a date (YYYY-MM-DD)',
}
const CHOICES = 20
const UNKNOWN = 'isn’t one of the accepted values'

/** What is wrong, as the words after the field's name. */
function faultOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${KINDS[issue.expected] ?? 'of another type'}`
    case 'too_small': {
      const least = Number(issue.minimum)
      if (issue.origin === 'number' || issue.origin === 'int')
        return issue.inclusive ? `must be ${least} or more` : `must be more than ${least}`
      return issue.origin === 'string'
        ? `needs ${counted(least, 'character')} or more`
        : `needs ${counted(least, 'entry')} or more`
    }
    case 'too_big': {
      const most = Number(issue.maximum)
      if (issue.origin === 'number' || issue.origin === 'int')
        return issue.inclusive ? `must be ${most} or less` : `must be less than ${most}`
      return issue.origin === 'string' ? `takes ${counted(most, 'character')} at most` : `takes ${counted(most, 'entry')} at most`
    }
    case 'invalid_value': {
      const values = issue.values.map(String).filter(Boolean)
      const more = values.length > CHOICES ? ` … (${values.length} in all)` : ''
      const words = values.slice(0, CHOICES).map((value) => (/^[\s,;]+$/.test(value) ? JSON.stringify(value) : value))
      return values.length === 1 ? `must be ${values[0]}` : `must be one of ${words.join(', ')}${more}`
    }
    case 'invalid_union':
      return unionFault(issue.errors.flatMap(([first]) => first ?? []))
    case 'invalid_format':
      return FORMATS[issue.format] ? `must be ${FORMATS[issue.format]}` : 'has the wrong format'
    case 'unrecognized_keys':
      return `has unknown fields: ${issue.keys.slice(0, CHOICES).join(', ')}`
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`
    default:
      return UNKNOWN
  }
}

/** Messages of zod's own, which say nothing of a field. */
const ZOD_WORDS = /^(?:Invalid|Too|Unrecognized)/

/** What is wrong with a value of several kinds: of the kind that it is, else all kinds that are accepted. */
function unionFault(issues: readonly z.core.$ZodIssue[]): string {
  const deeper = issues.find(({ path, code }) => path.length && code !== 'invalid_key')
  if (deeper) return `${typeof deeper.path[0] === 'number' ? 'entry ' : ''}${placeOf(deeper.path)} ${wordsOf(deeper)}`
  const faults = issues.map(wordsOf)
  const ofItsKind = issues.findIndex(({ code }) => code !== 'invalid_type' && code !== 'invalid_value')
  const kinds = [...new Set(faults.filter((words) => words.startsWith('must be ') && !words.endsWith(' ')))]
  return faults[ofItsKind] ?? (kinds.length ? `must be ${kinds.map((words) => words.slice(8)).join(' or ')}` : UNKNOWN)
}

/** Our own message, else the words for zod's. */
const wordsOf = (issue: z.core.$ZodIssue): string => (ZOD_WORDS.test(issue.message) ? faultOf(issue) : issue.message)

/** A place in a list or object, counted from 1. */
const placeOf = (path: readonly PropertyKey[]) => path.map((key) => (typeof key === 'number' ? key + 1 : String(key))).join('.')

const counted = (count: number, what: 'character' | 'entry'): string =>
  `${count} ${count === 1 ? what : what === 'entry' ? 'entries' : `${what}s`}`

/** Messages that ask for a value, and say nothing of one that is wrong. */
const ASKS = /(?:cannot|can't|can’t|cant) be blank!?$|(?:^| )is required$|^(?:Please|Choose|Give) /
/** What is sent for no value. */
const isNothing = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  (typeof value === 'string' ? showsNothing(value) : Array.isArray(value) && !value.length)

/** What is wrong with a value that its message takes for blank, as the words after its name; else null. */
export function wrongNotBlank(issue: z.core.$ZodIssue, input: unknown): string | null {
  if (issue.code === 'custom' || !ASKS.test(issue.message)) return null
  return isNothing(valueAt(issue.path, input)) ? null : faultOf(issue)
}

/** The value at a path of an input. */
export const valueAt = (path: readonly PropertyKey[], input: unknown): unknown =>
  path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | null | undefined)?.[key], input)

/** True if nothing was sent: zod reports both nothing and letters as NaN. */
export function isMissing(issue: z.core.$ZodIssue, input: unknown): boolean {
  if (issue.code !== 'invalid_type') return false
  if (/received (undefined|null)$/.test(issue.message)) return true
  if (!issue.message.endsWith('received NaN')) return false
  if (!input || typeof input !== 'object') return true
  return isNothing(valueAt(issue.path, input))
}

/** Keeps our own messages; turns zod's into sentences that begin with the field's name. */
export function sentenceOf(field: string, issue: z.core.$ZodIssue, input: unknown): string {
  const wrong = wrongNotBlank(issue, input)
  if (wrong) return `${field} ${wrong}`
  if (/^(is|has|must|needs|takes|can’t)\b/.test(issue.message)) return `${field} ${issue.message}`
  if (issue.code === 'custom') return issue.message
  if (!ZOD_WORDS.test(issue.message)) return issue.message
  return `${field} ${isMissing(issue, input) ? 'is required' : faultOf(issue)}`
}
