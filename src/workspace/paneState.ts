import { atom } from 'jotai'
import type { Subject } from '../commands/subject.ts'
import type { FormController, ListController } from '../commands/workspaceApi.ts'
import { tabStore } from '../data/browserStore.ts'
import { store } from '../data/jotaiStore.ts'
import { sessionKeyAtom } from '../data/me.ts'
import type { Match } from '../routing/match.ts'
import { activeIdAtom } from './workspaceState.ts'

/** What a pane has told the workspace about itself. */
export interface PaneState {
  subject: Subject | null
  list: ListController | null
  form: FormController | null
  /** Something typed here is not saved yet. */
  dirty: boolean
  /** Stands in the tab instead of the route's title. */
  title: string | null
}

const NONE: PaneState = { subject: null, list: null, form: null, dirty: false, title: null }

/** Every open pane's facts by its id: the palette's subjects, the tabs' titles, the dirty marks. */
export const paneStateAtom = atom<Readonly<Record<string, PaneState>>>({})

let words: Readonly<Record<string, PaneState>> = {}
/** The same for what shows names and marks: the same object until one of these changes, whatever the cursors of lists do. */
export const wordsAtom = atom((get) => {
  const all = get(paneStateAtom)
  const ids = Object.keys(all)
  const same =
    ids.length === Object.keys(words).length &&
    ids.every((id) => {
      const [now, then] = [all[id]!, words[id]]
      return then && now.subject === then.subject && now.dirty === then.dirty && now.title === then.title
    })
  if (!same) words = all
  return words
})
/** The pane with the focus has a list. */
export const inListAtom = atom((get) => paneStateOf(get(paneStateAtom), get(activeIdAtom)).list !== null)

/** A pane's facts; empty ones for a pane that said nothing. */
export const paneStateOf = (all: Readonly<Record<string, PaneState>>, id: string): PaneState => all[id] ?? NONE

/** Takes what a pane says of itself. */
export function tell(id: string, facts: Partial<PaneState>): void {
  store.set(paneStateAtom, (all) => {
    const old = paneStateOf(all, id)
    const changed = (Object.keys(facts) as (keyof PaneState)[]).some((key) => !Object.is(old[key], facts[key]))
    return changed ? { ...all, [id]: { ...old, ...facts } } : all
  })
  if (facts.subject) store.set(namesAtom, keepName(store.get(namesAtom), facts.subject))
}

const NAMES = 'fieldwork.names'
/** Names of records by kind and id, so that a tab has its title before its pane has loaded. Kept for this browser tab and session, never in an address. */
export const namesAtom = atom<Readonly<Record<string, string>>>(readNames())
// The next person in this tab sees and keeps no name of the last one's records.
store.sub(sessionKeyAtom, () => store.set(namesAtom, readNames()))

/** The name of the record a ref is about, when this tab has seen it. */
export const nameOf = (names: Readonly<Record<string, string>>, found: Match | null): string | null =>
  (found?.row.subject && found.params.id && names[`${found.row.subject}:${found.params.id}`]) || null

function readNames(): Record<string, string> {
  const session = store.get(sessionKeyAtom)
  if (!session) return {}
  const kept = tabStore.get(NAMES) as { session?: unknown; names?: Record<string, string> } | null
  if (kept?.session === session && kept.names) return kept.names
  tabStore.set(NAMES, null)
  return {}
}

function keepName(names: Readonly<Record<string, string>>, { kind, id, name }: Subject): Readonly<Record<string, string>> {
  const key = `${kind}:${id}`
  if (names[key] === name) return names
  const kept = Object.fromEntries([...Object.entries(names).filter(([known]) => known !== key), [key, name]].slice(-200))
  tabStore.set(NAMES, { session: store.get(sessionKeyAtom), names: kept })
  return kept
}

/** Forgets panes that are not open any more. */
export function forgetAllBut(open: ReadonlySet<string>): void {
  store.set(paneStateAtom, (all) => {
    const gone = Object.keys(all).filter((id) => !open.has(id))
    return gone.length ? Object.fromEntries(Object.entries(all).filter(([id]) => open.has(id))) : all
  })
}
