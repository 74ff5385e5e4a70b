import { readQuery } from '../routing/match.ts'
import { encodeQuery } from '../routing/routes.ts'
import type { Sort } from '../ui/grid/columns.ts'

/** What a list shows: everything of it that a link or a saved view keeps, but not the place in it. */
export interface ListState {
  search: string
  /** Each filter's value. */
  filters: Readonly<Record<string, string>>
  sort: Sort | undefined
}
/** How a list begins: its filters with their usual values, and its usual order. */
export interface Usual {
  filters: Readonly<Record<string, string>>
  sort?: Sort | undefined
}

const sameSort = (a: Sort | undefined, b: Sort | undefined) => a?.column === b?.column && a?.direction === b?.direction

/** A list's state as its link says it, in one spelling: `search=acme&status=active&sort=-pacing`. What is as usual is not said. */
export function writeState({ search, filters, sort }: ListState, usual: Usual): string {
  const parts: [string, string][] = []
  if (search) parts.push(['search', search])
  for (const [name, otherwise] of Object.entries(usual.filters)) {
    const value = filters[name] ?? otherwise
    if (value !== otherwise) parts.push([name, value])
  }
  if (sort && !sameSort(sort, usual.sort)) parts.push(['sort', `${sort.direction === 'desc' ? '-' : ''}${sort.column}`])
  return parts.map(([key, value]) => `${encodeQuery(key)}=${encodeQuery(value)}`).join('&')
}

/** A list's state out of the values of its link; what they do not say is as usual, what the list does not have is left out. */
export function readState(query: Readonly<Record<string, string>>, usual: Usual): ListState {
  return {
    search: query.search ?? '',
    filters: Object.fromEntries(Object.entries(usual.filters).map(([name, otherwise]) => [name, query[name] ?? otherwise])),
    sort: query.sort
      ? { column: query.sort.replace(/^-/, ''), direction: query.sort.startsWith('-') ? 'desc' : 'asc' }
      : usual.sort,
  }
}

/** The same of a query as text; a saved view's, say, whose list has changed since. */
export const settle = (text: string, usual: Usual): string => writeState(readState(readQuery(text), usual), usual)

/** What takes a pane's query to a state: every key of the list's, those that it does not say taken out. */
export function patchTo(text: string, usual: Usual): Record<string, string | null> {
  const said = readQuery(settle(text, usual))
  const keys = ['search', ...Object.keys(usual.filters), 'sort']
  return Object.fromEntries([...keys.map((key) => [key, said[key] ?? null]), ['page', null]])
}
