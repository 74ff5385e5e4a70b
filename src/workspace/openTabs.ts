import { stripBidi } from '../../contract/bidi.ts'
import { store } from '../data/jotaiStore.ts'
import { activePane, type Pane, panesOf, placeOf } from '../routing/layout.ts'
import { match } from '../routing/match.ts'
import { paneTitle } from '../routing/tabs.ts'
import { nameOf, namesAtom, paneStateAtom, paneStateOf } from './paneState.ts'
import { recentPanes } from './visitedPanes.ts'
import { layoutAtom } from './workspaceState.ts'

/** Returns the current title of a pane's tab. */
function titleNow(pane: Pane): string {
  const found = match(pane.ref)
  const names = store.get(namesAtom)
  const { subject, title } = paneStateOf(store.get(paneStateAtom), pane.id)
  return stripBidi(title ?? paneTitle(found, subject?.name ?? nameOf(names, found)))
}

/** Returns all open tabs, most recently used first and the current one last, with a detail that tells them apart. */
export function openTabs(): { value: string; label: string; detail: string }[] {
  const layout = store.get(layoutAtom)
  const active = activePane(layout).id
  const order = [...recentPanes(), ...layout.columns.flatMap(({ mru }) => mru)]
  const rank = (id: string) => (id === active ? order.length : order.indexOf(id))
  return panesOf(layout)
    .toSorted((a, b) => rank(a.id) - rank(b.id))
    .map((pane) => {
      const query = Object.entries(match(pane.ref)?.query ?? {}).filter(([name]) => name !== 'page' && name !== 'step')
      const column = placeOf(layout, pane.id)!.column + 1
      const detail = [
        pane.id === active ? 'here' : '',
        ...query.map(([name, value]) => `${name} ${value}`),
        layout.columns.length > 1 ? `column ${column}` : '',
      ]
      return { value: pane.id, label: titleNow(pane), detail: stripBidi(detail.filter(Boolean).join(' · ')) }
    })
}
