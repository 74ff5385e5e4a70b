import { useCallback, useMemo } from 'react'
import { BUCKETS } from '../../contract/status.ts'
import { PAGE } from '../../contract/vocabulary.ts'
import { useCall } from '../data/useCall.ts'
import { currentMe } from '../data/session.ts'
import { href } from '../routes.ts'
import { ListScreen } from '../workspace/list/ListScreen.tsx'
import { source } from '../workspace/list/source.ts'
import { useListView } from '../workspace/list/view.ts'
import { projectColumns } from './project/columns.tsx'
import { projectSubject, type ProjectRow } from './project/subject.ts'

const FILTERS = { status: 'all', pacing: '', client: '', mine: '' } as const
const PACINGS = [{ value: '', label: 'any' }, { value: 'red', label: 'red, below 30' }, { value: 'orange', label: 'amber, below 70' }, { value: 'green', label: 'green, from 70' }, { value: 'gray', label: 'grey, pending' }]

/** All v3 projects with expandable parents (projects-area 2, /allProjects). */
export default function ProjectsPane() {
  const view = useListView(FILTERS)
  const admin = currentMe().role === 'admin'
  const clients = useCall('client.dropdown', admin ? {} : null)
  const { status, pacing, client, mine } = view.filters
  const filter = { search: view.search, status, pacing, ...(client ? { client: Number(client) } : {}), ...(mine ? { mine } : {}), column: view.sort?.column ?? '', order: view.sort?.direction ?? ('asc' as const) }
  const rows = source({
    call: 'project.listAll', input: (page, per_page) => ({ ...filter, page, per_page }),
    rows: (answer) => answer.data as readonly ProjectRow[], count: (answer) => answer.count,
  })
  const childrenOf = useCallback((row: ProjectRow) => ('children' in row ? (row.children as readonly ProjectRow[]) : []), [])
  const hrefOf = useCallback((row: ProjectRow) => href('project', { id: row.id }, { tab: 'overview' }), [])
  const clientChoices = useMemo(() => [{ value: '', label: 'any' }, ...(clients.data?.data ?? []).map((one) => ({ value: String(one.id), label: one.name }))], [clients.data])
  return (
    <ListScreen
      title="All projects"
      noun="projects"
      view={view}
      source={rows}
      pageSize={PAGE.list}
      columns={projectColumns}
      subjectOf={projectSubject}
      hrefOf={hrefOf}
      childrenOf={childrenOf}
      filters={[
        { name: 'status', label: 'Status', options: BUCKETS },
        { name: 'pacing', label: 'Pacing', options: PACINGS },
        ...(admin ? [{ name: 'client', label: 'Client', options: clientChoices }] : []),
        { name: 'mine', label: 'Requested by', options: [{ value: '', label: 'anybody' }, { value: '1', label: 'me' }] },
      ]}
      actions={['list.export', 'add.newSurveyRequest']}
      bulk={['project.goLive', 'project.assignPartner', 'project.pause', 'project.setStatus']}
      exportable={{ source: 'projects', filter }}
      empty={{ sentence: 'No project has been requested yet.', command: 'add.newSurveyRequest' }}
    />
  )
}
