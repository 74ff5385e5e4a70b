import { useMemo } from 'react'
import { PROJECT_COLUMNS } from '../../../contract/projectHeadings.ts'
import type { CommandId } from '../../commands/table.ts'
import { may, useMay } from '../../data/permissions.ts'
import { useCall } from '../../data/useCall.ts'
import type { FilterChoice } from '../../list/ListBar.tsx'

/** Bulk commands for selected projects of either generation. */
export const PROJECT_BULK: readonly CommandId[] = [
  'compare.open',
  'project.goLive',
  'project.invitePartners',
  'project.pause',
  'project.editField',
  'project.setOwner',
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
const REQUESTED: FilterChoice = {
  name: 'mine',
  label: 'Requested by',
  options: [
    { value: '', label: 'anybody' },
    { value: '1', label: 'me' },
  ],
}

const OWNED: FilterChoice = {
  name: 'mine',
  label: 'Owner',
  options: [
    { value: '', label: 'any' },
    { value: '1', label: 'me' },
  ],
}
/** Filters by whose requests they are: for administrators those they own, for client users those they made. */
export const useMineFilter = (): FilterChoice => (useMay('project.setOwner') ? OWNED : REQUESTED)

/**
 * Filters by owner, for administrators: their own projects, nobody's or those of one of them.
 * Client users filter by requester.
 */
export function useOwnerFilter(): FilterChoice {
  const filters = useMay('project.setOwner')
  const { data } = useCall('user.list', filters ? { role: 'admin', per_page: 500, column: 'first_name' } : null)
  return useMemo(
    () =>
      filters
        ? {
            name: 'owner',
            label: 'Owner',
            options: [
              { value: '', label: 'any' },
              { value: 'me', label: 'me' },
              { value: 'nobody', label: 'nobody' },
              ...(data?.data ?? []).map((user) => ({
                value: String(user.id),
                label: `${user.first_name} ${user.last_name}`.trim() || user.email,
              })),
            ],
          }
        : REQUESTED,
    [filters, data],
  )
}

/** An owner filter's value as lists take it. */
export const ownerIn = (value: string) =>
  value === '' ? {} : { owner_id: value === 'me' || value === 'nobody' ? value : Number(value) }

/** The columns of project lists that the caller may export. */
export function exportedColumns(): Readonly<Record<string, string>> {
  const { owner: _, ...others } = PROJECT_COLUMNS
  return may('project.setOwner') ? PROJECT_COLUMNS : others
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
