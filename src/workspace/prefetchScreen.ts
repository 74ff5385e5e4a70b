import type { ReadId } from '../../contract/calls.ts'
import { nounOf } from '../../contract/nounOf.ts'
import { store } from '../data/jotaiStore.ts'
import { may } from '../data/permissions.ts'
import { type PrefetchRead, prefetch } from '../data/prefetch.ts'
import { meAtom } from '../data/session.ts'
import { match, refusal } from '../routing/match.ts'

/** What a record's tab reads besides the record, by tab. */
const FIGURES: Readonly<Record<string, ReadId>> = { overview: 'runtime.overview' }

/** Returns what a ref's record screen reads first, as far as this user may read it; nothing for other screens. */
export function readsOf(ref: string): readonly PrefetchRead[] {
  const found = match(ref)
  const me = store.get(meAtom)
  const { subject } = found?.row ?? {}
  if (!found || !me || !subject || refusal(found, me.role)) return []
  const noun = nounOf(subject)
  // Forms and other screens of a record read too much for a prefetch.
  if (noun?.screen !== found.id) return []
  // Both generations of projects are read as a project.
  const read = (noun.of ? nounOf(noun.of)?.reads : noun.reads) as ReadId | undefined
  // Filtered figures are another read, which the row doesn't determine.
  const figures = found.tab && !Object.keys(found.query).length ? FIGURES[found.tab] : undefined
  const input = { id: Number(found.params.id) }
  return [read, figures].flatMap((call) => (call && may(call) ? [[call, input] as const] : []))
}

/** Prefetches what a ref's screen reads first; returns a function that cancels it. */
export const prefetchScreen = (ref: string): (() => void) => prefetch(readsOf(ref))
