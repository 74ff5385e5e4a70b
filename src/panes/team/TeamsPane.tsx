import { useMemo } from 'react'
import { teamFields } from '../../../contract/teamFields.ts'
import type { CommandId } from '../../commands/table.ts'
import { useCall } from '../../data/useCall.ts'
import { editsOf } from '../../list/fieldEdit.ts'
import { ListScreen } from '../../list/ListScreen.tsx'
import { columnsOf, Name } from '../../list/nounColumns.tsx'
import { useNounList } from '../../list/useNounList.ts'
import { href } from '../../routing/routes.ts'
import { Bars } from '../../ui/charts/Bars.tsx'
import { useTables } from '../../workspace/chartTables.ts'
import { PaneLink } from '../../workspace/PaneLink.tsx'
import { usePane } from '../../workspace/pane.tsx'
import { NamedFigure } from '../shared/NamedFigure.tsx'
import { type Team, teamSubject } from './teamSubject.ts'

const columns = columnsOf('team', {
  name: {
    min: 180,
    flex: 2.4,
    priority: 12,
    render: (row) => <Name>{row.name}</Name>,
    edit: editsOf('team', teamFields)('name'),
  },
  client_name: {
    min: 140,
    flex: 1.6,
    priority: 11,
    narrow: 'meta',
    render: (row) => (
      <PaneLink
        to={href('client', { id: row.client_id }, { tab: 'teams' })}
        className="inline-block max-w-full truncate rounded-sm py-0.5 align-middle text-muted hover:text-accent-ink hover:underline"
      >
        <bdi>{row.client_name}</bdi>
      </PaneLink>
    ),
  },
  users_count: {
    width: 84,
    priority: 10,
    narrow: 'meta',
    render: (row) => <NamedFigure value={row.users_count} one="user" many="users" />,
  },
  projects_count: {
    width: 92,
    priority: 9,
    narrow: 'meta',
    render: (row) => <NamedFigure value={row.projects_count} one="project" many="projects" />,
  },
  in_field_count: {
    width: 124,
    priority: 7,
    narrow: 'hidden',
    render: (row) => <NamedFigure value={row.in_field_count} one="in field" many="in field" />,
  },
  updated_at: { width: 116, priority: 6, narrow: 'hidden' },
  id: { width: 76, priority: 5, narrow: 'hidden' },
})

const EMPTY = [
  { value: '', label: 'any' },
  { value: 'users', label: 'no users' },
  { value: 'projects', label: 'no projects' },
  { value: 'neither', label: 'neither' },
] as const
const BULK: readonly CommandId[] = ['team.remove']
const hrefOf = (row: Team) => href('team', { id: row.id }, { tab: 'details' })
const MOST_BARS = 40

/** Lists every team, and who sees what because of it (screens-people-places-rewards, Teams). */
export default function TeamsPane() {
  const { route } = usePane()
  const clients = useCall('client.dropdown', {}).data?.data
  const list = useNounList('team', {
    filters: { client: '', empty: '' },
    where: ({ client, empty }) => ({
      ...(/^\d{1,9}$/.test(client) ? { client_id: Number(client) } : {}),
      empty: EMPTY.find(({ value }) => value === empty)?.value ?? '',
    }),
  })
  const client = Number(list.view.filters.client) || null
  const options = useMemo(
    () => [{ value: '', label: 'all' }, ...(clients ?? []).map(({ id, name }) => ({ value: String(id), label: name }))],
    [clients],
  )
  return (
    <div className="@container h-full">
      <ListScreen<Team>
        {...list}
        title={route === 'v3Teams' ? 'v3 teams' : 'Client Teams'}
        columns={columns}
        subjectOf={teamSubject}
        hrefOf={hrefOf}
        filters={[
          { name: 'client', label: 'Client', options },
          { name: 'empty', label: 'Empty', options: EMPTY },
        ]}
        actions={['list.export', 'team.create']}
        bulk={BULK}
        empty={{
          sentence: 'No teams yet. Without a team, all users of a client see its projects.',
          command: 'team.create',
        }}
      >
        {client !== null && <UsersByTeam client={client} />}
      </ListScreen>
    </div>
  )
}

/** Charts a client's teams by users, 30 px a team (people-area 8). */
function UsersByTeam({ client }: { client: number }) {
  const asTable = useTables()
  const answer = useCall('team.list', { client_id: client, column: 'users_count', order: 'desc', per_page: MOST_BARS })
  const teams = answer.data?.data ?? []
  if (answer.data && !teams.length) return null
  return (
    <section aria-label="Users by team" className="border-b border-line px-4 pt-2 pb-3">
      <h2 className="pb-1 text-meta font-medium text-muted">Users by team</h2>
      <div className="max-h-64 max-w-2xl overflow-y-auto px-1.5">
        <Bars
          label="Users by team"
          tall
          asTable={asTable}
          loading={answer.loading}
          empty="Nobody is on these teams yet"
          bars={teams.map((team) => ({ label: team.name, value: team.users_count }))}
        />
      </div>
    </section>
  )
}
