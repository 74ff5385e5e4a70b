import { readQuery } from '../routing/match.ts'
import { encodeQuery } from '../routing/routes.ts'
import type { Sort } from '../ui/grid/columns.ts'

/** The part of a list that a URL or saved view stores; it excludes the position. */
export interface ListState {
  search: string
  /** Each filter's value. */
  filters: Readonly<Record<string, string>>
  sort: Sort | undefined
  /** Its columns `name:320,client`, if they differ from those the user left. */
  columns?: string
}
/** A list's defaults: the values of its filters, and its order. */
export interface Usual {
  filters: Readonly<Record<string, string>>
  sort?: Sort | undefined
}

/** True if two orders are the same. */
export const sameSort = (a: Sort | undefined, b: Sort | undefined) => a?.column === b?.column && a?.direction === b?.direction

/** Formats a list's state as in its URL: `search=acme&status=active&sort=-pacing`. Defaults are omitted. */
export function writeState({ search, filters, sort, columns }: ListState, usual: Usual): string {
  const parts: [string, string][] = []
  if (search) parts.push(['search', search])
  for (const [name, otherwise] of Object.entries(usual.filters)) {
    const value = filters[name] ?? otherwise
    if (value !== otherwise) parts.push([name, value])
  }
  if (sort && !sameSort(sort, usual.sort)) parts.push(['sort', `${sort.direction === 'desc' ? '-' : ''}${sort.column}`])
  if (columns) parts.push(['columns', columns])
  return parts.map(([key, value]) => `${encodeQuery(key)}=${encodeQuery(value)}`).join('&')
}

/** Parses a list's state from its URL; missing values take their defaults, unknown ones are dropped. */
export function readState(query: Readonly<Record<string, string>>, usual: Usual): ListState {
  return {
    search: query.search ?? '',
    filters: Object.fromEntries(Object.entries(usual.filters).map(([name, otherwise]) => [name, query[name] ?? otherwise])),
    sort: query.sort
      ? { column: query.sort.replace(/^-/, ''), direction: query.sort.startsWith('-') ? 'desc' : 'asc' }
      : usual.sort,
    ...(query.columns ? { columns: query.columns } : {}),
  }
}

/** Normalizes a state as text, such as that of a saved view whose list has changed since. */
export const settle = (text: string, usual: Usual): string => writeState(readState(readQuery(text), usual), usual)

/** Returns the query patch that leads to a state: sets its keys and removes the list's others. */
export function patchTo(text: string, usual: Usual): Record<string, string | null> {
  const values = readQuery(settle(text, usual))
  const keys = ['search', ...Object.keys(usual.filters), 'sort', 'columns']
  return Object.fromEntries([...keys.map((key) => [key, values[key] ?? null]), ['page', null]])
}
