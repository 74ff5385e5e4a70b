import { useAtomValue } from 'jotai'
import { stripBidi } from '../../contract/bidi.ts'
import type { Pane } from '../routing/layout.ts'
import { match } from '../routing/match.ts'
import { titleParts } from '../routing/tabs.ts'
import { nameOf, namesAtom, paneStateOf, wordsAtom } from '../workspace/paneState.ts'

/** Returns a function for the titles of panes' tabs. */
export function usePaneTitles(): (pane: Pane) => string {
  const partsOf = useTitleParts()
  return (pane) => {
    const [name, part] = partsOf(pane)
    // A name's marks of direction would turn the part after it.
    return part ? `${stripBidi(name)} · ${part}` : name
  }
}

/** Returns a function for the parts of these titles: the record, and which of its screens. */
export function useTitleParts(): (pane: Pane) => [name: string, part?: string] {
  const facts = useAtomValue(wordsAtom)
  const names = useAtomValue(namesAtom)
  return (pane) => {
    const found = match(pane.ref)
    const { subject, title } = paneStateOf(facts, pane.id)
    return title === null || title === undefined ? titleParts(found, subject?.name ?? nameOf(names, found)) : [title]
  }
}
