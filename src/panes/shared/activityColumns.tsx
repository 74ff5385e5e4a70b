import { activityFields } from '../../../contract/activityFields.ts'
import { count, shortDate } from '../../../contract/format.ts'
import { SPELLING, type Status } from '../../../contract/status.ts'
import { joinSentences } from '../../../contract/textEnds.ts'
import { ACTIVITY_TYPES } from '../../../contract/vocabulary.ts'
import { subjectAs } from '../../commands/subject.ts'
import type { CommandId } from '../../commands/table.ts'
import { editsOf } from '../../list/fieldEdit.ts'
import { columnsOf, Name, type RowOf } from '../../list/nounColumns.tsx'
import { href } from '../../routing/routes.ts'
import { toast } from '../../runner/toast.tsx'
import { PaneLink } from '../../workspace/PaneLink.tsx'
import { recordHref } from './projectSubject.ts'
import { StatusPill } from './StatusPill.tsx'
import { TypePill } from './TypePill.tsx'

export type ActivityRow = RowOf<'activity'>

/** Converts an activity row to a command subject. */
export const activityRowSubject = subjectAs<ActivityRow>('activity')
export const activityHref = (row: ActivityRow) => href('activity', { id: row.id }, { tab: 'details' })
export const ACTIVITY_BULK: readonly CommandId[] = ['activity.editField', 'activity.remove']
export const TYPE_FILTER = {
  name: 'type',
  label: 'Type',
  options: [{ value: '', label: 'any' }, ...ACTIVITY_TYPES.map(({ value, label }) => ({ value, label: label.toLowerCase() }))],
} as const
/** Parses a filter value as an activity type; undefined for other text. */
export const typeNamed = (value: string): (typeof ACTIVITY_TYPES)[number]['value'] | '' =>
  ACTIVITY_TYPES.find((type) => type.value === value)?.value ?? ''

/** Edits an activity's fields in place; warnings name what took its new link too. */
export const activityEdit = editsOf('activity', activityFields, ({ warnings = [] }) => {
  if (warnings.length) void toast(joinSentences(warnings))
})
const faint = <span className="text-faint">–</span>
const day = (civil: string | null) => (civil ? <span className="text-muted">{shortDate(civil)}</span> : faint)

const COLUMNS = columnsOf('activity', {
  name: {
    min: 160,
    flex: 1.6,
    priority: 15,
    render: (row) => <Name>{row.name}</Name>,
    edit: activityEdit('name'),
  },
  project_name: {
    min: 170,
    flex: 2.2,
    priority: 12,
    narrow: 'meta',
    render: (row) => (
      <PaneLink to={recordHref('project', row.project_id)} className="truncate text-muted hover:text-ink hover:underline">
        {row.project_name}
      </PaneLink>
    ),
  },
  client_name: { min: 100, flex: 1.1, priority: 5, narrow: 'hidden' },
  activity_type: { width: 92, priority: 13, narrow: 'aside', render: (row) => <TypePill type={row.activity_type} /> },
  action_type: { width: 88, priority: 3, narrow: 'hidden' },
  survey_name: {
    min: 110,
    flex: 1.1,
    priority: 6,
    narrow: 'hidden',
    render: (row) =>
      row.survey_id ? (
        <PaneLink
          to={href('survey', { id: row.survey_id }, { tab: 'details' })}
          className="truncate text-muted hover:text-ink hover:underline"
        >
          {row.survey_name}
        </PaneLink>
      ) : (
        <span className="text-faint">None</span>
      ),
  },
  audience: {
    min: 170,
    flex: 2,
    priority: 4,
    narrow: 'hidden',
    render: (row) => (
      <span className="truncate text-muted" title={row.audience}>
        {row.audience}
      </span>
    ),
  },
  results: {
    width: 138,
    priority: 11,
    narrow: 'meta',
    render: (row) => {
      const unit = row.activity_type === 'survey' ? 'completes' : 'items'
      return (
        <span data-whole="" title={unit} className={row.results ? '' : 'text-faint'}>
          {count(row.results)}
          <span className="hidden in-data-narrow:inline"> {row.results === 1 ? unit.slice(0, -1) : unit}</span>
        </span>
      )
    },
  },
  start_dt: {
    width: 104,
    priority: 9,
    render: (row) => day(row.start_dt),
    edit: activityEdit('start_dt'),
  },
  end_dt: {
    width: 104,
    priority: 10,
    narrow: 'meta',
    render: (row) => day(row.end_dt),
    edit: activityEdit('end_dt'),
  },
  project_status: {
    width: 118,
    priority: 8,
    narrow: 'hidden',
    render: (row) => (
      <StatusPill stored={row.project_status} shown={SPELLING[row.project_status as Status]?.shown ?? row.project_status} />
    ),
  },
  id: { width: 72, priority: 1, narrow: 'hidden' },
})
const OF_PROJECTS: readonly string[] = ['project_name', 'client_name', 'project_status']

/** The columns of activity lists: of all projects, or of one. */
export const activityColumns = (of: 'all' | 'project') =>
  of === 'all' ? COLUMNS : COLUMNS.filter(({ id }) => !OF_PROJECTS.includes(id))
