import { atom } from 'jotai'
import type { Subject } from '../commands/command.ts'
import { store } from '../data/store.ts'
import type { ListDesk } from './desk.ts'

/** What a pane has told the workspace about itself. */
export interface PaneFacts {
  subject: Subject | null
  list: ListDesk | null
  /** Something typed here is not saved yet. */
  dirty: boolean
  /** Stands in the tab instead of the route's title. */
  title: string | null
}

const NONE: PaneFacts = { subject: null, list: null, dirty: false, title: null }

/** Every open pane's facts by its id: the palette's subjects, the tabs' titles, the dirty marks. */
export const factsAtom = atom<Readonly<Record<string, PaneFacts>>>({})

/** A pane's facts; empty ones for a pane that said nothing. */
export const factsOf = (all: Readonly<Record<string, PaneFacts>>, id: string): PaneFacts => all[id] ?? NONE

/** Takes what a pane says of itself. */
export function tell(id: string, facts: Partial<PaneFacts>): void {
  store.set(factsAtom, (all) => {
    const old = factsOf(all, id)
    const changed = (Object.keys(facts) as (keyof PaneFacts)[]).some((key) => !Object.is(old[key], facts[key]))
    return changed ? { ...all, [id]: { ...old, ...facts } } : all
  })
}

/** Forgets panes that are not open any more. */
export function forgetAllBut(open: ReadonlySet<string>): void {
  store.set(factsAtom, (all) => {
    const gone = Object.keys(all).filter((id) => !open.has(id))
    return gone.length ? Object.fromEntries(Object.entries(all).filter(([id]) => open.has(id))) : all
  })
}
