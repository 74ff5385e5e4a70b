import { useMemo } from 'react'
import { listed } from '../../../contract/lists.ts'
import { PAGE, ROLES, type Role } from '../../../contract/vocabulary.ts'
import { ListScreen } from '../../list/ListScreen.tsx'
import { source } from '../../list/source.ts'
import { useListView } from '../../list/view.ts'
import { type User, userSubject } from './subjects.ts'
import { userColumns } from './userColumns.tsx'

const FILTERS = { status: '', role: '' } as const
const STATUSES = [
  { value: '', label: 'any' },
  { value: 'active', label: 'active' },
  { value: 'invited', label: 'invited' },
] as const
const ROLE_CHOICES = [{ value: '', label: 'any' }, ...ROLES.map(({ value, label }) => ({ value, label: label.toLowerCase() }))]
const BY_NAME = { column: 'first_name', direction: 'asc' } as const
type Sorting = 'first_name' | 'last_name' | 'email' | 'role' | 'status' | 'company_name' | 'last_seen_at' | ''

/** Users of a role, or of any: search, sort, edit in place, and everything that can be done to one (people-area 2 and 6). */
export function UserList({ only: role, title, embedded }: { only?: Role; title: string; embedded?: boolean }) {
  const view = useListView(FILTERS, BY_NAME)
  const status = STATUSES.find((one) => one.value === view.filters.status)?.value ?? ''
  const wanted = role ?? ROLES.find((one) => one.value === view.filters.role)?.value
  const filter = {
    search: view.search,
    status,
    ...(wanted ? { role: wanted } : {}),
    column: (view.sort?.column ?? '') as Sorting,
    order: view.sort?.direction ?? ('asc' as const),
  }
  const rows = source({
    call: 'user.list',
    input: (page, per_page) => ({ ...filter, page, per_page }),
    rows: (answer) => answer.data,
    count: (answer) => answer.count,
  })
  const columns = useMemo(() => userColumns({ role: !role, clients: role !== 'admin' }), [role])
  return (
    <ListScreen<User>
      title={title}
      noun="users"
      view={view}
      source={rows}
      pageSize={PAGE.list}
      columns={columns}
      subjectOf={userSubject}
      filters={[
        { name: 'status', label: 'Status', options: STATUSES },
        ...(role ? [] : [{ name: 'role', label: 'Role', options: ROLE_CHOICES }]),
      ]}
      actions={['list.export', 'user.invite']}
      exportable={{ ...listed('user'), filter }}
      empty={{
        sentence: role === 'client' ? 'No client user has been invited yet.' : 'Nobody has been invited yet.',
        command: 'user.invite',
      }}
      embedded={embedded ?? false}
    />
  )
}
