import { calls } from 'virtual:calls'
import type { CallId } from '../../contract/calls.ts'
import { nounOf } from '../../contract/nounOf.ts'

const partsOf = (id: CallId) => id.split('.') as [prefix: string, verb: string]
/** Returns the nouns that calls with a prefix read and write: its own, the one it belongs to, and its `also`. */
const own = (prefix: string): readonly string[] => {
  const { of, also = [] } = nounOf(prefix) ?? {}
  return [prefix, ...(of ? [of] : []), ...also]
}
const cached = new Map<CallId, ReadonlySet<string>>()

/** Returns the nouns that a read shows; a change to any of them makes its response stale. */
export function nounsOf(id: CallId): ReadonlySet<string> {
  const known = cached.get(id)
  if (known) return known
  const [prefix, verb] = partsOf(id)
  const { shows = [], showsIn = {} } = nounOf(prefix) ?? {}
  const nouns = new Set([...own(prefix), ...shows, ...(showsIn[verb] ?? [])])
  cached.set(id, nouns)
  return nouns
}

/** True if a change to these nouns (null: to all) makes a read's response stale. */
export const isStale = (id: CallId, nouns: ReadonlySet<string> | null): boolean =>
  !nouns || [...nounsOf(id)].some((noun) => nouns.has(noun))

/** Returns the nouns that a write makes stale: its own and those in its row; none for one that stores nothing. */
export const refreshedBy = (id: CallId): ReadonlySet<string> => {
  const more = calls[id]![2]
  return new Set(more && [...own(partsOf(id)[0]), ...more])
}
