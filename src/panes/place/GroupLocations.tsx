import { useMemo, useRef } from 'react'
import { PAGE } from '../../../contract/pages.ts'
import type { CommandId } from '../../commands/table.ts'
import { ListScreen } from '../../list/ListScreen.tsx'
import { useNounList } from '../../list/useNounList.ts'
import { locationColumns } from './locationColumns.tsx'
import { POSITION_FILTER, placeFilters, REPEATED_FILTER, STATE_FILTER } from './locationFilters.ts'
import { type Group, type Location, locationHref, memberOf } from './locationSubject.ts'
import { useListMap } from './useListMap.tsx'

const BULK: readonly CommandId[] = ['location.addToGroups', 'group.moveLocations', 'location.editField', 'group.removeLocations']
const FILTERS = [
  { name: 'state', label: 'State', options: STATE_FILTER },
  { name: 'position', label: 'Position', options: POSITION_FILTER },
  { name: 'repeated', label: 'Repeated', options: REPEATED_FILTER },
]

/** Lists a group's locations. Delete removes one from the group, never the location itself. */
export function GroupLocations({ group: { id, name } }: { group: Group }) {
  const frame = useRef<HTMLDivElement>(null)
  const columns = useMemo(() => locationColumns(id), [id])
  const member = useMemo(() => memberOf({ id, name }), [id, name])
  const list = useNounList('location', {
    filters: { state: '', position: '', repeated: '' },
    where: (values) => ({ group_id: id, ...placeFilters(values) }),
    pageSize: PAGE.list,
  })
  const map = useListMap(frame, { search: list.view.search, group_id: id, ...placeFilters(list.view.filters) })
  return (
    <div ref={frame} className="@container h-full">
      <ListScreen<Location>
        {...list}
        title="Locations"
        embedded
        columns={columns}
        subjectOf={member}
        adopt={member}
        hrefOf={locationHref}
        opens="beside"
        pageLinks={PAGE.links}
        map={map}
        filters={FILTERS}
        actions={['list.export', 'location.showMap', 'group.fromFile', 'group.addLocations']}
        bulk={BULK}
        primary="group.removeLocations"
        empty={{ sentence: 'This group has no locations yet.', command: 'group.addLocations' }}
      />
    </div>
  )
}
