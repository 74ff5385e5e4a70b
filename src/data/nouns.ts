import { calls } from 'virtual:calls'
import type { CallId } from '../../contract/calls.ts'
import { nounOf } from '../../contract/nounOf.ts'

const partsOf = (id: CallId) => id.split('.') as [prefix: string, verb: string]
/** The nouns that calls of a prefix read and write: itself, what it is another spelling or a part of, and what it says besides. */
const own = (prefix: string): readonly string[] => {
  const { of, also = [] } = nounOf(prefix) ?? {}
  return [prefix, ...(of ? [of] : []), ...also]
}
const cached = new Map<CallId, ReadonlySet<string>>()

/** The nouns that a read shows: a change of one of them makes its answer stale. */
export function nounsOf(id: CallId): ReadonlySet<string> {
  const known = cached.get(id)
  if (known) return known
  const [prefix, verb] = partsOf(id)
  const { shows = [], showsIn = {} } = nounOf(prefix) ?? {}
  const nouns = new Set([...own(prefix), ...shows, ...(showsIn[verb] ?? [])])
  cached.set(id, nouns)
  return nouns
}

/** What a write makes stale: its own nouns and those its row names. It was made: its row is there. */
export const refreshedBy = (id: CallId): ReadonlySet<string> => new Set([...own(partsOf(id)[0]), ...calls[id]![2]])
