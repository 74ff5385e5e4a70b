import { useMemo } from 'react'
import type { Output } from '../../../contract/calls.ts'
import { count } from '../../../contract/format.ts'
import type { CommandId } from '../../commands/table.ts'
import { AnswerState } from '../../data/AnswerState.tsx'
import { useCall } from '../../data/useCall.ts'
import { Day, Name } from '../../list/nounColumns.tsx'
import { type ShortColumn, ShortList } from '../../list/ShortList.tsx'
import { href } from '../../routing/routes.ts'
import { CommandButton } from '../../runner/CommandButton.tsx'
import { EmptyState } from '../../ui/States.tsx'
import { usePane } from '../../workspace/pane.tsx'
import { LookMark, SetsMap } from '../shared/PlaceMap.tsx'
import type { ActivityTabProps } from './activitySubject.ts'

type Linked = Output<'activity.groups'>['data'][number] & { nth: number }

const faint = <span className="text-faint">–</span>
const figure = (value: number | undefined) =>
  value ? count(value) : <span className="text-faint">{value === undefined ? '–' : 0}</span>
const hrefOf = (row: Linked) => href('group', { id: row.id }, { tab: 'locations' })

const COLUMNS: readonly ShortColumn<Linked>[] = [
  {
    id: 'name',
    header: 'Group',
    min: 160,
    flex: 3,
    priority: 9,
    by: (row) => row.name.toLowerCase(),
    render: (row) => (
      <span className="flex min-w-0 items-center gap-2">
        <LookMark nth={row.nth} />
        <Name>{row.name}</Name>
      </span>
    ),
  },
  {
    id: 'locations',
    header: 'Locations',
    width: 100,
    align: 'right',
    priority: 8,
    narrow: 'aside',
    by: (row) => row.locations_count,
    render: (row) => count(row.locations_count),
  },
  {
    id: 'approximate',
    header: 'Approximate',
    width: 108,
    align: 'right',
    priority: 5,
    narrow: 'hidden',
    by: (row) => row.approximate_count ?? null,
    render: (row) => figure(row.approximate_count),
  },
  {
    id: 'unplaced',
    header: 'No position',
    width: 104,
    align: 'right',
    priority: 6,
    narrow: 'hidden',
    by: (row) => row.unplaced_count ?? null,
    render: (row) => figure(row.unplaced_count),
  },
  {
    id: 'markets',
    header: 'Market areas',
    width: 112,
    align: 'right',
    priority: 7,
    narrow: 'hidden',
    by: (row) => row.markets_count ?? null,
    render: (row) => figure(row.markets_count),
  },
  {
    id: 'linked',
    header: 'Linked',
    width: 116,
    priority: 4,
    narrow: 'hidden',
    by: (row) => row.linked_at ?? null,
    render: (row) => (row.linked_at ? <Day at={row.linked_at} /> : faint),
  },
]
const NOUNS = ['location group', 'location groups'] as const
const BULK: readonly CommandId[] = ['activity.unlinkGroup']
const ACTIONS: readonly CommandId[] = ['group.fromFile', 'activity.linkGroups']
const NONE: readonly Linked[] = []

/** Lists the location groups where an activity is fielded, each with its colour and shape on the map. */
export function GroupsTab({ activity, subject }: ActivityTabProps) {
  const { go } = usePane()
  const answer = useCall('activity.groups', { id: activity.id })
  const { data } = answer
  const rows = useMemo(() => data?.data.map((row, nth) => ({ ...row, nth })) ?? NONE, [data])
  const sets = useMemo(() => rows.map(({ id }) => ({ group_id: id })), [rows])
  if (!data) return <AnswerState answer={answer} what="The location groups" rows={4} />
  if (!rows.length)
    return (
      <EmptyState action={<CommandButton id="activity.linkGroups" subjects={[subject]} variant="primary" />}>
        No location group is linked: the activity’s market areas decide.
      </EmptyState>
    )
  return (
    <section aria-label="Location groups" className="pb-8">
      <ShortList<Linked>
        title="Location groups"
        nouns={NOUNS}
        rows={rows}
        columns={COLUMNS}
        subjectOf={(row) => ({
          kind: 'activityGroup',
          id: row.id,
          name: row.name,
          record: { ...row, activity_id: activity.id, activity_name: activity.name },
        })}
        onOpen={(row) => go(hrefOf(row))}
        hrefOf={hrefOf}
        actions={ACTIONS}
        bulk={BULK}
        empty=""
      />
      <p className="px-4 py-2 text-muted tabular-nums">
        {count(data.locations)} {data.locations === 1 ? 'location' : 'different locations'} in total.
      </p>
      <SetsMap label={`Where ${activity.name} is fielded`} sets={sets} height={420} className="px-4" />
    </section>
  )
}
