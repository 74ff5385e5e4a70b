import { atom } from 'jotai'
import type { Subject } from '../commands/subject.ts'
import type { FormController, ListController } from '../commands/workspaceApi.ts'
import { tabStore } from '../data/browserStore.ts'
import { store } from '../data/jotaiStore.ts'
import { sessionKeyAtom } from '../data/me.ts'
import type { Match } from '../routing/match.ts'

/** What a pane has published about itself. */
export interface PaneState {
  subject: Subject | null
  list: ListController | null
  form: FormController | null
  /** Unsaved changes. */
  dirty: boolean
  /** The tab's title, instead of the route's. */
  title: string | null
  /** A record that the pane says was deleted, beside its own; its restore acts on it. */
  deleted?: Subject | null
}

const NONE: PaneState = { subject: null, list: null, form: null, dirty: false, title: null }

/** Every open pane's state by id, for the palette's subjects, tab titles and dirty marks. */
export const paneStateAtom = atom<Readonly<Record<string, PaneState>>>({})

let words: Readonly<Record<string, PaneState>> = {}
/** Titles and marks of all panes; the same object until one changes, however list cursors move. */
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
/** A pane's state; empty if it has published nothing. */
export const paneStateOf = (all: Readonly<Record<string, PaneState>>, id: string): PaneState => all[id] ?? NONE

/** Merges a pane's published state. */
export function setPaneState(id: string, facts: Partial<PaneState>): void {
  store.set(paneStateAtom, (all) => {
    const old = paneStateOf(all, id)
    const changed = (Object.keys(facts) as (keyof PaneState)[]).some((key) => !Object.is(old[key], facts[key]))
    return changed ? { ...all, [id]: { ...old, ...facts } } : all
  })
  if (facts.subject) noteName(facts.subject)
}

interface Named {
  kind: string
  id: number | string
  name: string
}

/** Stores a record's name, for its tab's title before the pane has read it. */
export function noteName(record: Named): void {
  store.set(namesAtom, keepName(store.get(namesAtom), record))
}

const NAMES = 'fieldwork.names'
/** Record names by kind and id, for tab titles before panes load. Stored for this tab and session, never in URLs. */
export const namesAtom = atom<Readonly<Record<string, string>>>(readNames())
// The next user in this tab must not see the previous one's record names.
store.sub(sessionKeyAtom, () => store.set(namesAtom, readNames()))

/** Returns the name of a ref's record, if this tab has seen it. */
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

function keepName(names: Readonly<Record<string, string>>, { kind, id, name }: Named): Readonly<Record<string, string>> {
  const key = `${kind}:${id}`
  if (names[key] === name) return names
  const kept = Object.fromEntries([...Object.entries(names).filter(([known]) => known !== key), [key, name]].slice(-200))
  tabStore.set(NAMES, { session: store.get(sessionKeyAtom), names: kept })
  return kept
}

/** Drops the state of closed panes. */
export function forgetAllBut(open: ReadonlySet<string>): void {
  store.set(paneStateAtom, (all) => {
    const gone = Object.keys(all).filter((id) => !open.has(id))
    return gone.length ? Object.fromEntries(Object.entries(all).filter(([id]) => open.has(id))) : all
  })
}
