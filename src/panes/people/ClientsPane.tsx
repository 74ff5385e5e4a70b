import { useCallback, useMemo } from 'react'
import { listed } from '../../../contract/lists.ts'
import { MESSAGES } from '../../../contract/messages.ts'
import { codeOf } from '../../../contract/nouns.ts'
import { PAGE } from '../../../contract/vocabulary.ts'
import { api } from '../../data/apiClient.ts'
import { count, longDate, shortDate } from '../../data/format.ts'
import { ListScreen } from '../../list/ListScreen.tsx'
import { source } from '../../list/source.ts'
import { useListView } from '../../list/view.ts'
import { href } from '../../routing/routes.ts'
import type { Column } from '../../ui/grid/columns.ts'
import { SameName, useSameNames } from './SameName.tsx'
import { type Client, clientSubject } from './subjects.ts'

const columnsWith = (sameNames: (id: number) => readonly number[]): readonly Column<Client>[] => [
  {
    id: 'name',
    header: 'Client',
    min: 180,
    flex: 3,
    sortable: true,
    priority: 9,
    render: (row) => (
      <span className="flex min-w-0 items-baseline gap-2.5">
        <span dir="auto" className="min-w-0 truncate font-medium">
          {row.name}
        </span>
        <SameName others={sameNames(row.id)} inRow />
      </span>
    ),
    edit: {
      value: (row) => row.name,
      async save(row, name) {
        if (!name.trim()) throw new Error(MESSAGES.clientName)
        return (await api.write('client.edit', { id: row.id, name, lock_version: row.lock_version })).data
      },
    },
  },
  {
    id: 'id',
    header: 'ID',
    width: 72,
    sortable: true,
    priority: 1,
    narrow: 'meta',
    render: (row) => <span className="font-mono text-meta text-muted">{codeOf('client', row.id)}</span>,
  },
  {
    id: 'projects_count',
    header: 'Projects',
    min: 96,
    flex: 1,
    align: 'right',
    sortable: true,
    priority: 8,
    narrow: 'meta',
    render: (row) => <Figure value={row.projects_count} one="project" many="projects" />,
  },
  {
    id: 'campaigns_count',
    header: 'Survey projects',
    min: 128,
    flex: 1,
    align: 'right',
    sortable: true,
    priority: 5,
    narrow: 'hidden',
    render: (row) => <Figure value={row.campaigns_count} one="survey project" many="survey projects" />,
  },
  {
    id: 'teams_count',
    header: 'Teams',
    min: 88,
    flex: 1,
    align: 'right',
    sortable: true,
    priority: 6,
    narrow: 'meta',
    render: (row) => <Figure value={row.teams_count} one="team" many="teams" />,
  },
  {
    id: 'users_count',
    header: 'Users',
    min: 88,
    flex: 1,
    align: 'right',
    sortable: true,
    priority: 7,
    narrow: 'meta',
    render: (row) => <Figure value={row.users_count} one="user" many="users" />,
  },
  {
    id: 'created_at',
    header: 'Since',
    min: 116,
    flex: 1,
    sortable: true,
    priority: 3,
    narrow: 'hidden',
    render: (row) => (
      <time dateTime={row.created_at} title={longDate(row.created_at)} className="text-muted">
        {shortDate(row.created_at)}
      </time>
    ),
  },
]

/** A figure under its column's head; in two-line rows it names itself. */
function Figure({ value, one, many }: { value: number; one: string; many: string }) {
  return (
    <span className={value ? '' : 'text-faint'}>
      {count(value)}
      <span className="hidden @max-[560px]:inline"> {value === 1 ? one : many}</span>
    </span>
  )
}

const BY_NAME = { column: 'name', direction: 'asc' } as const
type Sorting = 'name' | 'created_at' | 'users_count' | 'teams_count' | 'projects_count' | 'campaigns_count' | 'id' | ''

/** Every client, with its projects, teams and users (people-area 2). */
export default function ClientsPane() {
  const view = useListView({}, BY_NAME)
  const sameNames = useSameNames('client')
  const columns = useMemo(() => columnsWith(sameNames), [sameNames])
  const filter = {
    search: view.search,
    column: (view.sort?.column ?? '') as Sorting,
    order: view.sort?.direction ?? ('asc' as const),
  }
  const rows = source({
    call: 'client.list',
    input: (page, per_page) => ({ ...filter, page, per_page }),
    rows: (answer) => answer.data,
    count: (answer) => answer.count,
  })
  const hrefOf = useCallback((row: Client) => href('client', { id: row.id }), [])
  return (
    <div className="@container h-full">
      <ListScreen<Client>
        title="Clients"
        noun="clients"
        view={view}
        source={rows}
        pageSize={PAGE.list}
        columns={columns}
        subjectOf={clientSubject}
        hrefOf={hrefOf}
        actions={['list.export', 'client.create']}
        exportable={{ ...listed('client'), filter }}
        empty={{ sentence: 'There is no client yet. Projects, teams and users belong to one.', command: 'client.create' }}
      />
    </div>
  )
}
