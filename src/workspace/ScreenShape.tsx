import { FormSkeleton, ListSkeleton, RecordSkeleton, TabSkeleton } from '../ui/Skeletons.tsx'
import { usePane } from './pane.tsx'

/** Draws the skeleton of the pane's screen, by the kind of its route. */
export function ScreenShape() {
  const { match } = usePane()
  const { row, tab = null, tabRow } = match ?? {}
  if (row?.form || tabRow?.form) return <FormSkeleton />
  if (!row?.subject) return <ListSkeleton />
  const tabs = Object.values(row.tabs ?? {}).filter(({ hidden }) => !hidden).length
  return <RecordSkeleton tabs={tabs} body={<TabSkeleton tab={tab} />} />
}
