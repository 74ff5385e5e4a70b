import { shortLabelOf } from '../../../contract/fieldKinds.ts'
import { count } from '../../../contract/format.ts'
import { MESSAGES } from '../../../contract/messages.ts'
import { teamFields } from '../../../contract/teamFields.ts'
import { api } from '../../data/apiClient.ts'
import { moment } from '../../data/format.ts'
import { useCall } from '../../data/useCall.ts'
import { href } from '../../routing/routes.ts'
import { CommandButton } from '../../runner/CommandButton.tsx'
import { type EditRow, EditRows } from '../shared/EditRows.tsx'
import { RecordHistory } from '../shared/RecordHistory.tsx'
import { TeamGrid } from './TeamGrid.tsx'
import { type TeamDetail, teamSubject } from './teamSubject.ts'

const Time = ({ at }: { at: string }) => (
  <time dateTime={at} title={moment(at, 'full')}>
    {moment(at)}
  </time>
)
const several = (figure: number, one: string, many: string) => `${count(figure)} ${figure === 1 ? one : many}`

const rowsOf = (team: TeamDetail): EditRow<TeamDetail>[] => [
  {
    id: 'name',
    label: shortLabelOf(teamFields.name),
    shown: <bdi>{team.name}</bdi>,
    edit: {
      value: (row) => row.name,
      async save(row, typed) {
        const name = typed.trim()
        if (!name) throw new Error(MESSAGES.teamName)
        if (name.length > 200) throw new Error(MESSAGES.teamLength)
        return (await api.write('team.edit', { id: row.id, name, lock_version: row.lock_version })).data
      },
    },
  },
  {
    id: 'client',
    label: 'Client',
    shown: <bdi>{team.client_name}</bdi>,
    to: href('client', { id: team.client_id }, { tab: 'teams' }),
  },
  { id: 'users', label: 'Users', shown: count(team.users_count), to: href('team', { id: team.id }, { tab: 'users' }) },
  {
    id: 'projects',
    label: 'Projects',
    shown: `${count(team.projects_count)}${team.in_field_count ? `, ${count(team.in_field_count)} in field` : ''}`,
    to: href('team', { id: team.id }, { tab: 'projects' }),
  },
  {
    id: 'only_here',
    label: 'Only through this team',
    shown: team.only_here.users
      ? `${several(team.only_here.users, 'user', 'users')}, ${several(team.only_here.projects, 'project', 'projects')}`
      : 'Nothing: its users see these projects anyway',
  },
  { id: 'created', label: 'Created', shown: <Time at={team.created_at} /> },
  {
    id: 'changed',
    label: 'Last change',
    shown: (
      <>
        <Time at={team.updated_at} />
        {team.updated_by && (
          <span className="text-muted">
            {' '}
            by <bdi>{team.updated_by}</bdi>
          </span>
        )}
      </>
    ),
  },
]

/** Shows a team, who sees what through it, and its history. */
export function TeamDetails({ team }: { team: TeamDetail }) {
  const subject = teamSubject(team)
  const history = useCall('team.history', { id: team.id })
  return (
    <div className="max-w-6xl pt-2 pb-8">
      <section aria-label="Details" className="max-w-4xl">
        <EditRows label="Details" record={team} rows={rowsOf(team)} />
        <div className="flex flex-wrap gap-1.5 border-t border-line px-4 pt-3">
          <CommandButton id="team.rename" subjects={[subject]} />
          <CommandButton id="team.copy" subjects={[subject]} />
          <CommandButton id="team.remove" subjects={[subject]} variant="danger" />
        </div>
      </section>
      <TeamGrid team={team} />
      <RecordHistory answer={history} />
    </div>
  )
}
