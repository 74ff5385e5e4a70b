import { PAGE } from '../../../contract/pages.ts'
import type { CommandId } from '../../commands/table.ts'
import { useCall } from '../../data/useCall.ts'
import { ListScreen } from '../../list/ListScreen.tsx'
import { useNounList } from '../../list/useNounList.ts'
import { href } from '../../routing/routes.ts'
import { groupColumns } from '../shared/groupColumns.tsx'
import { ANY, known } from './locationFilters.ts'
import { type GroupRow, groupSubject } from './locationSubject.ts'

const USED = [ANY, { value: 'yes', label: 'yes' }, { value: 'no', label: 'no' }]
const POSITION = [
  ANY,
  { value: 'exact', label: 'Exact' },
  { value: 'approximate', label: 'Approximate' },
  { value: 'missing', label: 'Missing' },
]
const BULK: readonly CommandId[] = ['group.linkActivities', 'group.merge', 'group.remove']
const hrefOf = (row: GroupRow) => href('group', { id: row.id }, { tab: 'details' })

/** Lists the location groups of all clients, and which of them are in use (people-area 2). */
export default function GroupsPane() {
  const clients = useCall('client.dropdown', {}).data?.data ?? []
  const list = useNounList('group', {
    filters: { client: '', used: '', position: '' },
    where: ({ client, used, position }) => ({
      ...(/^\d{1,15}$/.test(client) ? { client_id: Number(client) } : {}),
      used: known<'yes' | 'no' | ''>(USED, used),
      position: known<'exact' | 'approximate' | 'missing' | ''>(POSITION, position),
    }),
    pageSize: PAGE.list,
  })
  return (
    <div className="@container h-full">
      <ListScreen<GroupRow>
        {...list}
        title="Client location groups"
        columns={COLUMNS}
        subjectOf={groupSubject}
        hrefOf={hrefOf}
        pageLinks={PAGE.links}
        filters={[
          {
            name: 'client',
            label: 'Client',
            options: [ANY, ...clients.map(({ id, name }) => ({ value: String(id), label: name }))],
          },
          { name: 'used', label: 'Used', options: USED },
          { name: 'position', label: 'Position', options: POSITION },
        ]}
        actions={['list.export', 'group.fromFile', 'group.create']}
        bulk={BULK}
        primary="group.linkActivities"
        empty={{ sentence: 'No location groups yet.', command: 'group.create' }}
      />
    </div>
  )
}

const COLUMNS = groupColumns({ client: true })
