import { useAtomValue } from 'jotai'
import { factsOf, nameOf, namesAtom, wordsAtom } from './facts.ts'
import type { Pane } from './layout.ts'
import { match } from './match.ts'
import { paneTitle } from './tabs.ts'

/** The words of a pane's tab. */
export function usePaneTitles(): (pane: Pane) => string {
  const facts = useAtomValue(wordsAtom)
  const names = useAtomValue(namesAtom)
  return (pane) => {
    const found = match(pane.ref)
    const { subject, title } = factsOf(facts, pane.id)
    return title ?? paneTitle(found, subject?.name ?? nameOf(names, found))
  }
}
