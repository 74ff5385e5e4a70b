import { useMemo, useRef } from 'react'
import { PAGE } from '../../../contract/pages.ts'
import type { CommandId } from '../../commands/table.ts'
import { useCall } from '../../data/useCall.ts'
import { ListScreen } from '../../list/ListScreen.tsx'
import { useNounList } from '../../list/useNounList.ts'
import { usePane } from '../../workspace/pane.tsx'
import { LocationDetails } from './LocationDetails.tsx'
import { locationColumns } from './locationColumns.tsx'
import { ANY, idIn, POSITION_FILTER, placeFilters, REPEATED_FILTER, STATE_FILTER } from './locationFilters.ts'
import { type Location, locationHref, locationSubject } from './locationSubject.ts'
import { useListMap } from './useListMap.tsx'

const BULK: readonly CommandId[] = [
  'location.addToGroups',
  'location.merge',
  'location.removeFromGroup',
  'location.editField',
  'location.remove',
]
/** The number of groups in the filter menu; a link may name any other. */
const MENU = 100

/** Lists every location, or a group's, also on a map (people-area 2). `?location=7001` opens one. */
export default function LocationsPane() {
  const { query } = usePane()
  const one = idIn(query.location)
  return one === undefined ? <Locations /> : <LocationDetails key={one} id={one} />
}

function Locations() {
  const { route, query } = usePane()
  const frame = useRef<HTMLDivElement>(null)
  const columns = useMemo(() => locationColumns(), [])
  const group = idIn(query.group)
  const groups = useCall('group.list', { per_page: MENU }).data?.data ?? []
  const named = useCall('group.get', group !== undefined && !groups.some(({ id }) => id === group) ? { id: group } : null).data
    ?.data
  const clients = useCall('client.dropdown', {}).data?.data ?? []
  const filterOf = (values: Readonly<Record<'group' | 'client' | 'state' | 'position' | 'repeated', string>>) => ({
    ...(idIn(values.group) ? { group_id: idIn(values.group)! } : {}),
    ...(idIn(values.client) ? { client_id: idIn(values.client)! } : {}),
    ...placeFilters(values),
  })
  const list = useNounList('location', {
    filters: { group: '', client: '', state: '', position: '', repeated: '' },
    where: filterOf,
    pageSize: PAGE.list,
  })
  const map = useListMap(frame, { search: list.view.search, ...filterOf(list.view.filters) })
  const options = (all: readonly { id: number; name: string }[]) =>
    all.map(({ id, name }) => ({ value: String(id), label: name }))
  return (
    <div ref={frame} className="@container h-full">
      <ListScreen<Location>
        {...list}
        title={route === 'v3Locations' ? 'v3 locations' : 'Locations'}
        columns={columns}
        subjectOf={locationSubject}
        hrefOf={locationHref}
        opens="beside"
        pageLinks={PAGE.links}
        map={map}
        filters={[
          { name: 'group', label: 'Group', options: [ANY, ...options(named ? [named, ...groups] : groups)] },
          { name: 'client', label: 'Client', options: [ANY, ...options(clients)] },
          { name: 'state', label: 'State', options: STATE_FILTER },
          { name: 'position', label: 'Position', options: POSITION_FILTER },
          { name: 'repeated', label: 'Repeated', options: REPEATED_FILTER },
        ]}
        actions={['list.export', 'location.showMap', 'group.fromFile', 'add.newLocation']}
        bulk={BULK}
        primary="location.addToGroups"
        empty={{
          sentence: 'No locations yet. Activities are fielded at the locations of their groups.',
          command: 'add.newLocation',
        }}
      />
    </div>
  )
}
