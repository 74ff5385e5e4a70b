import { useMemo } from 'react'
import { ROLES, type Role } from '../../../contract/vocabulary.ts'
import type { CommandId } from '../../commands/table.ts'
import { ListScreen } from '../../list/ListScreen.tsx'
import { useNounList } from '../../list/useNounList.ts'
import { type User, userSubject } from './subjects.ts'
import { BY_FIRST, userColumns } from './userColumns.tsx'

const FILTERS = { status: '', role: '' } as const
const STATUSES = [
  { value: '', label: 'any' },
  { value: 'active', label: 'active' },
  { value: 'invited', label: 'invited' },
] as const
const ROLE_CHOICES = [{ value: '', label: 'any' }, ...ROLES.map(({ value, label }) => ({ value, label: label.toLowerCase() }))]

const BULK: readonly CommandId[] = [
  'user.addToClients',
  'user.services',
  'client.removeUser',
  'user.resendActivation',
  'user.remove',
]

/** Users of one role or all: search, sort, inline edit and every action (people-area 2 and 6). */
export function UserList({ only: role, title, embedded }: { only?: Role; title: string; embedded?: boolean }) {
  const list = useNounList('user', {
    filters: FILTERS,
    sort: BY_FIRST,
    where(filters) {
      const status = STATUSES.find((one) => one.value === filters.status)?.value ?? ''
      const wanted = role ?? ROLES.find((one) => one.value === filters.role)?.value
      return { status, ...(wanted ? { role: wanted } : {}) }
    },
  })
  const columns = useMemo(() => userColumns({ role: !role, clients: role !== 'admin' }), [role])
  return (
    <ListScreen<User>
      {...list}
      title={title}
      columns={columns}
      subjectOf={userSubject}
      filters={[
        { name: 'status', label: 'Status', options: STATUSES },
        ...(role ? [] : [{ name: 'role', label: 'Role', options: ROLE_CHOICES }]),
      ]}
      actions={['list.export', 'user.invite']}
      {...(role === 'admin' ? {} : { bulk: BULK })}
      empty={{
        sentence: role === 'client' ? 'No client users invited yet.' : 'Nobody has been invited yet.',
        command: 'user.invite',
      }}
      embedded={embedded ?? false}
    />
  )
}
