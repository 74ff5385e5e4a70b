import { useMemo } from 'react'
import { count, longDate, showShare } from '../../../contract/format.ts'
import { useCall } from '../../data/useCall.ts'
import { ListScreen } from '../../list/ListScreen.tsx'
import { useNounList } from '../../list/useNounList.ts'
import { cx } from '../../ui/cx.ts'
import type { Column } from '../../ui/grid/columns.ts'
import {
  ACTIVITY_BULK,
  type ActivityRow,
  activityColumns,
  activityHref,
  activityRowSubject,
  TYPE_FILTER,
  typeNamed,
} from '../shared/activityColumns.tsx'
import type { Project } from './ProjectHead.tsx'

const FILTERS = { type: '' } as const
const BY_START = { column: 'start_dt', direction: 'asc' } as const
/** The most bars drawn; a project rarely has more than five activities. */
const MOST_BARS = 40

/** Adds two columns for this project: the family member, and its share of completes. */
function columnsOf({ id, delivered, children }: Project): readonly Column<ActivityRow>[] {
  const [name, ...rest] = activityColumns('project')
  const part: Column<ActivityRow> = {
    id: 'project_name',
    header: 'Part',
    min: 140,
    flex: 1.4,
    priority: 14,
    narrow: 'meta',
    sortable: true,
    render: (row) => (
      <span className={cx('truncate', row.project_id === id ? 'font-medium' : 'text-muted')}>
        {row.project_id === id ? 'Own part' : row.project_name}
      </span>
    ),
  }
  const share: Column<ActivityRow> = {
    id: 'share',
    header: 'Share',
    width: 80,
    align: 'right',
    priority: 7,
    narrow: 'hidden',
    render: (row) =>
      row.completes && delivered ? showShare(row.completes, delivered, 1) : <span className="text-faint">–</span>,
  }
  const after = rest.findIndex((column) => column.id === 'results') + 1
  return [name!, ...(children.length ? [part] : []), ...rest.slice(0, after), share, ...rest.slice(after)]
}

/** Lists the activities of a project, or of its whole family (screens-projects.md, One project's other tabs). */
export function ActivitiesTab({ project }: { project: Project }) {
  const family = project.children.length > 0
  const scope = { project_id: project.id, ...(family ? { family: true } : {}) }
  const list = useNounList('activity', {
    filters: FILTERS,
    sort: BY_START,
    where: ({ type }) => ({ ...scope, type: typeNamed(type) }),
  })
  const columns = useMemo(() => columnsOf(project), [project])
  return (
    <ListScreen<ActivityRow>
      {...list}
      title="Activities"
      embedded
      columns={columns}
      subjectOf={activityRowSubject}
      hrefOf={activityHref}
      filters={[TYPE_FILTER]}
      actions={['list.export', 'activity.create']}
      bulk={ACTIVITY_BULK}
      empty={{ sentence: 'No activities yet. A project needs one to go live.', command: 'activity.create' }}
    >
      <FieldTime project={project} />
    </ListScreen>
  )
}

const dayOf = (civil: string) => Date.parse(`${civil.slice(0, 10)}T12:00:00Z`) / 86_400_000

/** Draws each activity as a bar over the project's time in field. */
function FieldTime({ project }: { project: Project }) {
  const family = project.children.length > 0 ? { family: true } : {}
  const { data } = useCall('activity.ofProject', {
    id: project.id,
    ...family,
    column: 'start_dt',
    order: 'asc',
    per_page: MOST_BARS,
  })
  const { start_dt, end_dt } = project
  const rows = (data?.data ?? []).filter((row) => row.start_dt && row.end_dt)
  if (!start_dt || !end_dt || !rows.length) return null
  const from = Math.min(dayOf(start_dt), ...rows.map((row) => dayOf(row.start_dt!)))
  const to = Math.max(dayOf(end_dt), ...rows.map((row) => dayOf(row.end_dt!))) + 1
  const at = (day: number) => `${((day - from) / (to - from)) * 100}%`
  return (
    <figure className="border-b border-line px-4 pt-1 pb-2" aria-label="Field time">
      <figcaption className="flex justify-between text-meta text-muted tabular-nums">
        <span>{longDate(start_dt)}</span>
        <span>{data && data.count > MOST_BARS ? `the first ${MOST_BARS} of ${count(data.count)}` : null}</span>
        <span>{longDate(end_dt)}</span>
      </figcaption>
      <ol className="relative mt-1 flex flex-col gap-0.5 rounded-sm bg-track/40 py-0.5">
        <span
          aria-hidden="true"
          className="absolute inset-y-0 bg-track/60"
          style={{ left: at(dayOf(start_dt)), width: `calc(${at(dayOf(end_dt) + 1)} - ${at(dayOf(start_dt))})` }}
        />
        {rows.map((row) => (
          <li
            key={row.id}
            title={`${row.name}: ${longDate(row.start_dt)} to ${longDate(row.end_dt)}`}
            className={cx('relative h-1 min-w-1 rounded-full', FILLS[row.activity_type] ?? 'bg-grey')}
            style={{
              marginLeft: at(dayOf(row.start_dt!)),
              width: `calc(${at(dayOf(row.end_dt!) + 1)} - ${at(dayOf(row.start_dt!))})`,
            }}
          >
            <span className="sr-only">
              {row.name}: {longDate(row.start_dt)} to {longDate(row.end_dt)}
            </span>
          </li>
        ))}
      </ol>
    </figure>
  )
}
const FILLS: Readonly<Record<string, string>> = { survey: 'bg-blue', social: 'bg-green', video: 'bg-amber', photo: 'bg-grey' }
