import { useEffect } from 'react'
import { usePane } from '../workspace/pane.tsx'
import type { FilterChoice } from './ListBar.tsx'
import type { ListView } from './listView.ts'

const narrowedBy = ({ filters }: ListView, choices: readonly FilterChoice[] = []) =>
  choices.flatMap(({ name, options }) => options.slice(1).find(({ value }) => value === filters[name])?.label ?? []).join(', ')

/** Titles the tab after a list and its saved view or filters, which tell two tabs of one list apart. */
export function useListTitle(
  {
    view,
    title,
    filters,
    embedded = false,
  }: { view: ListView; title: string; filters?: readonly FilterChoice[]; embedded?: boolean },
  savedView: string | undefined,
): void {
  const { setTitle } = usePane()
  const narrowed = savedView ?? narrowedBy(view, filters)
  useEffect(() => {
    if (!embedded) setTitle(narrowed ? `${title}: ${narrowed}` : null)
  }, [embedded, title, narrowed, setTitle])
}
