import type { z } from 'zod'

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

/** What is wrong, as the words after the field's name. */
export function faultOf(issue: z.core.$ZodIssue): string {
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
      return values.length === 1 ? `must be ${values[0]}` : `must be one of ${values.slice(0, CHOICES).join(', ')}${more}`
    }
    case 'invalid_format':
      return FORMATS[issue.format] ? `must be ${FORMATS[issue.format]}` : 'has the wrong format'
    case 'unrecognized_keys':
      return `has unknown fields: ${issue.keys.slice(0, CHOICES).join(', ')}`
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`
    default:
      return 'isn’t one of the accepted values'
  }
}

const counted = (count: number, what: 'character' | 'entry'): string =>
  `${count} ${count === 1 ? what : what === 'entry' ? 'entries' : `${what}s`}`

/** Messages for a missing value, which say nothing of one that is wrong. */
const SAYS_BLANK = /(?:cannot|can't|can’t|cant) be blank!?$| is required$/

/** What is wrong with a value that isn't blank although its message says so, as the words after its name; else null. */
export function wrongNotBlank(issue: z.core.$ZodIssue, input: unknown): string | null {
  if (issue.code === 'custom' || !SAYS_BLANK.test(issue.message)) return null
  const value = issue.path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | null | undefined)?.[key], input)
  return value === undefined || value === null || (typeof value === 'string' && !value.trim()) ? null : faultOf(issue)
}
