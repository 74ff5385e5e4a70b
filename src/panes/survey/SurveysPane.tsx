import { count } from '../../../contract/format.ts'
import { BUCKETS } from '../../../contract/status.ts'
import type { CommandId } from '../../commands/table.ts'
import { useCall } from '../../data/useCall.ts'
import { ListScreen } from '../../list/ListScreen.tsx'
import { columnsOf, Name } from '../../list/nounColumns.tsx'
import { useNounList } from '../../list/useNounList.ts'
import { href } from '../../routing/routes.ts'
import { Pill } from '../../ui/Pill.tsx'
import { PaneLink } from '../../workspace/PaneLink.tsx'
import { type Survey, surveyEdit, surveySubject } from './surveySubject.ts'

const faint = <span className="text-faint">–</span>
const columns = columnsOf('survey', {
  name: {
    min: 210,
    flex: 2.4,
    priority: 15,
    render: (row) => <Name aside={row.survey_link ? null : <Pill tone="amber">No link</Pill>}>{row.name}</Name>,
    edit: surveyEdit('name'),
  },
  project_name: {
    min: 170,
    flex: 2,
    priority: 13,
    narrow: 'meta',
    render: (row) => (
      <PaneLink
        to={href('project', { id: row.project_id }, { tab: 'overview' })}
        className="inline-block max-w-full truncate rounded-sm py-0.5 align-middle text-muted hover:text-accent-ink hover:underline"
      >
        <bdi>{row.project_name}</bdi>
      </PaneLink>
    ),
  },
  activity_name: {
    min: 110,
    flex: 1.3,
    priority: 10,
    narrow: 'hidden',
    render: (row) =>
      row.activity_id === null ? (
        faint
      ) : (
        <PaneLink
          to={href('activity', { id: row.activity_id }, { tab: 'survey' })}
          className="inline-block max-w-full truncate rounded-sm py-0.5 align-middle text-muted hover:text-accent-ink hover:underline"
        >
          <bdi>{row.activity_name}</bdi>
        </PaneLink>
      ),
  },
  survey_vendor: { width: 110, priority: 8, narrow: 'hidden', render: (row) => row.survey_vendor || faint },
  vendor_survey_id: { width: 96, priority: 5, narrow: 'hidden' },
  questions_count: {
    width: 92,
    priority: 12,
    narrow: 'hidden',
    render: (row) => <span className={row.own_questions ? '' : 'text-faint'}>{count(row.questions_count)}</span>,
  },
  completes: {
    width: 100,
    priority: 14,
    narrow: 'meta',
    render: (row) => (
      <>
        {count(row.completes)}
        <span className="hidden in-data-narrow:inline"> {row.completes === 1 ? 'complete' : 'completes'}</span>
      </>
    ),
  },
  refreshed_at: { width: 136, priority: 7, narrow: 'hidden' },
  updated_at: { width: 136, priority: 9, narrow: 'hidden' },
  id: { width: 76, priority: 6, narrow: 'hidden' },
})

const ANY = { value: '', label: 'all' } as const
const MISSING = [
  ANY,
  { value: 'link', label: 'No link' },
  { value: 'questions', label: 'No questions' },
  { value: 'activity', label: 'No activity' },
] as const
const STATUSES = [ANY, ...BUCKETS.filter(({ value }) => value !== 'all')] as const
const BULK: readonly CommandId[] = ['survey.refresh', 'survey.editField', 'survey.remove']
const hrefOf = (row: Survey) => href('survey', { id: row.id }, { tab: 'details' })

/** Lists every survey: its project, activity, vendor and questions (screens-projects.md, Surveys). */
export default function SurveysPane() {
  const vendors = useCall('survey.vendors', {}).data?.data ?? []
  const list = useNounList('survey', {
    filters: { vendor: '', lacks: '', status: '' },
    where: ({ vendor, lacks, status }) => ({
      vendor,
      ...(lacks === 'link' ? { has_link: 'no' as const } : {}),
      ...(lacks === 'questions' ? { has_questions: 'no' as const } : {}),
      ...(lacks === 'activity' ? { activity: 'no' as const } : {}),
      status: STATUSES.find(({ value }) => value === status)?.value ?? '',
    }),
  })
  return (
    <div className="@container h-full">
      <ListScreen<Survey>
        {...list}
        title="Surveys"
        columns={columns}
        subjectOf={surveySubject}
        hrefOf={hrefOf}
        filters={[
          {
            name: 'vendor',
            label: 'Vendor',
            options: [ANY, ...vendors.map(({ name, surveys }) => ({ value: name, label: `${name} (${count(surveys)})` }))],
          },
          { name: 'lacks', label: 'Missing', options: MISSING },
          { name: 'status', label: 'Project', options: STATUSES },
        ]}
        actions={['list.export', 'survey.create']}
        bulk={BULK}
        primary="survey.refresh"
        empty={{ sentence: 'No surveys yet.', command: 'survey.create' }}
      />
    </div>
  )
}
