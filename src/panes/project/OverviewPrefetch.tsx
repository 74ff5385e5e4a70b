import { useCall } from '../../data/useCall.ts'
import { usePane } from '../../workspace/pane.tsx'
import { filterInput } from './demographicFilters.ts'

/** Requests the figures while the record still loads, so the Overview finds them cached. Renders nothing. */
export function OverviewPrefetch({ id }: { id: number }) {
  const { query } = usePane()
  useCall('runtime.overview', { id, ...filterInput(query) })
  return null
}
