import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Call } from '../../contract/call.ts'
import { HttpError, invalid } from './errors.ts'

/** Path, query and body as one object: `name[]` becomes a list, a wrapped body (`user`, `project` …) is opened (calls.tsv, head). */
export function gather(request: FastifyRequest, row: Call): Record<string, unknown> {
  const body = request.body
  if (Array.isArray(body) && !row.lines) throw invalid('body', 'The body must be an object, not a list')
  if (Array.isArray(body)) return checked({ ...listed(request.query, row), rows: body, ...(request.params as object) }, row)
  const plain = body && typeof body === 'object' && !(body instanceof Readable) ? (body as Record<string, unknown>) : {}
  const wrapped =
    row.wraps && plain[row.wraps] && typeof plain[row.wraps] === 'object' ? { ...plain, ...(plain[row.wraps] as object) } : plain
  return checked({ ...listed(request.query, row), ...wrapped, ...(request.params as object) }, row)
}

/** A batch is checked row by row where it is read, so that one bad row does not refuse the others. */
const BATCH = new Set(['rows', 'responses'])

/** Deeper than any call looks: what goes on recursively behind this (a schema, a hash, the database) never meets more. */
const DEEPEST = 40
const ZERO = 'must not hold a zero character'

/** Throws a 422 where a text holds a zero character (no database keeps it, and nobody types it), and where a value is nested deeper than any call looks. */
export function checked<T extends Record<string, unknown>>(input: T, row: Pick<Call, 'lines'>): T {
  for (const field in input) {
    if (row.lines && BATCH.has(field)) continue
    const fault = faultIn(input[field], 0)
    if (fault) throw invalid(field.slice(0, 100), `${field.slice(0, 100)} ${fault}`)
  }
  return input
}

function faultIn(value: unknown, depth: number): string | null {
  if (typeof value === 'string') return value.includes('\u0000') ? ZERO : null
  if (!value || typeof value !== 'object') return null
  if (depth > DEEPEST) return 'is nested too deeply'
  if (Array.isArray(value)) {
    for (const one of value) {
      const fault = faultIn(one, depth + 1)
      if (fault) return fault
    }
    return null
  }
  for (const key in value) {
    const fault = key.includes('\u0000') ? ZERO : faultIn((value as Record<string, unknown>)[key], depth + 1)
    if (fault) return fault
  }
  return null
}

/** The query as an input: `name[]` is a list, a blank value is as if it were left out, `order` and `status` are read in any case (decisions.md 13). */
function listed(query: unknown, row: Call): Record<string, unknown> {
  const result: Record<string, unknown> = {}
  const fields = fieldsOf(row)
  for (const [key, value] of Object.entries((query ?? {}) as Record<string, unknown>)) {
    const name = key.replace(/\[\]$/, '')
    const given = Array.isArray(value) ? value.filter((one) => !isBlank(one)) : value
    if (isBlank(given) || (Array.isArray(given) && !given.length)) continue
    const list = name !== key && !Array.isArray(given) ? [given] : given
    result[name] = ANY_CASE.has(name) ? inItsCase(list, fields[name]) : list
  }
  return result
}

const isBlank = (value: unknown): boolean => typeof value === 'string' && value.trim() === ''

/** Read in any case. */
const ANY_CASE = new Set(['order', 'status'])

/** A word as the schema's own list has it, in whatever case it was written. */
function inItsCase(value: unknown, schema: z.ZodType | undefined): unknown {
  const words = schema ? wordsOf(schema) : []
  return typeof value === 'string' ? (words.find((word) => word.toLowerCase() === value.trim().toLowerCase()) ?? value) : value
}

/** The words of an enumeration, also where it may be left out; none for any other schema. */
function wordsOf(schema: z.ZodType): string[] {
  const { def } = schema as unknown as { def: { type: string; innerType?: z.ZodType; entries?: Record<string, string> } }
  if (def.innerType) return wordsOf(def.innerType)
  return def.type === 'enum' ? Object.values(def.entries ?? {}).map(String) : []
}

/** The fields of a call's input, by name. */
const fieldsOf = (row: Pick<Call, 'input'>): Record<string, z.ZodType> =>
  (row.input as unknown as { shape?: Record<string, z.ZodType> }).shape ?? {}

/** Names that are no call's own: a partner's link carries its token in the query. */
const EVERYWHERE = new Set(['token'])
/** Names of the header at most, and letters of each. */
const NAMED = { names: 20, letters: 40 } as const

/** The query names of a read that it does not know, as the header `Fieldwork-Ignored` lists them; null when there are none. */
export function ignoredBy(request: FastifyRequest, row: Call): string | null {
  const known = fieldsOf(row)
  const names = Object.keys((request.query ?? {}) as object).filter((key) => {
    const name = key.replace(/\[\]$/, '')
    return !Object.hasOwn(known, name) && !EVERYWHERE.has(name)
  })
  if (!names.length) return null
  return names
    .slice(0, NAMED.names)
    .map((name) => encodeURIComponent(name.toWellFormed().slice(0, NAMED.letters).toWellFormed()))
    .join(', ')
}

/** Fields of one refusal at most. */
const FAULTS = 50

/** A 422 that names every wrong field in a sentence; `given` tells what is missing from what is wrong. */
export function refuseInvalid(error: z.ZodError, given?: unknown): HttpError {
  const fields: Record<string, string> = {}
  for (const issue of error.issues.slice(0, FAULTS)) {
    const field = issue.path.map(String).join('.') || 'input'
    fields[field] ??= sentenceOf(field, issue, given)
  }
  const sentences = Object.values(fields)
  return new HttpError(
    422,
    'invalid',
    sentences.length === 1 ? sentences[0]! : `${sentences[0]} (and ${sentences.length - 1} more)`,
    { fields },
  )
}

/** Keeps our own messages; turns zod's into sentences that begin with the field's name. */
function sentenceOf(field: string, issue: z.core.$ZodIssue, given: unknown): string {
  const bare = /^(is|has|must|needs)\b/.test(issue.message)
  if (bare && (issue.code === 'custom' || issue.code === 'invalid_union')) return `${field} ${issue.message}`
  if (issue.code === 'custom') return issue.message
  if (!/^(Invalid|Too|Unrecognized)/.test(issue.message)) return issue.message
  return `${field} ${isMissing(issue, given) ? 'is required' : faultOf(issue)}`
}

/** True when nothing was sent: a number of nothing is NaN to zod, as is one of letters. */
function isMissing(issue: z.core.$ZodIssue, given: unknown): boolean {
  if (issue.code !== 'invalid_type') return false
  if (/received (undefined|null)$/.test(issue.message)) return true
  if (!issue.message.endsWith('received NaN')) return false
  if (!given || typeof given !== 'object') return true
  const value = issue.path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key], given)
  return value === undefined || value === null || isBlank(value)
}

/** TABLE  kinds of values, as a sentence calls them. */
const KINDS: Record<string, string> = {
  number: 'a number',
  int: 'a whole number',
  string: 'text',
  boolean: 'yes or no',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}
/** TABLE  formats of texts, likewise. */
const FORMATS: Record<string, string> = {
  url: 'a web address (https://…)',
  email: 'an email address',
  date: 'a date (YYYY-MM-DD)',
}
const CHOICES = 20

/** What is wrong, in the words that follow the field's name. */
function faultOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${KINDS[issue.expected] ?? 'of another kind'}`
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
      return FORMATS[issue.format] ? `must be ${FORMATS[issue.format]}` : 'is not written as it should be'
    case 'unrecognized_keys':
      return `has unknown fields: ${issue.keys.slice(0, CHOICES).join(', ')}`
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`
    default:
      return 'is none of the values that are taken here'
  }
}

const counted = (count: number, what: 'character' | 'entry'): string =>
  `${count} ${count === 1 ? what : what === 'entry' ? 'entries' : `${what}s`}`

/**
 * One field that a call takes under several names, of a record that answers all of them: the value that differs from what it is now, or the value it
 * has; undefined when none was sent. Two names with different new values are a 422 that names the second.
 */
export function changed<R extends Record<string, unknown>, N extends keyof R & string>(
  was: R[N] | null,
  input: R,
  names: readonly N[],
): R[N] | undefined {
  const sent = names.filter((name) => input[name] !== undefined)
  const anew = sent.filter((name) => input[name] !== was)
  const other = anew.find((name) => input[name] !== input[anew[0]!])
  if (other) throw invalid(other, `${other} and ${anew[0]} are one field and say different things`)
  const name = anew[0] ?? sent[0]
  return name === undefined ? undefined : input[name]
}

/** The names that a schema takes. */
export const namesOf = (schema: z.ZodType): string[] => Object.keys((schema as unknown as { shape?: object }).shape ?? {})
