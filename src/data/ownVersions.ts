import type { CallId } from '../../contract/calls.ts'
import { nounOf } from '../../contract/nounOf.ts'

/** The version that an own write made of a record, by what it was made from, and the attempt that made it. */
const made = new Map<string, { version: number; attempt: string | undefined }>()
const MOST = 500

type Versioned = { id: unknown; lock_version: number }
const isVersioned = (value: unknown): value is Versioned =>
  typeof value === 'object' && value !== null && 'id' in value && typeof (value as Versioned).lock_version === 'number'
/** A noun's records are those of the one that it belongs to: a campaign is a project. */
const keyOf = (noun: string, id: unknown, version: number): string => `${nounOf(noun)?.of ?? noun}/${id}=${version}`

/** Notes the versions that a write raised, as its response names them: `project/12=3-4,client/5=1-2`. */
export function noteOwnVersions(header: string | null, attempt?: string): void {
  for (const part of header?.split(',') ?? []) {
    const [, noun, id, from, to] = /^(\w{1,40})\/(\d{1,15})=(\d{1,9})-(\d{1,9})$/.exec(part) ?? []
    if (!noun) continue
    made.set(keyOf(noun, id, Number(from)), { version: Number(to), attempt })
    if (made.size > MOST) made.delete(made.keys().next().value!)
  }
}

/** The newest version that this page made of a record at a version; that version if it made none. */
function newestOf(noun: string, id: unknown, version: number, attempt?: string): number {
  let newest = version
  for (let next = made.get(keyOf(noun, id, newest)); next; next = made.get(keyOf(noun, id, newest))) {
    if (attempt !== undefined && next.attempt === attempt) return version
    newest = next.version
  }
  return newest
}

/** True if every change of a record from one version to another was made by this page. */
export function isOwnChange(noun: string, id: unknown, from: number, to: number): boolean {
  let version: number | undefined = from
  while (version !== undefined && version < to) version = made.get(keyOf(noun, id, version))?.version
  return version === to
}

/**
 * Replaces the versions that a write has seen, its record's and those of records in it, by those this page made since.
 * A key right after a write would otherwise conflict with that write, which the page hasn't read back yet.
 * The same attempt keeps its version, so that it is answered and not done again.
 */
export function withOwnVersion<T>(call: CallId, input: T, attempt: string | undefined): T {
  if (typeof input !== 'object' || input === null) return input
  const newer = Object.entries(input).flatMap(([name, value]): [string, unknown][] => {
    const lock_version = isVersioned(value) ? newestOf(name, value.id, value.lock_version, attempt) : undefined
    return lock_version === undefined || lock_version === value.lock_version ? [] : [[name, { ...value, lock_version }]]
  })
  const noun = call.split('.')[0]!
  const { id, [`${noun}_id`]: named = id, lock_version: seen } = input as Record<string, unknown>
  if (typeof seen === 'number') {
    const lock_version = newestOf(noun, named, seen, attempt)
    if (lock_version !== seen) newer.push(['lock_version', lock_version])
  }
  return newer.length ? { ...input, ...Object.fromEntries(newer) } : input
}
