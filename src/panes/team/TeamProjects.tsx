import { useMemo } from 'react'
import { count, shortDate } from '../../../contract/format.ts'
import { BUCKETS } from '../../../contract/status.ts'
import type { CommandId } from '../../commands/table.ts'
import { ListScreen } from '../../list/ListScreen.tsx'
import { columnsOf, Name } from '../../list/nounColumns.tsx'
import { useNounList } from '../../list/useNounList.ts'
import { PaceBar } from '../../ui/charts/PaceBar.tsx'
import { Pill } from '../../ui/Pill.tsx'
import { paceTone, recordHref } from '../shared/projectSubject.ts'
import { StatusPill } from '../shared/StatusPill.tsx'
import { TeamLinks } from './TeamUsers.tsx'
import { type TeamDetail, type TeamProject, teamProjectSubject } from './teamSubject.ts'

const columns = columnsOf('teamProject', {
  name: {
    min: 200,
    flex: 3,
    priority: 12,
    render: (row) => (
      // A child is indented below its parent.
      <span className={row.parent_id === null ? '' : 'block pl-5'}>
        <Name aside={row.inherits ? <span className="shrink-0 text-meta text-faint">inherits</span> : null}>{row.name}</Name>
      </span>
    ),
  },
  generation: {
    width: 148,
    priority: 5,
    narrow: 'hidden',
    render: (row) => (
      <Pill tone={row.generation === 'project' ? 'blue' : 'grey'}>
        {row.generation === 'project' ? 'Project' : 'Survey project'}
      </Pill>
    ),
  },
  stored_status: {
    width: 172,
    priority: 11,
    narrow: 'aside',
    render: (row) => <StatusPill stored={row.stored_status} shown={row.status_shown} />,
  },
  delivered: {
    width: 140,
    priority: 9,
    narrow: 'meta',
    header: 'Delivered / ordered',
    render: (row) => (
      <span className="tabular-nums">
        {count(row.delivered)} <span className="text-faint">/ {count(row.ordered)}</span>
      </span>
    ),
  },
  pacing: {
    width: 132,
    priority: 8,
    narrow: 'hidden',
    align: 'left',
    render: (row) => <PaceBar value={row.pacing} tone={paceTone(row.pacing_color, { state: row.pacing_state })} title="Pacing" />,
  },
  end_dt: {
    width: 100,
    priority: 7,
    narrow: 'hidden',
    render: (row) => <span className="text-muted">{row.end_dt ? shortDate(row.end_dt) : '–'}</span>,
  },
  other_teams: {
    min: 120,
    flex: 1.2,
    priority: 6,
    narrow: 'hidden',
    render: (row) => <TeamLinks teams={row.other_teams} />,
  },
  linked_at: { width: 116, priority: 4, narrow: 'hidden' },
})

const STATUSES = BUCKETS.map(({ value, label }) => ({ value: value === 'all' ? '' : value, label: label.toLowerCase() }))
const BULK: readonly CommandId[] = ['team.removeProjects']
const hrefOf = (row: TeamProject) => recordHref(row.generation, row.id)

/** Lists the projects a team opens: linked and unlinked here, never deleted. */
export function TeamProjects({ team }: { team: TeamDetail }) {
  const list = useNounList('teamProject', {
    filters: { status: '' },
    where: ({ status }) => ({ id: team.id, status: BUCKETS.find(({ value }) => value === status)?.value ?? 'all' }),
  })
  const subjectOf = useMemo(() => teamProjectSubject(team), [team])
  return (
    <ListScreen<TeamProject>
      {...list}
      noun="projects"
      title="Projects"
      embedded
      columns={columns}
      subjectOf={subjectOf}
      hrefOf={hrefOf}
      filters={[{ name: 'status', label: 'Status', options: STATUSES }]}
      actions={['list.export', 'team.addProjects']}
      bulk={BULK}
      primary="team.removeProjects"
      empty={{ sentence: 'This team opens no project yet.', command: 'team.addProjects' }}
    />
  )
}
