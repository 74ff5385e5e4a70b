import { useCallback, useMemo } from 'react'
import { MESSAGES } from '../../../contract/messages.ts'
import { PAGE } from '../../../contract/pages.ts'
import { api } from '../../data/apiClient.ts'
import { ListScreen } from '../../list/ListScreen.tsx'
import { columnsOf, Name } from '../../list/nounColumns.tsx'
import { useNounList } from '../../list/useNounList.ts'
import { href } from '../../routing/routes.ts'
import { groupColumns } from '../shared/groupColumns.tsx'
import { NamedFigure } from '../shared/NamedFigure.tsx'
import { type Group, groupSubject, type Team, teamSubject, type User, userSubject } from './peopleSubjects.ts'
import { NameTwice, useSameNames } from './SameName.tsx'
import { BY_FIRST, userColumns } from './userColumns.tsx'

type SameNames = ReturnType<typeof useSameNames>

const teamColumns = (sameNames: SameNames) =>
  columnsOf('team', {
    name: {
      min: 160,
      flex: 3,
      priority: 9,
      render: (row) => <Name aside={<NameTwice others={sameNames(row.id)} />}>{row.name}</Name>,
      edit: {
        value: (row) => row.name,
        async save(row, name) {
          if (!name.trim()) throw new Error(MESSAGES.teamName)
          return (await api.write('team.edit', { id: row.id, name, lock_version: row.lock_version })).data
        },
      },
    },
    users_count: {
      width: 96,
      priority: 7,
      narrow: 'meta',
      render: (row) => <NamedFigure value={row.users_count} one="user" many="users" />,
    },
    projects_count: {
      width: 96,
      priority: 6,
      narrow: 'meta',
      render: (row) => <NamedFigure value={row.projects_count} one="project" many="projects" />,
    },
    created_at: { width: 116, priority: 2 },
  })

/** Lists a client's teams. */
export function ClientTeams({ id }: { id: number }) {
  const list = useNounList('team', { where: () => ({ client_id: id }) })
  const sameNames = useSameNames('team')
  const columns = useMemo(() => teamColumns(sameNames), [sameNames])
  const hrefOf = useCallback((row: Team) => href('team', { id: row.id }), [])
  return (
    <ListScreen<Team>
      {...list}
      title="Teams"
      embedded
      columns={columns}
      subjectOf={teamSubject}
      hrefOf={hrefOf}
      actions={['list.export', 'team.create']}
      bulk={['team.remove']}
      empty={{
        sentence: 'This client has no teams yet. Without one, its users see all of its projects.',
        command: 'team.create',
      }}
    />
  )
}

/** Lists a client's location groups, renamed in place. */
export function ClientGroups({ id }: { id: number }) {
  const list = useNounList('group', { where: () => ({ client_id: id }), read: { call: 'client.groups', where: { id } } })
  const sameNames = useSameNames('location group')
  const columns = useMemo(
    () => groupColumns({ client: false, aside: (row) => <NameTwice others={sameNames(row.id)} /> }),
    [sameNames],
  )
  const hrefOf = useCallback((row: Group) => href('group', { id: row.id }), [])
  return (
    <ListScreen<Group>
      {...list}
      title="Target Location List"
      embedded
      columns={columns}
      subjectOf={groupSubject}
      hrefOf={hrefOf}
      actions={['list.export', 'group.fromFile', 'group.create']}
      bulk={['group.linkActivities', 'group.merge', 'group.remove']}
      empty={{ sentence: 'This client has no target location lists yet.', command: 'group.create' }}
    />
  )
}

/** Lists a client's users, 100 a page, edited in place. */
export function ClientUsers({ id }: { id: number }) {
  const list = useNounList('user', {
    sort: BY_FIRST,
    where: () => ({ client_id: id }),
    read: { call: 'client.users', where: { id } },
    pageSize: PAGE.clientUsers,
    chunk: PAGE.clientUsers,
  })
  const columns = useMemo(() => userColumns({}), [])
  return (
    <ListScreen<User>
      {...list}
      title="Users"
      embedded
      columns={columns}
      subjectOf={userSubject}
      actions={['list.export', 'client.addUser']}
      bulk={['client.removeUser', 'user.addToClients']}
      empty={{ sentence: 'Nobody at this client has an account yet.', command: 'user.invite' }}
    />
  )
}
