import type { Call } from '../../contract/call.ts'
import { type CallId, calls } from '../../contract/calls.ts'
import { nounOf } from '../../contract/nounOf.ts'
import { invalid } from '../core/errors.ts'
import { namesOf } from '../core/input.ts'
import { schemaOf } from './openapi/jsonSchema.ts'

/*
 * The header If-Match of a write: the version of its record, "7", which its read returns as lock_version.
 * It is never ignored: where there is no version to compare, and for an ETag, it is refused.
 */

const NAME = 'If-Match'
/** How many versions it may list. */
const MOST = 20

/** The record of a write that has versions: its noun, the read that returns it, and the field that names it. */
interface Versioned {
  noun: string
  read: CallId
  field: string
}

const pathNames = ({ path }: Call): string[] => [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!)

/** True if a read returns one record with its version. */
function hasVersion(read: CallId): boolean {
  const at = (schema: unknown, name: string): unknown => {
    const { properties = {}, anyOf = [] } = schema as { properties?: Record<string, unknown>; anyOf?: unknown[] }
    return properties[name] ?? anyOf.map((one) => at(one, name)).find(Boolean)
  }
  const data = at(schemaOf(calls[read].output, 'output'), 'data')
  return data !== undefined && at(data, 'lock_version') !== undefined
}

const found = new Map<CallId, Versioned | null>()

/** The record of a write that If-Match compares; null for one of none, of several, or of one without versions. */
export function versionedOf(id: CallId): Versioned | null {
  const before = found.get(id)
  if (before !== undefined) return before
  const row: Call = calls[id]
  const noun = id.split('.')[0]!
  const read = nounOf(noun)?.reads as CallId | undefined
  const [first = 'id'] = pathNames(row)
  const isOwn = (first === 'id' || first === `${noun}_id`) && namesOf(row.input).includes(first)
  const versioned = read && isOwn && pathNames(calls[read]).length === 1 && hasVersion(read) ? { noun, read, field: first } : null
  found.set(id, versioned)
  return versioned
}

/** The versions that a request's If-Match lists, or `any`; null without the header. Throws a 422. */
export function versionsMatched(header: string | undefined): readonly number[] | 'any' | null {
  if (header === undefined) return null
  if (header.trim() === '*') return 'any'
  const versions = header.split(',', MOST).map((one) => /^"?(\d{1,9})"?$/.exec(one.trim())?.[1])
  if (versions.every((one) => one !== undefined)) return versions.map(Number)
  throw invalid(
    NAME,
    `${NAME} takes the lock_version that was read, such as "7". An ETag is a response’s, for If-None-Match`,
    'format',
  )
}

/** The 422 for the header where there is nothing that it could compare. */
export const cannotMatch = (reads: boolean) =>
  invalid(
    NAME,
    reads
      ? `${NAME} is for writes. A read takes If-None-Match with an ETag`
      : `${NAME} can’t be compared here: this call has no record with a lock_version. Leave it out`,
    'unknown_field',
  )
