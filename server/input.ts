import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Call } from '../contract/call.ts'
import { invalid, Refusal } from './refusal.ts'

/** Path, query and body as one object: `name[]` becomes a list, a wrapped body (`user`, `project` …) is opened (calls.tsv, head). */
export function gather(request: FastifyRequest, row: Call): Record<string, unknown> {
  const body = request.body
  if (Array.isArray(body) && !row.lines) throw invalid('body', 'The body must be an object, not a list')
  if (Array.isArray(body)) return checked({ ...listed(request.query), rows: body, ...(request.params as object) }, row)
  const plain = body && typeof body === 'object' && !(body instanceof Readable) ? (body as Record<string, unknown>) : {}
  const wrapped =
    row.wraps && plain[row.wraps] && typeof plain[row.wraps] === 'object' ? { ...plain, ...(plain[row.wraps] as object) } : plain
  return checked({ ...listed(request.query), ...wrapped, ...(request.params as object) }, row)
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

function listed(query: unknown): Record<string, unknown> {
  const result: Record<string, unknown> = {}
  for (const [key, value] of Object.entries((query ?? {}) as Record<string, unknown>)) {
    if (key.endsWith('[]')) result[key.slice(0, -2)] = Array.isArray(value) ? value : [value]
    else result[key] = value
  }
  return result
}

/** A 422 that names every wrong field in a sentence. */
export function refuseInvalid(error: z.ZodError): Refusal {
  const fields: Record<string, string> = {}
  for (const issue of error.issues) {
    const field = issue.path.map(String).join('.') || 'input'
    fields[field] ??= sentenceOf(field, issue)
  }
  const sentences = Object.values(fields)
  return new Refusal(
    422,
    'invalid',
    sentences.length === 1 ? sentences[0]! : `${sentences[0]} (and ${sentences.length - 1} more)`,
    { fields },
  )
}

/** Our own messages stand as they are; zod's are put behind the field's name. */
function sentenceOf(field: string, issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type' && /received (undefined|null|NaN)$/.test(issue.message)) return `${field} is required`
  if (issue.code === 'custom') return /^(is|has|must|needs)\b/.test(issue.message) ? `${field} ${issue.message}` : issue.message
  return /^(Invalid|Too|Unrecognized)/.test(issue.message)
    ? `${field}: ${issue.message[0]!.toLowerCase()}${issue.message.slice(1)}`
    : issue.message
}

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
