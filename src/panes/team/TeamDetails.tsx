import type { Output } from '../../../contract/calls.ts'
import { count } from '../../../contract/format.ts'
import { MESSAGES } from '../../../contract/messages.ts'
import { AnswerState } from '../../data/AnswerState.tsx'
import { api } from '../../data/apiClient.ts'
import { moment } from '../../data/format.ts'
import { useCall } from '../../data/useCall.ts'
import { href } from '../../routing/routes.ts'
import { CommandButton } from '../../runner/CommandButton.tsx'
import { EmptyState } from '../../ui/States.tsx'
import { type EditRow, EditRows } from '../shared/EditRows.tsx'
import { TeamGrid } from './TeamGrid.tsx'
import { type TeamDetail, teamSubject } from './team.ts'

const Time = ({ at }: { at: string }) => (
  <time dateTime={at} title={moment(at, 'full')}>
    {moment(at)}
  </time>
)
const several = (figure: number, one: string, many: string) => `${count(figure)} ${figure === 1 ? one : many}`

const rowsOf = (team: TeamDetail): EditRow<TeamDetail>[] => [
  {
    id: 'name',
    label: 'Name',
    shown: <bdi>{team.name}</bdi>,
    edit: {
      value: (row) => row.name,
      async save(row, given) {
        const name = given.trim()
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
      : 'Nobody needs it: others see these projects anyway',
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

/** What a team is, whom it lets see what, and what was done to it. */
export function TeamDetails({ team }: { team: TeamDetail }) {
  const subject = teamSubject(team)
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
      <History team={team} />
    </div>
  )
}

type Line = Output<'team.history'>['data'][number]

function History({ team }: { team: TeamDetail }) {
  const answer = useCall('team.history', { id: team.id })
  return (
    <section aria-label="History" className="mt-6 px-4">
      <h2 className="text-meta font-medium text-muted">History</h2>
      <AnswerState
        answer={answer}
        what="The history"
        rows={3}
        empty={<EmptyState className="items-start px-0 py-3 text-left">Nothing has happened yet.</EmptyState>}
      />
      <ol className="mt-1 max-w-4xl divide-y divide-line border-y border-line empty:hidden">
        {answer.data?.data.map((line) => (
          <li key={line.id} className="grid grid-cols-1 gap-x-4 py-2 @lg:grid-cols-[144px_minmax(0,1fr)]">
            <time dateTime={line.at} title={moment(line.at, 'full')} className="text-meta text-muted tabular-nums">
              {moment(line.at)}
            </time>
            <p className="min-w-0 break-words">
              <bdi className="font-medium">{line.actor_name}</bdi>{' '}
              <span className="text-muted">
                {line.words}
                {detailOf(line)}
              </span>
            </p>
          </li>
        ))}
      </ol>
    </section>
  )
}

/** The names that a line holds: the new name, who was added, what was unlinked. */
function detailOf({ before, after }: Line): string {
  const names = [...new Set([...valuesOf(after), ...valuesOf(before)])]
  return names.length ? `: ${names.slice(0, 6).join(', ')}${names.length > 6 ? ` and ${count(names.length - 6)} more` : ''}` : ''
}
const valuesOf = (of: Line['before']): string[] =>
  Object.entries(of).flatMap(([field, value]) =>
    /_ids?$/.test(field) ? [] : Array.isArray(value) ? value.map(String) : typeof value === 'string' && value ? [value] : [],
  )
