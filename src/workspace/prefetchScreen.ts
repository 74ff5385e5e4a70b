import type { Input, ReadId } from '../../contract/calls.ts'
import { nounOf } from '../../contract/nounOf.ts'
import { PAGE } from '../../contract/pages.ts'
import { connectionAtom } from '../data/connection.ts'
import { store } from '../data/jotaiStore.ts'
import { may } from '../data/permissions.ts'
import { type PrefetchRead, prefetch, prefetchNeeded } from '../data/prefetch.ts'
import { meAtom } from '../data/session.ts'
import { type Match, match, refusal } from '../routing/match.ts'

/** What a record's tab reads besides the record, by tab. */
const FIGURES: Readonly<Record<string, ReadId>> = { overview: 'runtime.overview' }

/** The usual order of a project's reward catalogue. */
export const CATALOGUE_SORT = { column: 'amount_cents', direction: 'asc' } as const
/** The input of the first rows of the reward catalogue in its usual order. */
const CATALOGUE: Omit<Input<'reward.ofProject'>, 'id'> = {
  flag: '',
  used: '',
  search: '',
  column: CATALOGUE_SORT.column,
  order: CATALOGUE_SORT.direction,
  page: 1,
  per_page: PAGE.rewards,
}
/** The first rows of a record's tab that is a list, by tab; `component/ahead` fails if its list asks for others. */
const ROWS: Readonly<Record<string, readonly [ReadId, object]>> = { catalogue: ['reward.ofProject', CATALOGUE] }

/** Returns the read of the first rows of a record's tab, for a link to the tab or one of its rows. */
function rowsOf({ tab, query, params }: Match): readonly PrefetchRead[] {
  // Anything else in the query filters or sorts, or edits a row of a catalogue that is open already.
  const rows = tab && Object.keys(query).every((name) => name === 'at') ? ROWS[tab] : undefined
  // Without live events, the list would read again what came before it.
  if (!rows || !may(rows[0]) || store.get(connectionAtom) !== 'live') return []
  return [[rows[0], { ...rows[1], id: Number(params.id) }]]
}

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
  const ofRecord = [read, figures].flatMap((call) => (call && may(call) ? [[call, input] as const] : []))
  return [...ofRecord, ...rowsOf(found)]
}

/** Prefetches what a ref's screen reads first; returns a function that cancels it. */
export const prefetchScreen = (ref: string): (() => void) => prefetch(readsOf(ref))

/** Prefetches the first rows of an open tab whose record still loads; returns a function that cancels it. */
export const prefetchOpenRows = (found: Match): (() => void) => prefetchNeeded(rowsOf(found))
