import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Call } from '../contract/call.ts'
import { Refusal } from './refusal.ts'

/** Path, query and body as one object: `name[]` becomes a list, a wrapped body (`user`, `project` …) is opened (calls.tsv, head). */
export function gather(request: FastifyRequest, row: Call): Record<string, unknown> {
  const body = request.body
  if (Array.isArray(body)) return { ...listed(request.query), rows: body, ...(request.params as object) }
  const plain = body && typeof body === 'object' ? (body as Record<string, unknown>) : {}
  const wrapped =
    row.wraps && plain[row.wraps] && typeof plain[row.wraps] === 'object' ? { ...plain, ...(plain[row.wraps] as object) } : plain
  return { ...listed(request.query), ...wrapped, ...(request.params as object) }
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
