import { calls } from 'virtual:calls'
import type { CallId } from '../../contract/calls.ts'
import { nounOf } from '../../contract/nounOf.ts'

const partsOf = (id: CallId) => id.split('.') as [prefix: string, verb: string]
/** The nouns that calls of a prefix read and write: its own, the one it is a spelling or part of, and its `also`. */
const own = (prefix: string): readonly string[] => {
  const { of, also = [] } = nounOf(prefix) ?? {}
  return [prefix, ...(of ? [of] : []), ...also]
}
const cached = new Map<CallId, ReadonlySet<string>>()

/** The nouns a read shows; changing one of them makes its response stale. */
export function nounsOf(id: CallId): ReadonlySet<string> {
  const known = cached.get(id)
  if (known) return known
  const [prefix, verb] = partsOf(id)
  const { shows = [], showsIn = {} } = nounOf(prefix) ?? {}
  const nouns = new Set([...own(prefix), ...shows, ...(showsIn[verb] ?? [])])
  cached.set(id, nouns)
  return nouns
}

/** The nouns a write makes stale: its own, and those of its row; none for one that keeps nothing. */
export const refreshedBy = (id: CallId): ReadonlySet<string> => {
  const more = calls[id]![2]
  return new Set(more && [...own(partsOf(id)[0]), ...more])
}
