import { useMemo } from 'react'
import type { CommandId } from '../../commands/table.ts'
import { useMay } from '../../data/permissions.ts'
import { useCall } from '../../data/useCall.ts'
import type { FilterChoice } from '../../list/ListBar.tsx'

/** Bulk commands for selected projects of either generation. */
export const PROJECT_BULK: readonly CommandId[] = [
  'compare.open',
  'project.goLive',
  'project.invitePartners',
  'project.pause',
  'project.setStatus',
]

/** The pacing filter's options, with the bounds of decisions.md 3. */
export const PACINGS = [
  { value: '', label: 'any' },
  { value: 'red', label: 'red, below 30' },
  { value: 'orange', label: 'amber, below 70' },
  { value: 'green', label: 'green, from 70' },
  { value: 'gray', label: 'grey, pending' },
] as const

/** Filters by requester: anybody, or the caller. */
export const REQUESTED: FilterChoice = {
  name: 'mine',
  label: 'Requested by',
  options: [
    { value: '', label: 'anybody' },
    { value: '1', label: 'me' },
  ],
}

/** The client filter, for callers who see several clients; client users only see their own. */
export function useClientFilter(): readonly FilterChoice[] {
  const filters = useMay('client.dropdown')
  const { data } = useCall('client.dropdown', filters ? {} : null)
  return useMemo(
    () =>
      filters
        ? [
            {
              name: 'client',
              label: 'Client',
              options: [
                { value: '', label: 'any' },
                ...(data?.data ?? []).map((one) => ({ value: String(one.id), label: one.name })),
              ],
            },
          ]
        : [],
    [filters, data],
  )
}
