import { useCallback, useMemo } from 'react'
import { listed } from '../../../contract/lists.ts'
import { MESSAGES } from '../../../contract/messages.ts'
import { PAGE } from '../../../contract/vocabulary.ts'
import { api } from '../../data/apiClient.ts'
import { count, longDate, shortDate } from '../../data/format.ts'
import { ListScreen } from '../../list/ListScreen.tsx'
import { source } from '../../list/source.ts'
import { type ListView, useListView } from '../../list/view.ts'
import { href } from '../../routing/routes.ts'
import type { Column } from '../../ui/grid/columns.ts'
import { NameTwice, useSameNames } from './SameName.tsx'
import { type Group, groupSubject, type Team, teamSubject, type User, userSubject } from './subjects.ts'
import { userColumns } from './userColumns.tsx'

const since = <Row extends { created_at: string }>(header: string): Column<Row> => ({
  id: 'created_at',
  header,
  width: 116,
  sortable: true,
  priority: 2,
  render: (row) => (
    <time dateTime={row.created_at} title={longDate(row.created_at)} className="text-muted">
      {shortDate(row.created_at)}
    </time>
  ),
})
const ordered = <C extends string>(view: ListView) => ({
  search: view.search,
  column: (view.sort?.column ?? '') as C | '',
  order: view.sort?.direction ?? ('asc' as const),
})

type SameNames = ReturnType<typeof useSameNames>

const BY_NAME = { column: 'name', direction: 'asc' } as const
const BY_FIRST = { column: 'first_name', direction: 'asc' } as const

const teamColumns = (sameNames: SameNames): readonly Column<Team>[] => [
  {
    id: 'name',
    header: 'Team',
    min: 160,
    flex: 3,
    sortable: true,
    priority: 9,
    render: (row) => (
      <span className="flex min-w-0 items-baseline gap-2.5">
        <span dir="auto" className="min-w-0 truncate font-medium">
          {row.name}
        </span>
        <NameTwice others={sameNames(row.id)} />
      </span>
    ),
  },
  {
    id: 'users_count',
    header: 'Users',
    width: 96,
    align: 'right',
    sortable: true,
    priority: 7,
    render: (row) => count(row.users_count),
  },
  {
    id: 'projects_count',
    header: 'Projects',
    width: 96,
    align: 'right',
    sortable: true,
    priority: 6,
    render: (row) => count(row.projects_count),
  },
  since('Since'),
]

/** The teams of a client. */
export function ClientTeams({ id }: { id: number }) {
  const view = useListView({}, BY_NAME)
  const rows = source({
    call: 'client.teams',
    input: (page, per_page) => ({ id, ...ordered<'name'>(view), page, per_page }),
    rows: (answer) => answer.data,
    count: (answer) => answer.count,
  })
  const sameNames = useSameNames('team')
  const columns = useMemo(() => teamColumns(sameNames), [sameNames])
  const hrefOf = useCallback((row: Team) => href('team', { id: row.id }), [])
  return (
    <ListScreen<Team>
      title="Teams"
      noun="teams"
      embedded
      view={view}
      source={rows}
      pageSize={PAGE.list}
      columns={columns}
      subjectOf={teamSubject}
      hrefOf={hrefOf}
      actions={['list.export']}
      exportable={{ ...listed('team'), filter: { id, ...ordered<'name'>(view) } }}
      empty={{ sentence: 'This client has no team yet. Without one, its users see all of its projects.' }}
    />
  )
}

const groupColumns = (sameNames: SameNames): readonly Column<Group>[] => [
  {
    id: 'name',
    header: 'Target location list',
    min: 180,
    flex: 3,
    sortable: true,
    priority: 9,
    render: (row) => (
      <span className="flex min-w-0 items-baseline gap-2.5">
        <span dir="auto" className="min-w-0 truncate font-medium">
          {row.name}
        </span>
        <NameTwice others={sameNames(row.id)} />
      </span>
    ),
    edit: {
      value: (row) => row.name,
      async save(row, name) {
        if (!name.trim()) throw new Error(MESSAGES.groupName)
        const { data } = await api.write('client.editLocationGroup', {
          location_group_id: row.id,
          client_id: row.client_id,
          name,
          lock_version: row.lock_version,
        })
        return data
      },
    },
  },
  {
    id: 'locations_count',
    header: 'Places',
    width: 96,
    align: 'right',
    sortable: true,
    priority: 7,
    render: (row) => count(row.locations_count),
  },
  since('Made'),
]

/** The target location lists of a client, renamed in place. */
export function ClientGroups({ id }: { id: number }) {
  const view = useListView({}, BY_NAME)
  const rows = source({
    call: 'client.groups',
    input: (page, per_page) => ({ id, ...ordered<'name'>(view), page, per_page }),
    rows: (answer) => answer.data,
    count: (answer) => answer.count,
  })
  const sameNames = useSameNames('location list')
  const columns = useMemo(() => groupColumns(sameNames), [sameNames])
  const hrefOf = useCallback((row: Group) => href('group', { id: row.id }), [])
  return (
    <ListScreen<Group>
      title="Target Location List"
      noun="location lists"
      embedded
      view={view}
      source={rows}
      pageSize={PAGE.list}
      columns={columns}
      subjectOf={groupSubject}
      hrefOf={hrefOf}
      actions={['list.export']}
      exportable={{ ...listed('group'), filter: { id, ...ordered<'name'>(view) } }}
      empty={{ sentence: 'This client has no target location list yet.' }}
    />
  )
}

/** The users of a client, 100 a page, edited in place. */
export function ClientUsers({ id }: { id: number }) {
  const view = useListView({}, BY_FIRST)
  const rows = source({
    call: 'client.users',
    chunk: PAGE.clientUsers,
    input: (page, per_page) => ({ id, ...ordered<'first_name'>(view), page, per_page }),
    rows: (answer) => answer.data,
    count: (answer) => answer.count,
  })
  const columns = useMemo(() => userColumns({}), [])
  return (
    <ListScreen<User>
      title="Users"
      noun="users"
      embedded
      view={view}
      source={rows}
      pageSize={PAGE.clientUsers}
      columns={columns}
      subjectOf={userSubject}
      actions={['list.export', 'client.addUser']}
      exportable={{ ...listed('user'), filter: { ...ordered<'first_name'>(view), client_id: id } }}
      empty={{ sentence: 'Nobody of this client has an account yet.', command: 'user.invite' }}
    />
  )
}
