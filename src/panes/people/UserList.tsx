import { useMemo } from 'react'
import { ROLES, type Role } from '../../../contract/vocabulary.ts'
import type { CommandId } from '../../commands/table.ts'
import { ListScreen } from '../../list/ListScreen.tsx'
import { useNounList } from '../../list/useNounList.ts'
import { type User, userSubject } from './peopleSubjects.ts'
import { BY_FIRST, userColumns } from './userColumns.tsx'

const FILTERS = { status: '', role: '' } as const
const STATUSES = [
  { value: '', label: 'any' },
  { value: 'active', label: 'active' },
  { value: 'invited', label: 'invited' },
] as const
const ROLE_CHOICES = [{ value: '', label: 'any' }, ...ROLES.map(({ value, label }) => ({ value, label: label.toLowerCase() }))]

/** Returns a filter's value if it is a known choice. */
const oneOf = <V extends string>(choices: readonly { readonly value: V }[], text: string | undefined): V | undefined =>
  choices.find(({ value }) => value === text)?.value

const BULK: readonly CommandId[] = [
  'user.addToClients',
  'user.services',
  'client.removeUser',
  'user.resendActivation',
  'user.editField',
  'user.remove',
]

/** How a list of one role differs from the list of all users. */
interface OfRole {
  role: Role
  /** Client users: shows the clients column and enables bulk changes. */
  clients: boolean
  empty: string
}
/** The lists by role. */
export const OF_ROLE = {
  admin: { role: 'admin', clients: false, empty: 'Nobody has been invited yet.' },
  client: { role: 'client', clients: true, empty: 'No client users invited yet.' },
} as const satisfies Record<Role, OfRole>

/** Lists users of one role or all: search, sort, inline edit and every action (people-area 2 and 6). */
export function UserList({ only, title, embedded }: { only?: OfRole; title: string; embedded?: boolean }) {
  const { role, clients, empty } = only ?? { role: undefined, clients: true, empty: OF_ROLE.admin.empty }
  const list = useNounList('user', {
    filters: FILTERS,
    sort: BY_FIRST,
    where(filters) {
      const status = oneOf(STATUSES, filters.status) ?? ''
      const wanted = role ?? oneOf(ROLES, filters.role)
      return { status, ...(wanted ? { role: wanted } : {}) }
    },
  })
  const columns = useMemo(() => userColumns({ role: !role, clients }), [role, clients])
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
      bulk={clients ? BULK : undefined}
      empty={{ sentence: empty, command: 'user.invite' }}
      embedded={embedded ?? false}
    />
  )
}
