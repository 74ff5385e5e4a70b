import { useDeferredValue, useEffect, useMemo, useState } from 'react'
import { count } from '../../../contract/format.ts'
import { useCall } from '../../data/useCall.ts'
import type { PickOption } from '../shared/recordPicking.ts'
import { lineOf } from './locationSubject.ts'
import type { SearchResults } from './SearchPicker.tsx'

/** The number of rows in a picker. */
const ROWS = 50

/** A picker's search as its props. */
export interface PickerSearch {
  found: SearchResults
  search: string
  onSearch(text: string): void
}

const locations = (many: number) => `${count(many)} ${many === 1 ? 'location' : 'locations'}`

/** Searches locations; members of the group can't be selected again. */
export function usePlaceSearch(group: number | null): PickerSearch {
  const [search, onSearch] = useState('')
  const { data } = useCall('location.list', { search: useDeferredValue(search.trim()), per_page: ROWS })
  const found = useMemo<SearchResults>(
    () => ({
      rows: data?.data.map((one) => ({
        id: one.id,
        name: one.name,
        detail: lineOf(one),
        ...(one.groups.some(({ id }) => id === group) ? { off: 'already in the group' } : {}),
      })),
      count: data?.count ?? 0,
    }),
    [data, group],
  )
  return { found, search, onSearch }
}

/** Searches location groups of all clients. */
export function useGroupSearch(): PickerSearch {
  const [search, onSearch] = useState('')
  const { data } = useCall('group.list', { search: useDeferredValue(search.trim()), per_page: ROWS })
  const found = useMemo<SearchResults>(
    () => ({
      rows: data?.data.map((one) => ({
        id: one.id,
        name: one.name,
        detail: one.client_name,
        note: locations(one.locations_count),
      })),
      count: data?.count ?? 0,
    }),
    [data],
  )
  return { found, search, onSearch }
}

/** Searches groups of an activity's client that aren't linked to it yet. */
export function useUnlinkedGroupSearch(activity: number): PickerSearch {
  const [search, onSearch] = useState('')
  const { data } = useCall('activity.availableGroups', { id: activity, search: useDeferredValue(search.trim()) })
  const found = useMemo<SearchResults>(
    () => ({
      rows: data?.data.map((one) => ({
        id: one.id,
        name: one.name,
        detail: locations(one.locations_count),
        note: one.activities_count ? `used by ${count(one.activities_count)}` : 'not used yet',
      })),
      count: data?.count ?? 0,
    }),
    [data],
  )
  return { found, search, onSearch }
}

/** Chosen records with their names: those that were picked here, and read ones of a link or draft. */
export function usePicked(noun: 'group' | 'location', ids: readonly number[]) {
  const [names, setNames] = useState<Readonly<Record<number, string>>>({})
  const noteNames = (picked: readonly PickOption[]) =>
    setNames((known) => ({ ...known, ...Object.fromEntries(picked.map(({ id, name }) => [id, name])) }))
  const unknown = ids.find((id) => names[id] === undefined)
  const read = useCall(`${noun}.get`, unknown === undefined ? null : { id: unknown })
  const found = read.data?.data
  useEffect(() => {
    if (found) setNames((known) => ({ ...known, [found.id]: found.name }))
  }, [found])
  const what = noun === 'group' ? 'Group' : 'Location'
  return [ids.map((id): PickOption => ({ id, name: names[id] ?? `${what} ${id}` })), noteNames] as const
}
