import { PAGE } from '../../../contract/pages.ts'
import { BUCKETS } from '../../../contract/status.ts'
import { ListScreen } from '../../list/ListScreen.tsx'
import { useListView } from '../../list/listView.ts'
import { rowSource } from '../../list/rowSource.ts'
import { href } from '../../routing/routes.ts'
import { usePane } from '../../workspace/pane.tsx'
import { forChildren, type ProjectRow, projectSubject, withRules } from '../shared/projectSubject.ts'
import { lineId, ownProjectPart, useFamilies } from './familyLines.tsx'
import { dottedColumns, projectColumns } from './projectColumns.tsx'
import { exportedColumns, ownerIn, PACINGS, PROJECT_BULK, useClientFilter, useOwnerFilter } from './projectFilters.ts'

const FILTERS = { status: 'all', pacing: '', client: '', mine: '', owner: '' } as const

/** Lists v3 projects with expandable parents, or v3 surveys with a pacing dot (/allProjects, /v3surveyProjects). */
export default function ProjectsPane() {
  const surveys = usePane().route === 'v3surveyProjects'
  const view = useListView(FILTERS)
  const clients = useClientFilter()
  const families = useFamilies('project.get', ownProjectPart)
  const owners = useOwnerFilter()
  const { status, pacing, client, mine, owner } = view.filters
  const filter = {
    search: view.search,
    status,
    pacing,
    ...(surveys ? { type: 'Survey' as const } : {}),
    ...(client ? { client: Number(client) } : {}),
    ...(mine ? { mine } : {}),
    ...ownerIn(owner),
    column: view.sort?.column ?? '',
    order: view.sort?.direction ?? ('asc' as const),
  }
  const rows = rowSource({
    call: surveys ? 'project.list' : 'project.listAll',
    input: (page, per_page) => ({ ...filter, brief: true, texts: false, page, per_page }),
    rows: (answer): readonly ProjectRow[] => forChildren(withRules(answer.data, answer.rules), status),
    count: (answer) => answer.count,
  })
  return (
    <>
      {families.readers}
      <ListScreen
        title={surveys ? 'v3 survey projects' : 'All projects'}
        noun={surveys ? 'survey projects' : 'projects'}
        view={view}
        source={rows}
        pageSize={PAGE.list}
        columns={surveys ? dottedColumns() : projectColumns()}
        subjectOf={projectSubject}
        hrefOf={hrefOf}
        {...families.list}
        rowId={lineId}
        filters={[
          { name: 'status', label: 'Status', options: BUCKETS },
          { name: 'pacing', label: 'Pacing', options: PACINGS },
          ...clients,
          owners,
        ]}
        actions={['list.export', 'add.newSurveyRequest']}
        bulk={PROJECT_BULK}
        exportable={{ source: 'projects', columns: exportedColumns(), selects: true, filter }}
        empty={{ sentence: 'No projects requested yet.', command: 'add.newSurveyRequest' }}
      />
    </>
  )
}

const hrefOf = (row: ProjectRow) => href('project', { id: row.id }, { tab: 'overview' })
