import { useCall } from '../../data/useCall.ts'
import { ListScreen } from '../../list/ListScreen.tsx'
import { useNounList } from '../../list/useNounList.ts'
import {
  ACTIVITY_BULK,
  type ActivityRow,
  activityColumns,
  activityHref,
  activityRowSubject,
  TYPE_FILTER,
  typeNamed,
} from '../shared/activityColumns.tsx'

const STATUSES = [
  { value: '', label: 'any' },
  { value: 'pending', label: 'pending' },
  { value: 'approved', label: 'approved' },
  { value: 'active', label: 'active' },
  { value: 'paused', label: 'paused' },
  { value: 'completed', label: 'completed' },
  { value: 'rejected', label: 'rejected' },
] as const
const WITHOUT = [
  { value: '', label: 'any' },
  { value: 'survey', label: 'survey' },
  { value: 'target', label: 'target' },
] as const
const FILTERS = { type: '', status: '', client: '', without: '' } as const
const columns = activityColumns('all')

/** Lists the activities of every project (screens-projects.md, Activities). */
export default function ActivitiesPane() {
  const clients = useCall('client.dropdown', {}).data?.data ?? []
  const list = useNounList('activity', {
    filters: FILTERS,
    where: ({ type, status, client, without }) => ({
      type: typeNamed(type),
      status: STATUSES.find((one) => one.value === status)?.value ?? '',
      without: WITHOUT.find((one) => one.value === without)?.value ?? '',
      ...(/^[1-9]\d{0,8}$/.test(client) ? { client: Number(client) } : {}),
    }),
  })
  return (
    <ListScreen<ActivityRow>
      {...list}
      title="Activities"
      columns={columns}
      subjectOf={activityRowSubject}
      hrefOf={activityHref}
      filters={[
        TYPE_FILTER,
        { name: 'status', label: 'Status', options: STATUSES },
        {
          name: 'client',
          label: 'Client',
          options: [{ value: '', label: 'all' }, ...clients.map(({ id, name }) => ({ value: String(id), label: name }))],
        },
        { name: 'without', label: 'Missing', options: WITHOUT },
      ]}
      actions={['list.export', 'activity.create']}
      bulk={ACTIVITY_BULK}
      empty={{ sentence: 'No activities yet.', command: 'activity.create' }}
    />
  )
}
