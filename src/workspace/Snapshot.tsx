import { useEffect, useMemo } from 'react'
import { useCall } from '../data/useCall.ts'
import { Button } from '../ui/Button.tsx'
import { ErrorState, Skeleton } from '../ui/States.tsx'
import { readLayout } from './keep.ts'
import { replaceLayout } from './navigation.ts'

/** A shared workspace: takes the place of what is open as soon as it has arrived. */
export function Snapshot({ id }: { id: string }) {
  const { data, error, retry } = useCall('snapshot.get', { id })
  const layout = useMemo(() => (data ? parse(data.data.layout) : null), [data])
  useEffect(() => {
    if (layout) replaceLayout(layout)
  }, [layout])
  if (error)
    return (
      <ErrorState
        title={error.status === 404 ? 'This shared workspace does not exist' : error.message}
        action={<Button onClick={retry}>Try again</Button>}
      >
        {error.status === 404 ? 'The link may be cut short.' : null}
      </ErrorState>
    )
  if (data && !layout)
    return <ErrorState title="This shared workspace can't be read">It was made by another version of Fieldwork.</ErrorState>
  return <Skeleton rows={8} />
}

function parse(text: string) {
  try {
    return readLayout(JSON.parse(text))
  } catch {
    return null
  }
}
