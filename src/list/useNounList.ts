import type { CallId, Input, ReadId } from '../../contract/calls.ts'
import type { ListRow } from '../../contract/column.ts'
import { lists } from '../../contract/listRows.ts'
import { type ListNoun, listed, type SortOf } from '../../contract/lists.ts'
import { wordOf } from '../../contract/nounOf.ts'
import { PAGE } from '../../contract/pages.ts'
import type { Sort } from '../ui/grid/columns.ts'
import { type Discreet, type ListView, useListView } from './listView.ts'
import type { ListCall, RowOf } from './nounColumns.tsx'
import { type RowSource, rowSource } from './rowSource.ts'

interface NounListOptions<Id extends CallId, F> extends Discreet {
  /** Filters kept in the URL, with their defaults. */
  filters?: F
  /** The screen's default order, if it differs from the list's. */
  sort?: Sort
  /** Further input for its call, derived from the filter values. */
  where?(filters: Readonly<Record<keyof F, string>>): Partial<Input<Id>>
  /** Another call for the same rows with its input, such as for those of one record. */
  read?: { call: ReadId; where: object }
  /** Rows per page, and per request in long lists. */
  pageSize?: number
  chunk?: number
}

/** Returns a list's default order for its screen; none if it is by id or descending. */
const usualSort = (usual: string): Sort | undefined => (usual.startsWith('-') ? undefined : { column: usual, direction: 'asc' })

/**
 * Returns a noun's list for ListScreen: state, source, names, export and selection, all from the nouns table.
 * A pane adds its filters.
 */
export function useNounList<N extends ListNoun, F extends Readonly<Record<string, string>> = Record<never, string>>(
  noun: N,
  { filters, sort, where, read, pageSize = PAGE.list, chunk, discreet = false }: NounListOptions<ListCall<N>, F> = {},
): {
  noun: string
  view: ListView & { filters: Readonly<Record<keyof F, string>> }
  source: RowSource<RowOf<N>>
  pageSize: number
  exportable?: ReturnType<typeof listed<N>> & { filter: Record<string, unknown> }
} {
  const { call, usual, exports }: ListRow = lists[noun]
  const view = useListView(filters ?? ({} as F), sort ?? usualSort(usual), { discreet })
  const order = {
    search: view.search,
    column: (view.sort?.column ?? '') as SortOf<N> | '',
    order: view.sort?.direction ?? ('asc' as const),
  }
  const filter: Record<string, unknown> = { ...order, ...where?.(view.filters) }
  const input: object = read ? { ...order, ...read.where } : filter
  const rows = rowSource({
    call: (read?.call ?? call) as 'client.list',
    input: (page, per_page) => ({ ...(input as object), page, per_page }),
    rows: (answer) => answer.data,
    count: (answer) => answer.count,
    ...(chunk ? { chunk } : {}),
  })
  return {
    noun: wordOf(noun, true),
    view,
    source: rows as unknown as RowSource<never>,
    pageSize,
    ...(exports ? { exportable: { ...listed(noun), filter } } : {}),
  }
}
