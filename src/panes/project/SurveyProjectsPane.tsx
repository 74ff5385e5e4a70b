import { useCallback } from 'react'
import { PAGE } from '../../../contract/pages.ts'
import { BUCKETS } from '../../../contract/status.ts'
import { ListScreen } from '../../list/ListScreen.tsx'
import { useListView } from '../../list/listView.ts'
import { rowSource } from '../../list/rowSource.ts'
import { href } from '../../routing/routes.ts'
import { usePane } from '../../workspace/pane.tsx'
import { type CampaignRow, campaignSubject, forChildren, withRules } from '../shared/projectSubject.ts'
import { campaignColumns, ownCampaignPart } from './campaignColumns.ts'
import { lineId, useFamilies } from './familyLines.tsx'
import { exportedColumns, ownerIn, PROJECT_BULK, useClientFilter, useOwnerFilter } from './projectFilters.ts'

const FILTERS = { status: 'all', client: '', mine: '', owner: '' } as const
/** /approval, /history and /notes show this list (decisions.md 8); rows open on that tab. */
const TABS = { approvals: 'approval', histories: 'history', allNotes: 'notes' } as const

/** Lists v1 survey projects by status, parents with their child campaigns (projects-area 2, /surveyProjects). */
export default function SurveyProjectsPane() {
  const { route } = usePane()
  const view = useListView(FILTERS)
  const clients = useClientFilter()
  const families = useFamilies('campaign.get', ownCampaignPart)
  const owners = useOwnerFilter()
  const { status, client, mine, owner } = view.filters
  const filter = {
    search: view.search,
    ...(client ? { client: Number(client) } : {}),
    ...(mine ? { mine } : {}),
    ...ownerIn(owner),
    column: view.sort?.column ?? '',
    order: view.sort?.direction ?? ('asc' as const),
  }
  const rows = rowSource({
    call: 'campaign.list',
    input: (page, per_page) => ({ ...filter, sort: status, brief: true, page, per_page }),
    rows: ({ data }): readonly CampaignRow[] => forChildren(withRules(data.campaigns, data.rules), status),
    count: (answer) => answer.data.count,
  })
  const tab = route && route in TABS ? TABS[route as keyof typeof TABS] : 'overview'
  const hrefOf = useCallback((row: CampaignRow) => href('surveyProject', { id: row.id }, { tab }), [tab])
  return (
    <>
      {families.readers}
      <ListScreen
        title="Survey projects"
        noun="survey projects"
        view={view}
        source={rows}
        pageSize={PAGE.list}
        columns={campaignColumns()}
        subjectOf={campaignSubject}
        hrefOf={hrefOf}
        {...families.list}
        rowId={lineId}
        filters={[{ name: 'status', label: 'Status', options: BUCKETS }, ...clients, owners]}
        actions={['list.export', 'add.newSurveyRequest']}
        bulk={PROJECT_BULK}
        exportable={{ source: 'campaigns', columns: exportedColumns(), selects: true, filter: { ...filter, status } }}
        empty={{ sentence: 'No survey projects requested yet.', command: 'add.newSurveyRequest' }}
      />
    </>
  )
}
