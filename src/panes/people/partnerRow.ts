import { api } from '../../data/apiClient.ts'
import { keyOfState } from '../../list/listView.ts'
import { keepPlace } from '../../list/scrollRestore.ts'
import { href } from '../../routing/routes.ts'

/** The initial state of the partner list: unfiltered, by name. */
const PARTNER_STATE = {
  search: '',
  filters: { filter: '' },
  sort: { column: 'name', direction: 'asc' },
} as const

/** Finds a partner's row; returns a function that opens the list in a pane with the cursor on it. */
export async function partnerPlace(id: number): Promise<(pane: string) => string> {
  const { column, direction } = PARTNER_STATE.sort
  const at = await api
    .read('partner.list', { column, order: direction, per_page: 500 })
    .then(({ data }) => data.findIndex((one) => one.id === id))
    // On failure the list opens at the top.
    .catch(() => 0)
  return (pane) => {
    const path = href('partners')
    keepPlace(`${pane} ${path}`, { key: keyOfState(PARTNER_STATE), id, at: Math.max(0, at), top: 0 })
    return path
  }
}
