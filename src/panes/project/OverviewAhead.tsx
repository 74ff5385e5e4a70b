import { useCall } from '../../data/useCall.ts'
import { usePane } from '../../workspace/pane.tsx'
import { filterInput } from './filters.ts'

/** Asks for the figures while the record itself is still on its way: the Overview finds the very answer there. Shows nothing. */
export function OverviewAhead({ id }: { id: number }) {
  const { query } = usePane()
  useCall('runtime.overview', { id, ...filterInput(query) })
  return null
}
