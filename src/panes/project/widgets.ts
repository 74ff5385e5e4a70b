import { useAtomValue } from 'jotai'
import { useMemo } from 'react'
import { store } from '../../data/jotaiStore.ts'
import { preferencesAtom, setPreferences } from '../../data/preferences.ts'
import { workspace } from '../../workspace/currentWorkspace.ts'

/** The Overview's hideable widgets in order; the last three start hidden (projects-area 2). */
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

const hiddenNow = (): readonly string[] => store.get(preferencesAtom).hidden_widgets ?? HIDDEN_AT_FIRST

function toggle(id: WidgetId): void {
  const before = hiddenNow()
  const next = before.includes(id) ? before.filter((one) => one !== id) : [...before, id]
  setPreferences({ hidden_widgets: next }).catch((error: Error) => workspace.notice(error.message, 'bad'))
}

/** The user's widget choice, which applies to every project and column, on every device. */
export function useWidgets(): { shows(id: WidgetId): boolean; toggle(id: WidgetId): void } {
  const { hidden_widgets } = useAtomValue(preferencesAtom)
  return useMemo(() => {
    const hidden: readonly string[] = hidden_widgets ?? HIDDEN_AT_FIRST
    return { shows: (id) => !hidden.includes(id), toggle }
  }, [hidden_widgets])
}
