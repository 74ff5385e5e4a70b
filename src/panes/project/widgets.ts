import { useCallback, useState } from 'react'
import { currentMe } from '../../data/session.ts'

/** The widgets of the Overview that can be hidden, in their order; the last three are hidden at first (projects-area 2). */
export const WIDGETS = [
  { id: 'trend', title: 'Delivery trend' },
  { id: 'age', title: 'Age' },
  { id: 'gender', title: 'Gender' },
  { id: 'hhi', title: 'Household income' },
  { id: 'ethnicity', title: 'Ethnicity' },
  { id: 'map', title: 'Where they are' },
  { id: 'funnel', title: 'Performance funnel' },
  { id: 'marital_status', title: 'Marital status' },
  { id: 'children', title: 'Presence of children' },
  { id: 'brand_lift', title: 'Brand lift' },
] as const
export type WidgetId = (typeof WIDGETS)[number]['id']
const HIDDEN_AT_FIRST: readonly WidgetId[] = ['marital_status', 'children', 'brand_lift']
const keptAs = () => `fieldwork.overview.hidden.${currentMe().id}`

function kept(): ReadonlySet<WidgetId> {
  try {
    const list = JSON.parse(localStorage.getItem(keptAs()) ?? 'null') as unknown
    if (Array.isArray(list)) return new Set(list.filter((id): id is WidgetId => WIDGETS.some((widget) => widget.id === id)))
  } catch {
    // What can't be read is as if it had never been set.
  }
  return new Set(HIDDEN_AT_FIRST)
}

/** Which widgets this person hides; remembered in this browser for every project. */
export function useWidgets(): { shows(id: WidgetId): boolean; toggle(id: WidgetId): void } {
  const [hidden, setHidden] = useState(kept)
  const toggle = useCallback((id: WidgetId) => {
    setHidden((before) => {
      const next = new Set(before)
      if (!next.delete(id)) next.add(id)
      try {
        localStorage.setItem(keptAs(), JSON.stringify([...next]))
      } catch {
        // Then it is forgotten with the tab.
      }
      return next
    })
  }, [])
  return { shows: (id) => !hidden.has(id), toggle }
}
