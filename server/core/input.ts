import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Call, CallSchema } from '../../contract/call.ts'
import type { FieldCode } from '../../contract/errorCodes.ts'
import { aliasesOf } from '../../contract/filterNames.ts'
import { showsNothing } from '../../contract/foldText.ts'
import { isMissing, sentenceOf, valueAt } from '../../contract/issueWords.ts'
import { HttpError, invalid } from './errors.ts'

/** Merges path, query and body: `name[]` is a list, a wrapped body (`user: {…}`) is unwrapped (calls.tsv, head). */
export function gather(request: FastifyRequest, row: Call): Record<string, unknown> {
  const body = request.body
  if (Array.isArray(body) && !row.lines) throw invalid('body', 'The body must be an object, not a list')
  if (Array.isArray(body)) return checked({ ...listed(request.query, row), rows: body, ...(request.params as object) }, row)
  const plain = body && typeof body === 'object' && !(body instanceof Readable) ? (body as Record<string, unknown>) : {}
  const wrapped =
    row.wraps && plain[row.wraps] && typeof plain[row.wraps] === 'object' ? { ...plain, ...(plain[row.wraps] as object) } : plain
  return checked(renamed({ ...listed(request.query, row), ...wrapped, ...inPath(request) }, row), row)
}

/** An input with the fields under their own names; throws a 422 for one that is sent twice with two values. */
function renamed(input: Record<string, unknown>, row: Call): Record<string, unknown> {
  for (const [alias, name] of Object.entries(aliasesOf(row))) {
    if (!Object.hasOwn(input, alias)) continue
    const { [alias]: value, ...rest } = input
    if (rest[name] !== undefined && JSON.stringify(rest[name]) !== JSON.stringify(value))
      throw invalid(alias, `${alias} and ${name} are one field and must match`)
    input = { ...rest, [name]: value }
  }
  return input
}

/** The path's fields; `/v1/user_teams/12&page=2`, with an ampersand where a `?` belongs, is understood too. */
function inPath(request: FastifyRequest): Record<string, unknown> {
  const params = request.params as Record<string, string>
  const split = Object.entries(params).find(([, value]) => /^\d+(\.json)?&\w+=/.test(value))
  if (!split) return params
  const [name, value] = split
  const at = value.indexOf('&')
  return { ...Object.fromEntries(new URLSearchParams(value.slice(at + 1))), ...params, [name]: value.slice(0, at) }
}

/** Batches are validated row by row where they are read, so that one bad row doesn't refuse the others. */
const BATCH = new Set(['rows', 'responses'])

/** Deeper than any call's input, so that recursive code behind this (schema, hash, database) is safe. */
const DEEPEST = 40
const ZERO = 'must not contain a null character'

/** Throws 422 for a zero character, which no database stores, and for values nested too deep. */
export function checked<T extends Record<string, unknown>>(input: T, row: Pick<Call, 'lines'>): T {
  for (const field in input) {
    if (row.lines && BATCH.has(field)) continue
    const fault = faultIn(input[field], 0)
    if (fault) throw invalid(field.slice(0, 100), `${field.slice(0, 100)} ${fault}`)
  }
  return input
}

/** A 422 for a form's field that isn't UTF-8, as decoding has made one of different bytes; null for any other. */
export function otherBytes(field: string, value: unknown): HttpError | null {
  if (!field.includes('\ufffd') && !(typeof value === 'string' && value.includes('\ufffd'))) return null
  return invalid(field.slice(0, 100), `${field.slice(0, 100)} is not UTF-8`)
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

/** The query as an input: `name[]` is a list, a blank value is left out (decisions.md 13). */
function listed(query: unknown, row: Call): Record<string, unknown> {
  const result: Record<string, unknown> = {}
  const fields = fieldsOf(row)
  for (const [key, value] of Object.entries((query ?? {}) as Record<string, unknown>)) {
    const name = key.replace(/\[\]$/, '')
    const filled = Array.isArray(value) ? value.filter((one) => !isBlank(one)) : value
    if (isBlank(filled) || (Array.isArray(filled) && !filled.length)) continue
    const list = name !== key && !Array.isArray(filled) ? [filled] : filled
    result[name] = ANY_CASE.has(name) ? toListedSpelling(list, fields[name]) : list
  }
  return result
}

const isBlank = (value: unknown): boolean => typeof value === 'string' && showsNothing(value)

/** Fields whose words are read in any case. */
const ANY_CASE = new Set(['order', 'status'])

/** Converts a word to the schema's spelling of it, ignoring case. */
function toListedSpelling(value: unknown, schema: CallSchema | undefined): unknown {
  const words = schema ? wordsOf(schema) : []
  return typeof value === 'string' ? (words.find((word) => word.toLowerCase() === value.trim().toLowerCase()) ?? value) : value
}

/** The words of an enumeration, optional or not; none for any other schema. */
function wordsOf(schema: CallSchema): string[] {
  const { def } = schema as unknown as { def: { type: string; innerType?: CallSchema; entries?: Record<string, string> } }
  if (def.innerType) return wordsOf(def.innerType)
  return def.type === 'enum' ? Object.values(def.entries ?? {}).map(String) : []
}

/** The fields of a call's input by name. */
const fieldsOf = (row: Pick<Call, 'input'>): Record<string, CallSchema> =>
  (row.input as unknown as { shape?: Record<string, CallSchema> }).shape ?? {}

/** Names that every call accepts: a partner's link carries its token in the query. */
const EVERYWHERE = new Set(['token'])
/** Limits of the header: how many names, and the length of each. */
const NAMED = { names: 20, letters: 40 } as const

/** Query names that a read doesn't know, as they were sent. */
export function unknownInQuery(request: FastifyRequest, row: Call): string[] {
  const known = { ...fieldsOf(row), ...aliasesOf(row) }
  return Object.keys((request.query ?? {}) as object).filter((key) => {
    const name = key.replace(/\[\]$/, '')
    return !Object.hasOwn(known, name) && !EVERYWHERE.has(name)
  })
}

/** Unknown names of a query for the header `Fieldwork-Ignored`; null if there are none. */
export function ignoredHeader(names: readonly string[]): string | null {
  if (!names.length) return null
  return names
    .slice(0, NAMED.names)
    .map((name) => encodeURIComponent(name.toWellFormed().slice(0, NAMED.letters).toWellFormed()))
    .join(', ')
}

/** The most fields that one 422 lists. */
const FAULTS = 50

/** A 422 with a sentence for each wrong field; `given` tells missing fields from wrong ones. */
export function refuseInvalid(error: z.ZodError, input?: unknown): HttpError {
  const fields: Record<string, string> = {}
  const field_codes: Record<string, FieldCode> = {}
  for (const issue of error.issues.slice(0, FAULTS)) {
    const field = issue.path.map(String).join('.') || 'input'
    fields[field] ??= sentenceOf(field, issue, input)
    field_codes[field] ??= codeOf(issue, input)
  }
  const sentences = Object.values(fields)
  return new HttpError(
    422,
    'invalid',
    sentences.length === 1 ? sentences[0]! : `${sentences[0]} (and ${sentences.length - 1} more)`,
    { fields, field_codes },
  )
}

/** TABLE  codes of fields by what zod finds. */
const CODES: Readonly<Record<string, FieldCode>> = {
  invalid_type: 'type',
  invalid_union: 'type',
  invalid_value: 'choice',
  invalid_format: 'format',
  too_small: 'range',
  too_big: 'range',
  not_multiple_of: 'range',
  unrecognized_keys: 'unknown_field',
}

/** The code of what is wrong with a field. */
export const codeOf = (issue: z.core.$ZodIssue, input: unknown): FieldCode => {
  const value = valueAt(issue.path, input)
  if (isMissing(issue, input) || value === undefined || value === null || isBlank(value)) return 'required'
  // The reader of a field's kind says which (contract/fieldCodes.ts).
  const { params } = issue as { params?: { code?: FieldCode } }
  if (issue.code === 'invalid_value' && typeof value !== 'string' && typeof value !== 'number') return 'type'
  return params?.code ?? CODES[issue.code] ?? 'invalid'
}

/**
 * Resolves a field that a call accepts under several names: the value that differs from the record's.
 * Returns the record's value if none differs, undefined if none was sent.
 * Throws a 422 naming the second of two names with different new values.
 */
export function changed<R extends Record<string, unknown>, N extends keyof R & string>(
  was: R[N] | null,
  input: R,
  names: readonly N[],
): R[N] | undefined {
  const sent = names.filter((name) => input[name] !== undefined)
  const anew = sent.filter((name) => input[name] !== was)
  const other = anew.find((name) => input[name] !== input[anew[0]!])
  if (other) throw invalid(other, `${other} and ${anew[0]} are one field and must match`)
  const name = anew[0] ?? sent[0]
  return name === undefined ? undefined : input[name]
}

/** Throws a 422 for a limit of a credential that was sent without a value, which would limit nothing. */
export function refuseEmptyLimits(request: FastifyRequest, { credential, aliases = {}, wraps }: Call): void {
  if (!credential || credential.extras) return
  const plain = (request.body && typeof request.body === 'object' ? request.body : {}) as Record<string, unknown>
  const sent = [request.query as Record<string, unknown>, plain, wraps ? (plain[wraps] as Record<string, unknown>) : {}]
  for (const [key, value] of sent.flatMap((fields) => Object.entries(fields ?? {}))) {
    const field = key.replace(/\[\]$/, '')
    if (!credential.limits.includes(aliases[field] ?? field) || !isEmpty(value)) continue
    throw invalid(field, `${field} is empty. Say what it is limited to, or leave it out for no limit`)
  }
}

/** True for nothing, a blank text, and lists and objects of nothing else. */
const isEmpty = (value: unknown): boolean =>
  value === null || isBlank(value) || (typeof value === 'object' && Object.values(value).every(isEmpty))

/** The field names of a schema. */
export const namesOf = (schema: CallSchema): string[] => Object.keys((schema as unknown as { shape?: object }).shape ?? {})
