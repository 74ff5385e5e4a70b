import type { CallId } from '../../contract/calls.ts'

/** The version that an own write made of a record, by what it was made from, and the attempt that made it. */
const made = new Map<string, { version: number; attempt: string | undefined }>()
const MOST = 500

type Versioned = { id: unknown; lock_version: number }
const isVersioned = (value: unknown): value is Versioned =>
  typeof value === 'object' && value !== null && 'id' in value && typeof (value as Versioned).lock_version === 'number'
const keyOf = (call: CallId, { id, lock_version }: Versioned): string => `${call.split('.')[0]} ${id} ${lock_version}`

/** Notes the version that a write made of the record it named, if nobody else changed it in between. */
export function noteOwnVersion(call: CallId, input: unknown, answer: unknown, attempt: string | undefined): void {
  const record = (answer as { data?: unknown } | null)?.data
  if (!isVersioned(input) || !isVersioned(record) || record.id !== input.id || record.lock_version !== input.lock_version + 1)
    return
  made.set(keyOf(call, input), { version: record.lock_version, attempt })
  if (made.size > MOST) made.delete(made.keys().next().value!)
}

/**
 * Replaces the version that a write has seen by the one that this page has made of it since.
 * A key right after a write would otherwise conflict with that write, which the page hasn't read back yet.
 * The same attempt keeps its version, so that it is answered and not done again.
 */
export function withOwnVersion<T>(call: CallId, input: T, attempt: string | undefined): T {
  if (!isVersioned(input)) return input
  let { lock_version } = input
  for (let next = made.get(keyOf(call, input)); next; next = made.get(keyOf(call, { ...input, lock_version }))) {
    if (attempt !== undefined && next.attempt === attempt) return input
    lock_version = next.version
  }
  return lock_version === input.lock_version ? input : { ...input, lock_version }
}
